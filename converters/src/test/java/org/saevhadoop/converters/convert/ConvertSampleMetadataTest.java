package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.gzip.GzipError;
import org.saevhadoop.format.samples.SidecarError;

/** Attributes of examples travel through every conversion, beside whatever files it writes. */
@Tag("late")
class ConvertSampleMetadataTest extends ConvertedDatasets {
  private static final String SUFFIX = ".examples.jsonl.gz";

  /** Of the fixture with two examples a file; the last file has none. */
  private static final String[] LINES = {
    "{\"example\": 0, \"sample\": {\"sample_idx\":9007199254740993, \"text_preview\":\"\\ud800 \u00e9\"}}\n"
        + "{\"example\":1, \"position\":0, \"sample\":{\"b\":1e400,\"a\":[1.10,-0]}}\n",
    "{\"example\": 0, \"count\": 2, \"position\": 1, \"sample\": {\"b\":1e400,\"a\":[1.10,-0]}}\n",
    "{\"example\":1,\"sample\":{\"metadata\":{\"k\":[{},[],null,true,\"\\n\"]}}}\n"
  };

  @ParameterizedTest
  @CsvSource({
    "--batch-size 3,map-only",
    "--batch-size 3 --columns acts,shuffle",
    "--batch-size 4 --tail pad,map-only",
    "--kv,map-only",
    "--kv -Dsaev.output.header.bytes=1000,shuffle"
  })
  void aRoundTripGivesTheSameSampleMetadata(String options, String plan) throws IOException {
    Path source = described();
    List<String> expected = sampleMetadata(source);
    String key = "-Dsaev.convert.plan=" + plan;
    Path tensors = convert(source, "tensors", "safetensors", options.split(" "), key);
    assertThat(byExample(sampleMetadata(tensors))).isEqualTo(byExample(expected));
    Path back = convert(tensors, "a", "saev", key);
    assertThat(sampleMetadata(back)).isEqualTo(expected);
    assertThat(files(back)).contains("acts000002" + SUFFIX).doesNotContain("acts000003" + SUFFIX);
    Fixtures.assertSameDataset(back, Fixtures.small());
    Path longer = convert(tensors, "b", "saev --tokens-per-shard 120", key);
    assertThat(byExample(sampleMetadata(longer))).isEqualTo(byExample(expected));
    Cli.run("verify", tensors, "--structure").findsNoProblem();
    assertThat(digest(tensors)).isEqualTo(digest(source));
  }

  @Test
  void sampleMetadataOfExamplesThatAreDroppedGoWithThem() throws IOException {
    Path source = described();
    Path tensors = convert(source, "tensors", "safetensors --batch-size 2 --tail drop");
    assertThat(byExample(sampleMetadata(tensors))).isEqualTo(byExample(sampleMetadata(source)));
    Cli.convert(source, tensors, "safetensors --batch-size 5 --tail drop --overwrite").succeeds();
    Map<Long, JsonNode> expected = byExample(sampleMetadata(source));
    assertThat(expected.keySet()).containsExactly(0L, 1L, 2L, 3L, 5L);
    expected.remove(5L);
    assertThat(byExample(sampleMetadata(tensors))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-only", "shuffle"})
  void sampleMetadataFollowTheirKeysIntoTheOrderInWhichFilesHoldThem(String plan)
      throws IOException {
    assertFollow(plan, 700, List.of("q", "b", "z", "a"), List.of("m", "c", "y"));
    assertFollow(plan, 100_000, List.of("5", "6", "70"), List.of("1", "2", "30", "4"));
    if (plan.equals("map-only")) {
      assertFollow(plan, 100_000, List.of("q", "b", "z", "a"), List.of("m", "c", "y"));
      assertFollow(plan, 100_000, List.of("5", "6", "70"), List.of("1", "2", "30", "04"));
    }
  }

  /** The number of each example in its data is the one in its sample metadata. */
  private void assertFollow(String plan, int headerBytes, List<String> first, List<String> second)
      throws IOException {
    Path at = folder.resolve(headerBytes + first.get(0) + second.get(second.size() - 1));
    Path source = at.resolve("source");
    keyed(source, "a", first, 10);
    keyed(source, "b", second, 20);
    assertAligned(source, at.resolve("plain"), 7);
    Path keys = at.resolve("keys");
    Cli.convert(source, keys, "safetensors --kv", settings(plan, headerBytes)).succeeds();
    assertAligned(keys, at.resolve("batches"), 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-only", "shuffle"})
  void anExampleThatAnotherOfItsKeyWinsTakesItsSampleMetadataWithIt(String plan)
      throws IOException {
    Path source = folder.resolve("source");
    keyed(source, "a", List.of("k", "l", "m"), 10);
    keyed(source, "b", List.of("l", "n"), 20);
    keyed(source, "c", List.of("l", "k"), 30);
    for (int headerBytes : List.of(1, 100_000)) {
      String options = "safetensors --kv --duplicates last-win";
      Path keys = convert(source, "keys" + headerBytes, options, settings(plan, headerBytes));
      assertAligned(keys, folder.resolve("batches" + headerBytes), 4);
    }
  }

  @Test
  void theyAreLeftOutOnlyIfAskedAndAMessageIsPrinted() throws IOException {
    Path source = described();
    Path out = folder.resolve("out");
    Cli cli = Cli.convert(source, out, "safetensors --no-sample-metadata").succeeds();
    assertThat(cli.stderr())
        .contains("warning: the sample metadata is left out (--no-sample-metadata)");
    assertThat(files(out)).noneMatch(name -> name.endsWith(SUFFIX));
    Cli plain =
        Cli.convert(Fixtures.small(), out, "safetensors --no-sample-metadata --overwrite")
            .succeeds();
    assertThat(plain.stderr()).doesNotContain("warning: ");
    // others than the source's can be named
    String key = "-Dsaev.output.sample.metadata=";
    Cli.convert(Fixtures.small(), out, "safetensors --overwrite", key + source).succeeds();
    assertThat(byExample(sampleMetadata(out))).isEqualTo(byExample(sampleMetadata(source)));
    Path five = Fixtures.saev(Fixtures.D768);
    Cli.convert(source, out, "safetensors --overwrite", key + five)
        .failsWith(DatasetError.SAMPLE_METADATA_MISMATCH, five);
  }

  @ParameterizedTest
  @ValueSource(strings = {"map-only", "shuffle"})
  void aBrokenSidecarFailsTheConversionAndNothingIsWritten(String plan) throws IOException {
    Path source = described();
    write(source.resolve("acts000001" + SUFFIX), "{\"example\":2,\"sample\":{}}");
    Path out = folder.resolve("out");
    String key = "-Dsaev.convert.plan=" + plan;
    Cli.convert(source, out, "safetensors", key)
        .failsWith(SidecarError.BAD_SIDECAR, source.resolve("acts000001" + SUFFIX));
    assertThat(out).doesNotExist();
    Path sidecar = source.resolve("acts000001" + SUFFIX);
    write(sidecar, LINES[1]);
    byte[] whole = Files.readAllBytes(sidecar);
    for (int cut : List.of(1, 8, whole.length / 2, whole.length)) {
      Files.write(sidecar, Arrays.copyOf(whole, whole.length - cut));
      String format = cut % 2 == 0 ? "safetensors" : "saev";
      Cli.convert(source, out, format, key).failsWith(GzipError.TRUNCATED, sidecar);
      assertThat(out).doesNotExist();
    }
  }

  @Test
  void inspectAndCatShowThem() throws IOException {
    Path source = described();
    String shown = Cli.run("inspect", source).succeeds().text();
    assertThat(shown).containsPattern("sample_metadata +true");
    JsonNode json = Cli.run("inspect", source, "--json").succeeds().json();
    assertThat(json.has("sample_metadata")).isFalse();
    assertThat(json.get("warnings")).isEmpty();
    assertThat(Cli.run("inspect", Fixtures.small()).text())
        .containsPattern("sample_metadata +false");

    assertThat(Cli.run("cat", source, "--sample-metadata", "--example", 3).succeeds().text())
        .isEqualTo(
            "{\"example\": 3, \"position\": 2, \"sample\": {\"b\":1e400,\"a\":[1.10,-0]}}\n");
    assertThat(Cli.run("cat", source, "--sample-metadata").succeeds().text().lines()).hasSize(4);
    Cli.run("cat", source, "--sample-metadata", "--example", 4)
        .failsWith(DatasetError.NO_SAMPLE_METADATA, source);
    Cli.run("cat", source, "--sample-metadata", "--example", 7)
        .failsWith(DatasetError.BAD_SELECTION, source);
    Path bare = Fixtures.small();
    Cli.run("cat", bare, "--sample-metadata").failsWith(DatasetError.NO_SAMPLE_METADATA, bare);
    Cli.run("cat", source, "--sample-metadata", "--index", 3).failsAsUsage();
    Cli.run("cat", source).failsAsUsage();
  }

  @Test
  void aCheckReportsEachBrokenSidecar() throws IOException {
    Path tensors = convert(described(), "tensors", "safetensors --batch-size 2");
    List<Path> sidecars = new ArrayList<>();
    for (Path part : NaiveTensors.parts(tensors).subList(0, 2)) {
      String name = part.getFileName().toString().replace(".safetensors", SUFFIX);
      sidecars.add(tensors.resolve(name));
      write(tensors.resolve(name), "{}");
    }
    Cli cli = Cli.run("verify", tensors, "--structure");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.errors())
        .extracting(line -> line.replaceFirst("error \\w+ ", ""))
        .containsExactly(
            sidecars.get(0) + ": line 1 has no field example",
            sidecars.get(1) + ": line 1 has no field example");
    assertThat(Cli.run("inspect", tensors, "--json").succeeds().json().get("warnings")).isEmpty();
  }

  @Test
  void oneFileOfManyHasItsOwn() throws IOException {
    Path tensors = convert(described(), "tensors", "safetensors --batch-size 2");
    Path second = NaiveTensors.parts(tensors).get(1);
    Path out = convert(second, "out", "safetensors --batch-size 1");
    assertThat(byExample(sampleMetadata(out))).isEqualTo(byExample(sampleMetadata(second)));
    assertThat(byExample(sampleMetadata(second)).keySet()).containsExactly(0L, 1L);
  }

  /** A dataset whose data tell the number that is in the sample metadata of their example. */
  private static void keyed(Path source, String file, List<String> ids, int firstNumber)
      throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    StringBuilder lines = new StringBuilder();
    List<String> order = new ArrayList<>(ids);
    if (ids.stream().allMatch(id -> id.matches("0|[1-9][0-9]*"))) {
      order.sort(Comparator.comparing(Long::valueOf));
    }
    for (int i = 0; i < ids.size(); i++) {
      byte number = (byte) (firstNumber + i);
      tensors.put(ids.get(i) + "__x", Found.of("U8", List.of(1L), number));
      tensors.put(ids.get(i) + "__y", Found.of("U8", List.of(2L), number, number));
      int n = firstNumber + ids.indexOf(order.get(i));
      lines.append("{\"example\":%d,\"sample\":{\"n\":%d}}\n".formatted(i, n));
    }
    NaiveTensors.write(source.resolve(file + ".safetensors"), tensors);
    write(source.resolve(file + SUFFIX), lines.toString());
  }

  private static void assertAligned(Path dataset, Path batches, int examples) throws IOException {
    Cli.convert(dataset, batches, "safetensors").succeeds();
    byte[] data = NaiveTensors.batches(batches).get("x").bytes();
    assertThat(data).hasSize(examples);
    Map<Long, JsonNode> sampleMetadata = byExample(sampleMetadata(dataset));
    assertThat(sampleMetadata).hasSize(examples);
    for (int i = 0; i < examples; i++) {
      assertThat(sampleMetadata.get((long) i).get("sample").get("n").asInt()).isEqualTo(data[i]);
    }
    assertThat(byExample(sampleMetadata(batches))).isEqualTo(sampleMetadata);
  }

  private Path described() throws IOException {
    Path source = Fixtures.copy(Fixtures.SMALL, folder);
    for (int i = 0; i < LINES.length; i++) {
      write(source.resolve("acts00000" + i + SUFFIX), LINES[i]);
    }
    return source;
  }

  private static void write(Path sidecar, String lines) throws IOException {
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(sidecar)), StandardCharsets.UTF_8)) {
      out.write(lines);
    }
  }

  /** As the command tells them, with the dataset's numbers. */
  private static List<String> sampleMetadata(Path dataset) {
    return Cli.run("cat", dataset, "--sample-metadata").succeeds().text().lines().toList();
  }

  /** Wherever lines are cut: what each example has. */
  private static Map<Long, JsonNode> byExample(List<String> lines) throws IOException {
    Map<Long, JsonNode> all = new TreeMap<>();
    for (String line : lines) {
      var json = (ObjectNode) new ObjectMapper().readTree(line);
      // as it was written, which parsed numbers do not tell
      String sample = line.substring(line.indexOf("\"sample\": ") + 10, line.length() - 1);
      long count = json.path("count").asLong(1);
      for (long i = 0; i < count; i++) {
        var one = json.deepCopy().put("text", sample);
        one.remove("count");
        one.put("example", json.get("example").asLong() + i);
        if (json.has("position")) {
          one.put("position", json.get("position").asLong() + i);
        }
        all.put(one.get("example").asLong(), one);
      }
    }
    return all;
  }
}
