package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.testing.Python;

/** Parts of datasets: their names, what is recorded of them, and what is refused. */
@Tag("late")
class ProjectionTest {
  private static final NaiveActivations VALUES =
      new NaiveActivations(7, List.of(10, 12, 13, 14), 5, 2, true, true);

  @TempDir static Path sources;
  @TempDir Path folder;
  private static Path source;

  @BeforeAll
  static void writeSource() throws IOException {
    source = VALUES.writeSaev(sources);
  }

  @Test
  void oneSelectionHasOneHashHoweverItIsTyped() throws IOException {
    Path many =
        new NaiveActivations(1500, List.of(3), 1, 1, false, false)
            .writeSaev(folder.resolve("many"));
    List<String> names = new ArrayList<>();
    for (String option :
        List.of(
            "--examples=:1000",
            "--examples=0:1000",
            "--limit=1000",
            "--examples=0:400,400:1000",
            "--examples=-1500:-500")) {
      names.add(saev(many, "out" + names.size(), option).getFileName().toString());
    }
    assertThat(names).hasSize(5);
    assertThat(names.stream().distinct()).hasSize(1);
    assertThat(names.get(0)).isNotEqualTo(many.getFileName().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--examples=:",
        "--limit=7",
        "--limit=100 --layers=10,12-14 --tokens=all",
        "--examples=0:3,3:9 --tokens=0,1:",
        "-Dsaev.input.examples=0:7"
      })
  void everythingInStoredOrderChangesNothing(String options) throws IOException {
    Path out = saev(source, "out", options.split(" "));
    assertThat(out.getFileName()).isEqualTo(source.getFileName());
    Path plain = saev(source, "plain");
    assertThat(out.resolve("metadata.json")).hasSameBinaryContentAs(plain.resolve("metadata.json"));
    assertThat(selections(out)).isEmpty();
  }

  @Test
  void partsOfOneShapeHaveHashesOfTheirOwn() throws IOException {
    List<String> parts =
        List.of(
            "--examples=0:2",
            "--examples=2:4",
            "--examples=1,0",
            "--tokens=1:3 --limit=2",
            "--tokens=2:4 --limit=2",
            "--layers=10 --limit=2",
            "--layers=12 --limit=2");
    List<String> names = new ArrayList<>();
    for (String part : parts) {
      names.add(saev(source, "out" + names.size(), part.split(" ")).getFileName().toString());
    }
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void aSelectionOfASelectionNests() throws IOException {
    Path first = saev(source, "first", "--examples", "2:", "--layers=12-14");
    Path second = saev(first, "second", "--examples", "3,0:2", "--layers", "14,12", "--tokens=1:");
    JsonNode selections = selections(second);
    assertThat(selections).hasSize(2);
    assertThat(selections.get(0))
        .hasToString(
            "{\"layers\":[14,12],\"examples\":[[3,4],[0,2]],\"tokens\":[[1,5]],\"parent\":\""
                + first.getFileName()
                + "\"}");
    assertThat(selections.get(1)).isEqualTo(selections(first).get(0));
    assertThat(selections.get(1))
        .hasToString(
            "{\"layers\":[12,13,14],\"examples\":[[2,7]],\"tokens\":[[0,5]],\"parent\":\""
                + source.getFileName()
                + "\"}");
    assertThat(digest(second))
        .isEqualTo(VALUES.digestLine(List.of(5, 2, 3), List.of(14, 12), List.of(1, 2, 3, 4)));
    assertThat(Cli.run("inspect", second).succeeds().text())
        .contains("layers 14,12; examples 3:4,0:2; tokens 1:5; of " + first.getFileName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"legacy", "1.1", "2.0", "2.1"})
  void aSelectionSurvivesOtherProtocols(String protocol) throws IOException {
    Path part = saev(source, "part", "--examples=5:,1", "--tokens=image");
    Path other = saev(part, "other", "--protocol", protocol);
    assertThat(selections(other)).isEqualTo(selections(part)).hasSize(1);
    Path back = saev(other, "back", "--protocol", "1.0.0");
    assertThat(back.getFileName()).isEqualTo(part.getFileName());
    assertThat(back.resolve("metadata.json")).hasSameBinaryContentAs(part.resolve("metadata.json"));
    Path both = saev(source, "both", "--protocol", protocol, "--examples=5:,1", "--tokens=image");
    assertThat(selections(both).get(0).get("examples"))
        .isEqualTo(selections(part).get(0).get("examples"));
  }

  @Test
  void aSelectionTravelsThroughSafetensors() throws IOException {
    Path part = saev(source, "part", "--examples=4,1:3", "--layers=13,10");
    Path tensors = convert(source, "t", "safetensors", "--examples=4,1:3", "--layers=13,10");
    assertThat(saev(tensors, "back").getFileName()).isEqualTo(part.getFileName());
  }

  @Test
  void theHashIsThatOfPython() throws Exception {
    Path part = saev(source, "part", "--examples=4,1:3", "--layers=13,10", "--tokens=0,2:4");
    assertThat(Python.MACHINE.run("saev_hash.py", part.resolve("metadata.json")))
        .containsExactly(part.getFileName().toString());
  }

  @Test
  void theKeyDoesWhatTheOptionDoes() throws IOException {
    Path option = saev(source, "option", "--layers", "10", "--examples", "-3:");
    Path key = saev(source, "key", "-D", "saev.input.layers=10", "-D", "saev.input.examples=-3:");
    assertThat(key.getFileName()).isEqualTo(option.getFileName());
    Cli both =
        run(source, "both", "saev", "--layers=10", "--examples=-3:", "-Dsaev.input.layers=12")
            .succeeds();
    assertThat(both.lastLinePath().getFileName()).isEqualTo(option.getFileName());
    assertThat(both.stderr().lines())
        .containsOnlyOnce("warning: --layers overrules saev.input.layers");
    Cli same = run(source, "same", "saev", "--layers=10", "-Dsaev.input.layers=10").succeeds();
    assertThat(same.stderr()).doesNotContain("overrules");
    assertThat(Cli.run("digest", source, "-D", "saev.input.limit=2").lastLine())
        .isEqualTo(Cli.run("digest", source, "--limit", 2).lastLine())
        .contains(" examples=2 ");
  }

  @Test
  void onlyClsLeavesNoContentAndThatIsReportedBeforehand() throws IOException {
    Cli cli = run(source, "out", "saev", "--tokens", "cls").succeeds();
    assertThat(cli.stderr())
        .contains(
            "warning: no content tokens are left: saev's loaders read nothing or return wrong"
                + " vectors");
    JsonNode metadata = Fixtures.json(cli.lastLinePath().resolve("metadata.json"));
    assertThat(metadata.get("n_patches_per_img").asInt()).isZero();
    assertThat(metadata.get("cls_token").asBoolean()).isTrue();
    assertThat(digest(cli.lastLinePath())).contains(" tokens=1 ");
  }

  @Test
  void layersThatDoNotAscendAreAWarningOfTheCheck() throws IOException {
    Path out = saev(source, "out", "--layers", "14,10");
    assertThat(Cli.assertSound(out).text()).contains("warning UNUSUAL ").contains("ascend");
  }

  @Test
  void columnsThatAreNoActivationsTakeExamplesAndALimitOnly() throws IOException {
    Path table = folder.resolve("table.safetensors");
    Map<String, Found> columns = new LinkedHashMap<>();
    columns.put("a", Found.of("U8", List.of(4L, 2L), new byte[] {0, 1, 10, 11, 20, 21, 30, 31}));
    columns.put("b", Found.of("I8", List.of(4L), new byte[] {5, 6, 7, 8}));
    NaiveTensors.write(table, columns);
    Path out = convert(table, "out", "safetensors", "--examples=3,0:2", "--limit=2");
    assertThat(NaiveTensors.batches(out).get("a").bytes()).containsExactly(30, 31, 0, 1);
    assertThat(NaiveTensors.batches(out).get("b").bytes()).containsExactly(8, 5);
    assertThat(Cli.run("list", table, "--examples", "2:").succeeds().text().lines())
        .containsExactly("2 a [2] uint8", "2 b [] int8", "3 a [2] uint8", "3 b [] int8");
    for (String option : List.of("--layers=0", "--tokens=0")) {
      run(table, "none", "safetensors", option).failsWith(DatasetError.NO_ACTIVATIONS, table);
      Cli.run("list", table, option).failsWith(DatasetError.NO_ACTIVATIONS, table);
    }
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  void idsOfTheSourceTravelAndDecideTheOrder() throws IOException {
    Path keys = folder.resolve("keys");
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (String id : List.of("ant", "bee", "cat", "dog")) {
      tensors.put(id + "__x", Found.of("U8", List.of(1L), (byte) id.charAt(0)));
    }
    NaiveTensors.write(keys.resolve("k.safetensors"), tensors);
    Path out = convert(keys, "out", "safetensors", "--kv", "--examples=0,2:");
    assertThat(NaiveTensors.keys(out).keySet()).containsExactly("ant__x", "cat__x", "dog__x");
    run(keys, "none", "safetensors", "--kv", "--examples=2:,0")
        .failsWith(DatasetError.UNSUPPORTED, keys);
    assertThat(folder.resolve("none")).doesNotExist();
    Cli batch = run(keys, "batch", "safetensors", "--examples=2:,0").succeeds();
    assertThat(batch.stderr()).contains("warning: the ids of the examples are not kept");
    assertThat(NaiveTensors.batches(batch.lastLinePath()).get("x").bytes())
        .containsExactly('c', 'd', 'a');
  }

  @Test
  void withoutAHashTheParentIsTheDigest() throws IOException {
    Path file = folder.resolve("t.safetensors");
    float[] values = {1, 2, 3, 4, 5, 6};
    NaiveTensors.write(
        file, Map.of("layer_3", Found.of("F32", List.of(3L, 1L, 2L), NaiveTensors.floats(values))));
    Cli cli = run(file, "out", "saev", "--family=f", "--ckpt=c", "--examples=1:").succeeds();
    assertThat(cli.stderr()).contains("convert: the source has no hash; computing its digest");
    JsonNode selection = selections(cli.lastLinePath()).get(0);
    assertThat(selection.get("parent").asText())
        .startsWith("sha256-blocks:")
        .isEqualTo(digest(file).split(" ")[0]);
    assertThat(digest(cli.lastLinePath()))
        .isEqualTo(Cli.run("digest", file, "--examples=1:").lastLine());
  }

  @Test
  void listAndCatShowTheNumbersOfTheSource() {
    assertThat(
            Cli.run("list", source, "--examples=5:,1", "--layers=13,10").succeeds().text().lines())
        .containsExactly(
            "5 13 [5,2] float32",
            "5 10 [5,2] float32",
            "6 13 [5,2] float32",
            "6 10 [5,2] float32",
            "1 13 [5,2] float32",
            "1 10 [5,2] float32");
    assertThat(
            Cli.run("cat", source, "--examples=6,2", "--layer=12", "--tokens=3:", "--token=4")
                .succeeds()
                .text()
                .lines())
        .containsExactly(line(6, 12, 4), line(2, 12, 4));
    assertThat(Cli.run("cat", source, "--example=3", "--layers=14", "--tokens=cls").text().lines())
        .containsExactly(line(3, 14, 0));
    assertThat(
            Cli.run("cat", source, "--sample-metadata", "--examples=4,1").succeeds().text().lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("\"example\": 4") && line.contains("text 104"))
        .anyMatch(line -> line.contains("\"example\": 1") && line.contains("text 101"));
  }

  private static String line(int example, int layer, int token) {
    return "%d %d %d %s %s"
        .formatted(
            example,
            layer,
            token,
            VALUES.value(example, layer, token, 0),
            VALUES.value(example, layer, token, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "--examples=7, BAD_SELECTION",
    "--examples=-8, BAD_SELECTION",
    "--examples=7:9, EMPTY_SELECTION",
    "'--examples=0:3,-6', BAD_SELECTION",
    "--layers=11, NO_SUCH_LAYER",
    "--layers=-2, NO_SUCH_LAYER",
    "--layers=10-14, NO_SUCH_LAYER",
    "--tokens=5, BAD_SELECTION",
    "'--tokens=-1,0', BAD_SELECTION"
  })
  void whatOnlyTheDataShowsToBeWrongIsExitCode1(String option, DatasetError kind) {
    run(source, "out", "safetensors", option).failsWith(kind, source);
    Cli.run("digest", source, option).failsWith(kind, source);
    Cli.run("list", source, option).failsWith(kind, source);
    Cli.run("cat", source, option).failsWith(kind, source);
    assertThat(folder).isEmptyDirectory();
  }

  private static JsonNode selections(Path saev) throws IOException {
    JsonNode report = Cli.run("inspect", saev, "--json").succeeds().json();
    assertThat(report.get("hash_matches").asBoolean()).isTrue();
    return report.path("selections");
  }

  private Path saev(Path from, String name, String... options) {
    return convert(from, name, "saev", options);
  }

  private Path convert(Path from, String name, String to, String... options) {
    return run(from, name, to, options).succeeds().lastLinePath();
  }

  private Cli run(Path from, String name, String to, String... options) {
    return Cli.run("convert", from, folder.resolve(name), "--to", to, options);
  }

  private static String digest(Path dataset) {
    return Cli.run("digest", dataset).succeeds().lastLine();
  }
}
