package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.ProgressDisplay;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class CommandLineTest extends ConvertedDatasets {
  private static final int TOKENS = 10;
  private static final int DIM = 16;

  @Test
  void theListOfCommandsHasTheNamesOfTheirAnnotations() {
    Console console =
        new Console(new Configuration(), DatasetFormats.registry(), System.out, System.err);
    CommandLine line = new Main(System.out, System.err).commandLine(console);
    for (Commands.Entry entry : Main.COMMANDS) {
      CommandSpec command = line.getSubcommands().get(entry.name()).getCommandSpec();
      assertThat(command.name()).isEqualTo(entry.name());
      assertThat(command.usageMessage().hidden()).as(entry.name()).isEqualTo(entry.hidden());
    }
  }

  @Test
  void inspectReportsExactlyTheAgreedKeys() throws IOException {
    JsonNode report = Cli.run("inspect", Fixtures.small(), "--json").json();
    String keys =
        "schema path format protocol hash hash_matches examples layers tokens dim vectors dtype bytes"
            + " bytes_on_disk bytes_of_values shards warnings";
    assertThat(report.fieldNames()).toIterable().containsExactly(keys.split(" "));
    ((ObjectNode) report).remove("bytes_on_disk"); // depends on the file system
    assertThat(report.toString())
        .startsWith(
            "{\"schema\":1,\"path\":\""
                + Fixtures.small()
                + "\",\"format\":\"saev\",\"protocol\":\"1.0.0\",\"hash\":\""
                + Fixtures.SMALL
                + "\",\"hash_matches\":true,\"examples\":7,\"layers\":[13,21,23],"
                + "\"tokens\":10,\"dim\":16,\"vectors\":210,\"dtype\":\"float32\",\"bytes\":15360,"
                + "\"bytes_of_values\":13440,\"shards\":[{\"file\":"
                + "\"acts000000.bin\",\"examples\":2,\"bytes\":3840},")
        .endsWith("],\"warnings\":[]}");
  }

  @Test
  void inspectOfAFileReportsItsTensors() throws IOException {
    Path out = convert(Fixtures.small(), "out", "safetensors");
    Path part = out.resolve(files(out).get(1));
    JsonNode report = Cli.run("inspect", part, "--json").succeeds().json();
    assertThat(report.get("tensors").get(1).toString())
        .isEqualTo(
            "{\"name\":\"layer_21\",\"dtype\":\"float32\",\"stored_dtype\":\"F32\","
                + "\"shape\":[7,10,16],\"bytes\":4480,\"data_offsets\":[4480,8960]}");
    assertThat(report.get("metadata").get("saev.metadata").asText())
        .isEqualTo(Files.readString(Fixtures.small().resolve("metadata.json")));
  }

  @Test
  void catPrintsTheVectorAtACoordinateBitForBit() throws IOException {
    Path dataset = Fixtures.small();
    String hex =
        Cli.run("cat", dataset, "--example", 3, "--layer", 21, "--token", 9, "--format", "hex")
            .succeeds()
            .text();
    assertThat(hex).isEqualTo("3 21 9 " + HexFormat.of().formatHex(vector(3, 1, 9)) + "\n");
    String all = Cli.run("cat", dataset, "--example", 3, "--format", "hex").text();
    assertThat(all.lines()).hasSize(3 * TOKENS).contains(hex.strip());
  }

  @Test
  void catPrintsTheVectorAtAnIndexOfAView() throws IOException {
    Path dataset = Fixtures.small();
    // image, all layers: 27 vectors an example, 9 a layer, [CLS] before the first patch
    assertThat(cat(dataset, "--index", 3 * 27 + 9 + 8, "--tokens", "image"))
        .isEqualTo("3 21 9 " + HexFormat.of().formatHex(vector(3, 1, 9)) + "\n");
    assertThat(cat(dataset, "--index", 6, "--tokens", "special", "--layer", 23))
        .isEqualTo("6 23 0 " + HexFormat.of().formatHex(vector(6, 2, 0)) + "\n");
    assertThat(cat(dataset, "--index", 209)).startsWith("6 23 9 ");
    Cli.run("cat", dataset, "--index", 210).failsWith(DatasetError.BAD_SELECTION, dataset);
    Cli.run("cat", dataset, "--index", 7, "--tokens", "cls", "--layer", 13)
        .failsWith(DatasetError.BAD_SELECTION, dataset);
  }

  @Test
  void catPrintsTheTokensOfAnExampleThatAreAskedFor() throws IOException {
    Path dataset = Fixtures.small();
    assertThat(cat(dataset, "--example", 2, "--tokens", "cls").lines())
        .hasSize(3)
        .allMatch(line -> line.matches("2 \\d+ 0 .*"));
    assertThat(cat(dataset, "--example", 2, "--tokens", "content", "--layer", 13).lines())
        .hasSize(9)
        .noneMatch(line -> line.startsWith("2 13 0 "));
    Cli.run("cat", dataset, "--example", 2, "--tokens", "image", "--token", 0)
        .failsWith(DatasetError.NO_SUCH_TOKEN, dataset);
    Cli.run("cat", dataset, "--example", 2, "--tokens", "some").failsAsUsage();
    Cli.run("cat", dataset, "--example", 2, "--index", 3).failsAsUsage();
    Cli.run("cat", dataset, "--index", 2, "--token", 3).failsAsUsage();
    Cli.run("cat", dataset).failsAsUsage();
  }

  private static String cat(Path dataset, Object... options) {
    return Cli.run("cat", dataset, "--format", "hex", options).succeeds().text();
  }

  @Test
  void catPrintsNumbersForPeopleProgramsAndNumpy() throws IOException {
    Path dataset = Fixtures.small();
    ByteBuffer floats = ByteBuffer.wrap(vector(3, 1, 9)).order(ByteOrder.LITTLE_ENDIAN);
    String[] place = "--example 3 --layer 21 --token 9 --format".split(" ");
    assertThat(Cli.run("cat", dataset, place, "text").text())
        .startsWith("3 21 9 " + floats.getFloat(0) + " ");
    String[] words = Arrays.copyOf(place, place.length - 1);
    JsonNode json = Cli.run("cat", dataset, words, "--json").json();
    assertThat(json.get("values")).hasSize(DIM);
    assertThat(json.get("values").get(5).floatValue()).isEqualTo(floats.getFloat(20));
    byte[] npy = Cli.run("cat", dataset, place, "npy").stdout();
    assertThat(npy).hasSize(128 + 4 * DIM).endsWith(vector(3, 1, 9));
    assertThat(new String(npy, 1, 127, StandardCharsets.ISO_8859_1))
        .startsWith(
            "NUMPY\u0001\u0000v\u0000{'descr': '<f4', 'fortran_order': False, 'shape': (16,), }")
        .endsWith(" \n");
  }

  @Test
  void nanAndInfinityAreStringsInJson() throws IOException {
    Path dataset = Fixtures.saev(Fixtures.LEGACY);
    String lines = Cli.run("cat", dataset, "--example", 0, "--json").succeeds().text();
    assertThat(lines).contains("\"NaN\"").contains("\"-Infinity\"");
    for (String line : lines.lines().toList()) {
      new ObjectMapper().readTree(line);
    }
  }

  @Test
  void listGoesThroughTheBlocksInStorageOrder() throws Exception {
    Path saev = Fixtures.small();
    Path out = convert(saev, "out", "safetensors --batch-size 4");
    assertThat(Cli.run("list", saev).text().lines().limit(4))
        .containsExactly(
            "0 13 [10,16] float32",
            "0 21 [10,16] float32",
            "0 23 [10,16] float32",
            "1 13 [10,16] float32");
    List<String> lines = Cli.run("list", out, "--json", "--digests").text().lines().toList();
    assertThat(lines).hasSize(21);
    JsonNode fifth = new ObjectMapper().readTree(lines.get(4));
    byte[] block = new byte[TOKENS * DIM * 4];
    ByteBuffer whole = ByteBuffer.wrap(block);
    for (int t = 0; t < TOKENS; t++) {
      whole.put(vector(0, 1, t));
    }
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(block));
    assertThat(fifth.toString())
        .isEqualTo(
            "{\"schema\":1,\"example\":0,\"layer\":21,\"shape\":[10,16],\"dtype\":\"float32\","
                + "\"stored_dtype\":\"F32\",\"digest\":\""
                + sha256
                + "\"}");
  }

  @Test
  void theDigestIsWhatItsDefinitionRequires() throws Exception {
    MessageDigest all = MessageDigest.getInstance("SHA-256");
    for (int example = 0; example < 7; example++) {
      for (int layerIndex = 0; layerIndex < 3; layerIndex++) {
        MessageDigest block = MessageDigest.getInstance("SHA-256");
        for (int t = 0; t < TOKENS; t++) {
          block.update(vector(example, layerIndex, t));
        }
        all.update(block.digest());
      }
    }
    assertThat(Cli.run("digest", Fixtures.small()).text())
        .isEqualTo(
            "sha256-blocks:%s examples=7 layers=13,21,23 tokens=10 dim=16%n"
                .formatted(HexFormat.of().formatHex(all.digest())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "convert",
        "convert a",
        "convert a b",
        "convert a b --to hdf5",
        "cat a",
        "cat a --example x",
        "inspect",
        "inspect a --nonsense"
      })
  void aWrongCommandLineGetsALineAndExitCode2(String line) {
    Object[] words = line.isEmpty() ? new Object[0] : line.split(" ");
    assertThat(Cli.run(words).failsAsUsage("--help)").stderr().lines()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'--help',Usage: saev-hadoop",
    "'convert --help','--batch-size=N'",
    "'cat --help','--example=N'",
    "'--version',saev-hadoop 0.1"
  })
  void helpIsThere(String line, String part) {
    Object[] words = line.split(" ");
    assertThat(Cli.run(words).succeeds().text()).contains(part);
  }

  @Test
  void genericOptionsAreTakenBeforeAndAfterTheCommand() throws Exception {
    String words = "convert a -D x=y b -Dz=1 --to saev -conf f -- -D q=r";
    GenericOptions options = GenericOptions.of(List.of(words.split(" ")));
    assertThat(String.join(" ", options.generic())).isEqualTo("-D x=y -D z=1 -conf f");
    assertThat(String.join(" ", options.rest())).isEqualTo("convert a b --to saev -- -D q=r");
    Configuration conf = new Configuration();
    Configuration own = HadoopOptions.add(List.of("-D", "my.key=7"), conf);
    assertThat(own.get("my.key")).isEqualTo("7");
    assertThat(conf.get("my.key")).as("that of other commands").isNull();
  }

  @Test
  void debugShowsWhereAndOtherwiseOneLineIsAll() {
    Path none = folder.resolve("none");
    Cli.run("inspect", none).failsWith(FileError.NOT_FOUND, none);
    assertThat(Cli.run("inspect", none, "--debug").stderr()).contains("\tat org.saevhadoop.");
  }

  @Test
  void progressLinesReportHowMuchHowFastAndHowLong() {
    assertThat(ProgressDisplay.Lines.line("convert", 3L << 30, 4L << 30, 10))
        .isEqualTo("convert: 3.0 GiB of 4.0 GiB, 75 %, 307.2 MiB/s, 3 s left");
    assertThat(ProgressDisplay.Lines.line("convert", 0, 4L << 30, 10))
        .isEqualTo("convert: 0 B of 4.0 GiB, 0 %, 0 B/s, ? s left");
  }

  /** A vector of the small fixture, by the specification's own arithmetic. */
  private static byte[] vector(int example, int layerIndex, int token) throws IOException {
    Path shard = Fixtures.small().resolve("acts00000" + example / 2 + ".bin");
    byte[] bytes = Files.readAllBytes(shard);
    int offset = ((example % 2 * 3 + layerIndex) * TOKENS + token) * DIM * 4;
    return java.util.Arrays.copyOfRange(bytes, offset, offset + DIM * 4);
  }
}
