package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.w3c.dom.Element;

/** The page that {@code stats --report} writes. */
class StatsPageTest {
  @TempDir Path folder;

  private String page(Path dataset, Object... options) throws Exception {
    Path file = folder.resolve("page.html");
    Cli.run("stats", dataset, "--report", file, "--overwrite", options).succeeds();
    return Files.readString(file);
  }

  private static JsonNode json(Path dataset, Object... options) throws Exception {
    return Cli.run("stats", dataset, "--json", "--vectors", options).succeeds().json();
  }

  private Path vectors(int layers, int examples, int tokens, int dim) throws Exception {
    return StatsDatasets.random(folder.resolve("acts.safetensors"), layers, examples, tokens, dim);
  }

  @Test
  void valuesInTablesAreThoseOfTheJson() throws Exception {
    for (Path dataset : List.of(Fixtures.labelled(Fixtures.SMALL, folder), vectors(2, 9, 5, 600))) {
      StatsReport.of(page(dataset)).assertEquals(json(dataset));
    }
  }

  @Test
  void aSampleIsNamedAsSuch() throws Exception {
    Path dataset = vectors(1, 40, 2, 3);
    String page = page(dataset, "--sample", "10%", "--seed", "3");
    StatsReport.of(page).assertEquals(json(dataset, "--sample", "0.1", "--seed", "3"));
    assertThat(page).contains("4 sampled of 40");
    Element root = StatsReport.parse(page).getDocumentElement();
    assertThat(StatsReport.all(root, "code").get(0).getTextContent())
        .endsWith(" --sample 10% --seed 3");
  }

  @Test
  void everyPointOfATableIsDrawn() throws Exception {
    StatsReport report = StatsReport.of(page(Fixtures.labelled(Fixtures.SMALL, folder)));
    for (Element chart : report.charts().values()) {
      List<List<String>> table = StatsReport.table(chart);
      List<String> curves = StatsReport.curves(chart);
      int first = table.get(0).size() - curves.size();
      for (int i = 0; i < curves.size(); i++) {
        int column = first + i;
        long cells = table.stream().skip(1).filter(row -> !row.get(column).isEmpty()).count();
        long points = curves.get(i).chars().filter(c -> first == 2 ? c == 'H' : c == ',').count();
        assertThat(points).isPositive().isEqualTo(cells);
      }
    }
  }

  @Test
  void thePageIsXmlThatLoadsNothing() throws Exception {
    String page = page(Fixtures.small());
    Element root = StatsReport.parse(page).getDocumentElement();
    assertThat(root.getAttribute("lang")).isEqualTo("en");
    assertThat(page).startsWith("<!DOCTYPE html>\n").contains("default-src 'none'");
    assertThat(page).doesNotContain("<script", "<link", "<img", "url(", "@import");
    assertThat(page.replace("http://www.w3.org/1999/xhtml", "")).doesNotContain("http:", "https:");
  }

  @Test
  void thePathIsEscaped() throws Exception {
    Path dataset = folder.resolve("a&b<script>\"'.safetensors");
    StatsDatasets.random(dataset, 1, 2, 2, 2);
    Element root = StatsReport.parse(page(dataset)).getDocumentElement();
    assertThat(StatsReport.all(root, "script")).isEmpty();
    String name = dataset.getFileName().toString();
    assertThat(StatsReport.all(root, "title").get(0).getTextContent())
        .isEqualTo("Statistics of " + name);
    assertThat(StatsReport.all(root, "h1").get(0).getTextContent()).isEqualTo(name);
    assertThat(StatsReport.all(root, "dd").get(0).getTextContent()).isEqualTo(dataset.toString());
    assertThat(StatsReport.all(root, "code").get(0).getTextContent())
        .startsWith("saev-hadoop stats ")
        .endsWith(" --report " + folder.resolve("page.html"));
  }

  @Test
  void fourLayersOf4096DimsAreAtMostAMebibyte() throws Exception {
    assertThat(page(vectors(4, 3, 2, 4096))).hasSizeLessThan(1 << 20);
    StatsReport report = StatsReport.of(page(vectors(4, 2, 1500, 2)));
    assertThat(StatsReport.table(report.charts().get("Norm by position"))).hasSize(1 + 1024);
    assertThat(page(vectors(4, 2, 1500, 2))).hasSizeLessThan(1 << 20);
  }

  @Test
  void curvesByDimensionHaveTheFirstAndTheLastRank() throws Exception {
    StatsReport report = StatsReport.of(page(vectors(1, 2, 1, 600)));
    List<List<String>> table = StatsReport.table(report.charts().get("Mean by dimension"));
    assertThat(table).hasSize(1 + 257);
    assertThat(table.get(1).get(0)).isEqualTo("1");
    assertThat(table.get(257).get(0)).isEqualTo("600");
    assertThat(report.charts()).doesNotContainKeys("Norm by position", "Norm by label");
  }

  @Test
  void eightLayersHaveStylesOfTheirOwnAndMoreFormARamp() throws Exception {
    Map<Integer, String> pages = new HashMap<>();
    for (int layers : new int[] {8, 12}) {
      pages.put(layers, page(vectors(layers, 2, 2, 2)));
    }
    assertThat(pages.get(8)).contains("\"curve s7\"").doesNotContain("curve ramp\"");
    String byDimension = pages.get(12);
    byDimension = byDimension.substring(byDimension.indexOf("<h3>Mean by dimension"));
    assertThat(byDimension).contains("--t:0%", "--t:100%").doesNotContain("\"curve s");
    Element chart = StatsReport.of(pages.get(12)).charts().get("Mean by dimension");
    assertThat(StatsReport.all(chart, "li"))
        .extracting(Element::getTextContent)
        .startsWith("layer 0", "layer 1")
        .endsWith("layer 11", "of 12");
  }

  @Test
  void countsThatAre0InAllLayersAreASentence() throws Exception {
    String page = page(Fixtures.small());
    assertThat(page)
        .contains("<p>No padding, NaN values, infinite values, zero vectors or dead dims.<")
        .doesNotContain(">padding</th>", ">infinite</th>");
  }

  @Test
  void aDatasetWithoutVectorsHasEmptyCharts() throws Exception {
    String page = page(vectors(1, 0, 2, 2));
    StatsReport.parse(page);
    assertThat(StatsReport.of(page).charts()).hasSize(5);
    assertThat(page).doesNotContain("NaN,", "Infinity");
  }
}
