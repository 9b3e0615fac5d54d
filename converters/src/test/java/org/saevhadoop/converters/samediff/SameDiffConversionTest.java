package org.saevhadoop.converters.samediff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.samediff.RealArray;
import org.saevhadoop.format.samediff.RealLoaderRules;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Conversions to SameDiff containers and back: what is written, and what comes back. */
@Tag("late")
@Tag("sampled")
class SameDiffConversionTest {
  private static final String SHUFFLE = " -Dsaev.convert.plan=shuffle";

  @TempDir Path folder;

  private static Cli convert(Path from, Path to, String options) {
    return Cli.run("convert", from, to, options.strip().split(" +")).succeeds();
  }

  /** Converts to a container that the real loaders open, and whose digest is that of the source. */
  private Path container(Path source, String name, String options) throws IOException {
    Path out = convert(source, folder.resolve(name), "--to samediff " + options).lastLinePath();
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
    assertThat(arrays(out)).isNotEmpty();
    return out;
  }

  private static List<RealArray> arrays(Path container) throws IOException {
    boolean sdz = Files.exists(container.resolve("activations.sdz"));
    return RealLoaderRules.ofOurs(container.resolve(sdz ? "activations.sdz" : "activations.sdnb"));
  }

  @ParameterizedTest
  @CsvSource({
    Fixtures.SMALL + ", ''",
    Fixtures.SMALL + ", --container sdz --max-shard-bytes 4000" + SHUFFLE,
    Fixtures.D768 + ", --max-shard-bytes 700000" + SHUFFLE,
    Fixtures.LEGACY + ", --container sdz --deflate --max-shard-bytes 1"
  })
  void aDirectoryOfSaevComesBackAsItWas(String hash, String options) throws IOException {
    Path source = Fixtures.labelled(hash, folder);
    Path container = container(source, "container", options);
    Path back = convert(container, folder.resolve("back"), "--to saev").lastLinePath();
    Fixtures.assertSameDataset(back, source);
    assertThat(ConvertTest.digest(back)).isEqualTo(ConvertTest.digest(source));
  }

  @Test
  void theFilesOfAContainerHaveTheNamesOfSameDiff() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    assertThat(ConvertTest.files(container(source, "single", "")))
        .containsExactly("activations.sdnb");
    assertThat(ConvertTest.files(container(source, "shards", "--max-shard-bytes 7000")))
        .containsExactly(
            "activations.shard0-of-4.sdnb",
            "activations.shard1-of-4.sdnb",
            "activations.shard2-of-4.sdnb",
            "activations.shard3-of-4.sdnb");
    assertThat(ConvertTest.files(container(source, "zip", "--container sdz")))
        .containsExactly("activations.sdz");
    Path named = folder.resolve("named");
    convert(source, named, "--to samediff --container-name run-7_b");
    assertThat(ConvertTest.files(named)).containsExactly("run-7_b.sdnb");
  }

  @Test
  void thereIsAnArrayForEachShardAndLayerAndOneOfLabels() throws IOException {
    NaiveActivations values = new NaiveActivations(5, List.of(3, 7), 4, 3, true, true);
    Path source = values.writeSaev(folder.resolve("source"));
    Path container = container(source, "container", "--max-shard-bytes 300");
    List<RealArray> arrays = arrays(container);
    assertThat(arrays)
        .extracting(RealArray::name)
        .containsExactlyInAnyOrder(
            "layer_3/shard_0",
            "layer_7/shard_0",
            "labels/shard_0",
            "layer_3/shard_1",
            "layer_7/shard_1",
            "labels/shard_1");
    RealArray last = named(arrays, "layer_7/shard_1");
    assertThat(last.dtype()).isEqualTo("FLOAT");
    assertThat(last.shape()).containsExactly(2L, 4L, 3L);
    assertThat(last.bytes()).endsWith(values.vector(4, 7, 3));
    RealArray labels = named(arrays, "labels/shard_1");
    assertThat(labels.dtype()).isEqualTo("UBYTE");
    assertThat(labels.shape()).containsExactly(2L, 3L);
    assertThat(labels.bytes())
        .startsWith(values.label(3, 0), values.label(3, 1), values.label(3, 2));
  }

  private static RealArray named(List<RealArray> arrays, String name) {
    return arrays.stream().filter(array -> array.name().equals(name)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--max-shard-bytes 300", "--container sdz --max-shard-bytes 90" + SHUFFLE})
  void sampleMetadataTravelsBesideTheFiles(String options) throws IOException {
    Path source =
        new NaiveActivations(7, List.of(3, 7), 4, 3, false, true)
            .writeSaev(folder.resolve("source"));
    Path container = container(source, "container", options);
    String expected = Cli.run("cat", source, "--sample-metadata").succeeds().text();
    assertThat(Cli.run("cat", container, "--sample-metadata").succeeds().text())
        .isEqualTo(expected);
    Path back = convert(container, folder.resolve("back"), "--to saev").lastLinePath();
    assertThat(Cli.run("cat", back, "--sample-metadata").succeeds().text()).isEqualTo(expected);
    Cli.assertSound(container);
  }

  @ParameterizedTest
  @CsvSource({
    "--dtype F16 --batch-size 3, --max-shard-bytes 2000, --batch-size 7",
    "--columns acts --batch-size 2, '', --columns acts --batch-size 4",
    "--kv, --max-shard-bytes 4000, --kv",
    "--dtype BF16, --container sdz --deflate, --batch-size 7"
  })
  void activationsOfSafetensorsComeBack(String written, String options, String back)
      throws IOException {
    Path saev = Fixtures.labelled(Fixtures.SMALL, folder);
    Path source = folder.resolve("source");
    convert(saev, source, "--to safetensors " + written);
    Path container = container(source, "container", options);
    Path again = folder.resolve("again");
    convert(container, again, "--to safetensors " + back);
    NaiveTensors.assertSame(tensors(again, back), tensors(source, written));
    assertThat(Cli.run("digest", again).lastLine()).isEqualTo(Cli.run("digest", source).lastLine());
  }

  private static Map<String, Found> tensors(Path dataset, String options) throws IOException {
    return options.contains("--kv") ? NaiveTensors.keys(dataset) : NaiveTensors.batches(dataset);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "--max-shard-bytes 60", "--container sdz --max-shard-bytes 20" + SHUFFLE})
  void tensorsOfEveryTypeComeBack(String options) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    int seed = 0;
    for (String type : "BOOL U8 I8 I16 U16 F16 BF16 I32 U32 F32 F64 I64 U64".split(" ")) {
      int width = type.equals("BOOL") ? 1 : Integer.parseInt(type.replaceAll("\\D", "")) / 8;
      byte[] values = new byte[3 * 2 * width];
      for (int i = 0; i < values.length; i++) {
        values[i] = (byte) (type.equals("BOOL") ? i % 2 : seed++ * 37);
      }
      tensors.put("x " + type, new Found(type, List.of(3L, 2L), values));
    }
    tensors.put("", Found.of("I8", List.of(3L), (byte) 1, (byte) 2, (byte) 3));
    tensors.put("none \u03bb/", new Found("F32", List.of(3L, 0L, 5L), new byte[0]));
    tensors.put("scalars", new Found("U8", List.of(3L), new byte[] {7, 8, 9}));
    Path file = folder.resolve("x.safetensors");
    NaiveTensors.write(file, tensors);
    Path container = container(file, "container", options);
    Path again = folder.resolve("again");
    convert(container, again, "--to safetensors");
    NaiveTensors.assertSame(NaiveTensors.batches(again), tensors);
  }

  @ParameterizedTest
  @CsvSource({
    "spec, --container sdz, spec",
    "spec, --max-shard-bytes 3000, real",
    "real_bf16, --container sdz --deflate, real"
  })
  void pickledShardsComeBack(String fixture, String options, String dialect) throws IOException {
    Path source = Fixtures.pickle(fixture);
    Path container = container(source, "container", options);
    Path again = folder.resolve("again");
    convert(container, again, "--to pickle --dialect " + dialect);
    String sampleMetadata = Cli.run("cat", source, "--sample-metadata").succeeds().text();
    assertThat(Cli.run("cat", container, "--sample-metadata").succeeds().text())
        .isEqualTo(sampleMetadata);
    assertThat(Cli.run("cat", again, "--sample-metadata").succeeds().text())
        .isEqualTo(sampleMetadata);
    assertThat(ConvertTest.digest(again)).isEqualTo(ConvertTest.digest(source));
  }

  @Property(tries = 60, sample = 8)
  void randomDatasetsComeBackFromRandomContainers(RandomValues any) throws IOException {
    boolean cls = any.bool();
    NaiveActivations values =
        new NaiveActivations(
            any.intBetween(1, 9),
            any.distinct(1, 3, layer -> layer, () -> any.intBetween(-3, 40)),
            any.intBetween(cls ? 2 : 1, 5),
            any.intBetween(1, 20),
            cls,
            any.bool());
    Path at = Files.createTempDirectory(folder, "random");
    Path source = values.writeSaev(at.resolve("source"));
    String options =
        any.of("", "--container sdz", "--container sdz --deflate")
            + any.of("", " --max-shard-bytes " + any.intBetween(1, 3000))
            + any.of("", SHUFFLE);
    Path container =
        convert(source, at.resolve("container"), "--to samediff " + options).lastLinePath();
    assertThat(arrays(container)).isNotEmpty();
    assertThat(Cli.run("digest", container).succeeds().lastLine())
        .isEqualTo(
            values.digestLine(
                numbers(values.examples()), values.layers(), numbers(values.tokens())));
    Path back = convert(container, at.resolve("back"), "--to saev").lastLinePath();
    assertThat(back.getFileName()).isEqualTo(source.getFileName());
    for (String name : List.of("acts000000.bin", "labels.bin")) {
      if (Files.exists(source.resolve(name))) {
        assertThat(back.resolve(name)).hasSameBinaryContentAs(source.resolve(name));
      }
    }
  }

  private static List<Integer> numbers(int count) {
    return Stream.iterate(0, i -> i + 1).limit(count).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--max-shard-bytes 4000",
        "--container sdz --max-shard-bytes 4000",
        "--container sdz --deflate --deflate-level 9"
      })
  void theSameConversionTwiceGivesTheSameBytesByEachPlan(String options) throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path first = container(source, "first", options);
    Path second =
        container(
            source,
            "second",
            options + SHUFFLE + " -Dmapreduce.input.fileinputformat.split.maxsize=2000");
    assertThat(ConvertTest.files(second)).isEqualTo(ConvertTest.files(first));
    for (String name : ConvertTest.files(first)) {
      assertThat(second.resolve(name)).hasSameBinaryContentAs(first.resolve(name));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-shard-bytes 4000", "--container sdz"})
  void theTimeOfCreationIsAnEntryOfTheMetadataAlone(String options) throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path plain = container(source, "plain", options);
    Path timed = container(source, "timed", options + " --creation-time 2026-01-31T12:00:00Z");
    JsonNode before = Cli.run("inspect", plain, "--json", "--digests").succeeds().json();
    JsonNode after = Cli.run("inspect", timed, "--json", "--digests").succeeds().json();
    assertThat(after.get("arrays")).isEqualTo(before.get("arrays"));
    assertThat(before.get("metadata").has("creation.time")).isFalse();
    assertThat(after.get("metadata").get("creation.time").asText()).isEqualTo("1769860800000");
    assertThat(after.get("metadata")).hasSize(before.get("metadata").size() + 1);
  }
}
