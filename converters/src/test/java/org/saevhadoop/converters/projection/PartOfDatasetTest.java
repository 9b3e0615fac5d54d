package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
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
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.safetensors.index.TensorIndexError;

/** {@code list} and {@code cat} of a part of a dataset, in each format. */
@Tag("late")
class PartOfDatasetTest {
  private static final int TOKENS = 10;
  private static final int DIM = 16;
  private static final List<Integer> LAYERS = List.of(13, 21, 23);

  /** All formats, with the layouts of safetensors. */
  private static final String SAEV = "saev";

  @TempDir static Path folder;

  @BeforeAll
  static void convert() {
    Path saev = Fixtures.saev(Fixtures.SMALL);
    Map.of(
            "batch", "safetensors --batch-size 4",
            "acts", "safetensors --columns=acts",
            "kv", "safetensors --kv",
            "pickle", "pickle",
            "shards", "samediff --max-shard-bytes=6000",
            "deflated", "samediff -Dsaev.output.samediff.container=sdz --deflate")
        .forEach(
            (name, to) ->
                Cli.run("convert", saev, folder.resolve(name), "--to", to.split(" ")).succeeds());
  }

  private static Path dataset(String format) {
    return format.equals(SAEV) ? Fixtures.saev(Fixtures.SMALL) : folder.resolve(format);
  }

  /** Returns what errors name: the file that was staged, where a dataset has but one. */
  private static Path blamed(String format) {
    Path dataset = dataset(format);
    return format.equals("pickle") ? dataset.resolve("shard_0001.pkl.gz") : dataset;
  }

  private static Cli run(String command, String format, String options, String... more) {
    return Cli.run(
        command,
        dataset(format),
        options.isEmpty() ? List.of() : List.of(options.split(" ")),
        more);
  }

  @ParameterizedTest
  @ValueSource(strings = {SAEV, "batch", "kv", "pickle", "shards", "deflated"})
  void catPrintsWhatIsSelectedInTheOrderAskedWithTheNumbersOfTheSource(String format)
      throws IOException {
    String part = "--layers 23,13 --examples 5,1:3 --tokens 0,4:6,9";
    List<String> expected = new ArrayList<>();
    for (int example : new int[] {5, 1, 2}) {
      for (int layer : new int[] {23, 13}) {
        for (int token : new int[] {0, 4, 5, 9}) {
          expected.add(line(example, layer, token));
        }
      }
    }
    assertThat(run("cat", format, part, "--format", "hex").succeeds().text().lines())
        .isEqualTo(expected);
    byte[] npy = run("cat", format, part, "--format", "npy").succeeds().stdout();
    assertThat(header(npy)).contains("'shape': (3, 2, 4, 16), }");
    assertThat(npy).hasSize(128 + 3 * 2 * 4 * DIM * 4).endsWith(vector(2, 13, 9));
    assertThat(run("cat", format, part + " --index 13", "--format", "hex").succeeds().text())
        .isEqualTo(line(1, 13, 4) + "\n");
    assertThat(run("cat", format, part + " --token 5 --limit 1", "--format", "hex").text().lines())
        .containsExactly(line(5, 23, 5), line(5, 13, 5));
    run("cat", format, part + " --token 6").failsWith(DatasetError.NO_SUCH_TOKEN, blamed(format));
    run("cat", format, part + " --index 24").failsWith(DatasetError.BAD_SELECTION, blamed(format));
  }

  @ParameterizedTest
  @ValueSource(strings = {SAEV, "batch", "kv", "pickle", "shards", "deflated"})
  void listShowsTheBlocksThatAreSelectedAndTheirDigests(String format) throws Exception {
    String part = "--layers 23,13 --examples -1,2 --tokens 3:5";
    assertThat(run("list", format, part).succeeds().text().lines())
        .containsExactly(
            "6 23 [2,16] float32",
            "6 13 [2,16] float32",
            "2 23 [2,16] float32",
            "2 13 [2,16] float32");
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    sha256.update(vector(2, 13, 3));
    sha256.update(vector(2, 13, 4));
    String digest = HexFormat.of().formatHex(sha256.digest());
    assertThat(run("list", format, part, "--digests", "--json").succeeds().text().lines())
        .hasSize(4)
        .anyMatch(
            line ->
                line.startsWith(
                        "{\"schema\":1,\"example\":2,\"layer\":13,\"shape\":[2,16],"
                            + "\"dtype\":\"float32\",")
                    && line.endsWith("\"digest\":\"" + digest + "\"}"));
    assertThat(run("list", format, "--limit 1").succeeds().text().lines())
        .containsExactly("0 13 [10,16] float32", "0 21 [10,16] float32", "0 23 [10,16] float32");
    run("list", format, "--examples 7")
        .failsWith(
            DatasetError.BAD_SELECTION, format.equals("pickle") ? dataset(format) : blamed(format));
    run("list", format, "--layers 12").failsWith(DatasetError.NO_SUCH_LAYER, blamed(format));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--layers 21,13 --examples 3,0 --digests; 3 0; 21 13",
        "--layers 23,13; 0 1 2 3 4 5 6; 23 13",
        "--examples 5:,1,-4:-2; 5 6 1 3 4; 13 21 23",
        "--examples 4:6,0:2 --layers 21; 4 5 0 1; 21",
        "--examples :2 --tokens 3; 0 1; 13 21 23",
        "--limit 2; 0 1; 13 21 23",
        "--tokens 0:2; 0 1 2 3 4 5 6; 13 21 23"
      })
  void theListOfAPartHasTheSameOrderInEachFormat(String part, String examples, String layers) {
    List<String> expected = new ArrayList<>();
    for (String example : examples.split(" ")) {
      for (String layer : layers.split(" ")) {
        expected.add(example + " " + layer);
      }
    }
    List<String> formats = List.of(SAEV, "batch", "acts", "kv", "pickle", "shards", "deflated");
    for (int i = 0; i < 3; i++) { // each format has several of the parts
      String format = formats.get((part.length() + 2 * i) % formats.size());
      assertThat(run("list", format, part).succeeds().text().lines().map(PartOfDatasetTest::block))
          .as(format)
          .isEqualTo(expected);
    }
  }

  private static String block(String line) {
    return line.replaceAll(" \\[.*", "");
  }

  @Test
  void aStreamOfWhichNothingIsSelectedIsListedAsItWasRecorded() {
    assertThat(run("list", "pickle", "").succeeds().text().lines().toList())
        .hasSize(21)
        .first()
        .asString()
        .startsWith("shard_0001.pkl.gz 13 0 [10,16] ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--example 3; (3, 10, 16)",
        "--examples 3; (1, 3, 10, 16)",
        "--example 3 --layers 21; (1, 10, 16)",
        "--example 3 --layer 21; (10, 16)",
        "--example 3 --token 0; (3, 16)",
        "--example 3 --tokens 0; (3, 1, 16)",
        "--layer 21 --token 0; (7, 16)",
        "--examples : --layer 21 --token 0 --limit 2; (2, 16)",
        "--index 30; (16,)"
      })
  void anArrayHasTheAxesOfWhichSeveralIndexesCouldBeAskedFor(String options, String shape) {
    byte[] npy = run("cat", SAEV, options, "--format", "npy").succeeds().stdout();
    assertThat(header(npy)).contains("'shape': " + shape + ", }");
  }

  private static String header(byte[] npy) {
    return new String(npy, 0, 128, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cat", "list"})
  void keysDoWhatOptionsDoAndTheOptionsWin(String command) {
    String options = run(command, SAEV, "--layers 21 --examples 2:4 --tokens 1:3").text();
    Cli keys =
        run(
            command,
            SAEV,
            "-Dsaev.input.layers=21 -Dsaev.input.examples=2:4 -Dsaev.input.tokens=1:3");
    assertThat(keys.succeeds().text()).isEqualTo(options);
    assertThat(keys.stderr()).isEmpty();
    String keysToo = " -Dsaev.input.layers=13 -Dsaev.input.examples=2:4";
    Cli both = run(command, SAEV, "--layers 21 --examples 2:4 --tokens 1:3" + keysToo);
    assertThat(both.succeeds().text()).isEqualTo(options);
    assertThat(both.stderr()).isEqualTo("warning: --layers overrules saev.input.layers\n");
  }

  @Test
  void oneLayerAndOneExampleOverruleKeysToo() throws IOException {
    Cli cli =
        run(
            "cat",
            SAEV,
            "-Dsaev.input.layers=13 -Dsaev.input.limit=1 --layer 21 --example 3 --token 9",
            "--format",
            "hex");
    assertThat(cli.succeeds().text()).isEqualTo(line(3, 21, 9) + "\n");
    assertThat(cli.stderr())
        .isEqualTo(
            "warning: --layer overrules saev.input.layers\n"
                + "warning: --example overrules saev.input.limit\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--layer 13 --layers 13",
        "--example 1 --examples 2",
        "--example 1 --limit 2",
        "--layers 13,13",
        "--layers",
        "--examples 3:1",
        "--examples 1:3,2",
        "--tokens 5,3",
        "--limit 0",
        "--limit 1 --limit 2",
        "--example 1 --tokens x",
        "--example 1 -Dsaev.input.layers=x",
        "--example 1 -Dsaev.input.tokens=",
        "--sample-metadata --layers 13",
        "--key x --examples 3",
        "--name x --limit 3",
        "--index 1 --token 3"
      })
  void aWrongSelectionIsAnErrorOfTheCommandLine(String options) {
    run("cat", SAEV, options).failsAsUsage();
  }

  @Test
  void optionsOfOtherFormatsHaveNoEffectAndAWarning() {
    Cli cli = run("list", SAEV, "--ragged flatten --limit 1");
    assertThat(cli.succeeds().text()).hasLineCount(3);
    assertThat(cli.stderr()).startsWith("warning: --ragged has no effect with ").hasLineCount(1);
  }

  @Test
  void whatOneFormatAloneCanDoIsRefusedInASentenceByTheOthers() {
    for (String format : List.of(SAEV, "pickle")) {
      Path path = dataset(format);
      run("cat", format, "--key 3__layer_13").failsWith(DatasetError.UNSUPPORTED, path);
      run("cat", format, "--name x").failsWith(DatasetError.UNSUPPORTED, path);
      run("bench-keys", format, "--key x").failsWith(DatasetError.UNSUPPORTED, path);
    }
    assertThat(run("bench-keys", "kv", "--key 3__layer_13 --fetches 3").succeeds().text())
        .hasLineCount(3);
    run("bench-keys", "batch", "--key x").failsWith(TensorIndexError.NO_SUCH_TENSOR, "batch");
  }

  @Test
  void sampleMetadataHaveTheNumbersOfTheSource() throws IOException {
    Cli all = run("cat", "pickle", "--sample-metadata").succeeds();
    List<String> lines = all.text().lines().toList();
    assertThat(lines).hasSize(7);
    assertThat(run("cat", "pickle", "--sample-metadata --examples 5,1:3").succeeds().text().lines())
        .containsExactly(lines.get(5), lines.get(1), lines.get(2));
    assertThat(run("cat", "pickle", "--sample-metadata --example 4").succeeds().text().lines())
        .containsExactly(lines.get(4));
  }

  @Test
  void inspectShowsWhatWasSelected() throws IOException {
    Path out = folder.resolve("selected");
    String[] words = "--to saev --layers 23,13 --examples 5,1:3,3".split(" ");
    Path part = Cli.run("convert", dataset(SAEV), out, words).succeeds().lastLinePath();
    JsonNode selections = Cli.run("inspect", part, "--json").succeeds().json().get("selections");
    assertThat(selections.toString())
        .isEqualTo(
            "[{\"layers\":[23,13],\"examples\":[[5,6],[1,4]],\"tokens\":[[0,10]],\"parent\":\""
                + Fixtures.SMALL
                + "\"}]");
    assertThat(Cli.run("inspect", part).succeeds().text())
        .contains(
            "selections           1\n  layers 23,13; examples 5:6,1:4; tokens 0:10; of "
                + Fixtures.SMALL
                + "\n");
    Cli.assertSound(part);
    assertThat(Cli.run("inspect", dataset(SAEV), "--json").json().has("selections")).isFalse();
  }

  private static String line(int example, int layer, int token) throws IOException {
    return "%d %d %d %s"
        .formatted(example, layer, token, HexFormat.of().formatHex(vector(example, layer, token)));
  }

  /** Returns a vector of the small fixture, by the specification's own arithmetic. */
  private static byte[] vector(int example, int layer, int token) throws IOException {
    Path shard = Fixtures.saev(Fixtures.SMALL).resolve("acts00000" + example / 2 + ".bin");
    byte[] bytes = Files.readAllBytes(shard);
    int block = example % 2 * LAYERS.size() + LAYERS.indexOf(layer);
    int offset = (block * TOKENS + token) * DIM * 4;
    return Arrays.copyOfRange(bytes, offset, offset + DIM * 4);
  }
}
