package org.saevhadoop.converters.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** Data of a source that its rows do not keep: a run warns of it, and a dry run lists it. */
class ShuffleLossesTest extends ConvertedDatasets {
  private static final String SAMPLES =
      "the sample metadata is left out (shuffle does not keep it)";
  private static final String IDS = "the ids of the examples are not kept: they become numbers";
  private static final String LABELS =
      "the labels are left out because [CLS] has none (--tokens image keeps them)";

  /** Asserts that a dry run lists losses, and that a run warns of each of them once. */
  private void assertLosses(Path source, List<String> expected, Object... options)
      throws IOException {
    Object[] shuffle = {"shuffle", source, folder.resolve("out"), "--to=safetensors"};
    String plans = Cli.run(shuffle, options, "--dry-run").succeeds().text();
    JsonNode first = Cli.run(shuffle, options, "--dry-run", "--json").json();
    List<String> listed = new ArrayList<>();
    first.get("datasets").get(0).get("losses").forEach(line -> listed.add(line.textValue()));
    assertThat(listed).isEqualTo(expected);
    assertThat(plans.lines().filter(line -> line.startsWith("loses")).distinct())
        .containsExactlyElementsOf(expected.stream().map(line -> "loses      " + line).toList());
    List<String> warnings =
        Cli.run(shuffle, options)
            .succeeds()
            .stderr()
            .lines()
            .filter(line -> line.matches("warning: .*(left out|not kept).*"))
            .toList();
    assertThat(warnings)
        .containsExactlyElementsOf(expected.stream().map(line -> "warning: " + line).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--unit=vector", "--unit=example"})
  void sampleMetadataIsLost(String unit) throws IOException {
    Path source = convert(Fixtures.pickle("spec"), "spec", "safetensors");
    assertLosses(source, List.of(SAMPLES), unit);
  }

  @Test
  void idsThatAreNotNumbersAreLost() throws IOException {
    Found block = Found.of("F32", List.of(2L, 2L), new byte[16]);
    Path source = folder.resolve("kv.safetensors");
    NaiveTensors.write(source, Map.of("cat__layer_4", block, "dog__layer_4", block));
    assertLosses(source, List.of(IDS));
  }

  @Test
  void integersOfTokensAreLost() throws IOException {
    Path source = new NaiveActivations(9, List.of(4), 3, 16, true, false).writeSaev(folder);
    Object[] options = {"--to=safetensors", "--unit=example", "--provenance"};
    Path tokens =
        Cli.run("shuffle", source, folder.resolve("tokens"), options).succeeds().lastLinePath();
    assertLosses(
        tokens,
        List.of(
            "the per-token integers [example, token, layer] are left out (shuffle does not keep"
                + " them)"));
  }

  @Test
  void labelsAreLostIfTheVectorOfClsIsSelected() throws IOException {
    Path source = new NaiveActivations(9, List.of(4, 9), 5, 16, true, true).writeSaev(folder);
    assertLosses(source, List.of(SAMPLES, LABELS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--tokens=image", "--unit=example", "--tokens=cls"})
  void labelsAreKeptIfEachRowHasItsOwn(String option) throws IOException {
    Path source = new NaiveActivations(9, List.of(4, 9), 5, 16, true, true).writeSaev(folder);
    assertLosses(source, List.of(SAMPLES), option);
  }
}
