package org.saevhadoop.converters.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.WrittenBatches;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;

@Tag("late")
class ConvertPickleTest {
  private static final String CREATED = "-Dsaev.output.pickle.created=2026-01-31T12:00:00Z";

  /** 24 MB. */
  private static final Geometry LARGE = new Geometry(300, List.of(3, 7), 10, 1000);

  @TempDir Path folder;

  @Test
  void theFolderHasShardsAndTheirManifestAndNothingElseByEachPlan() throws Exception {
    Path source = invented(LARGE);
    Path out = toPickle(source, "out", CREATED, "--shard-mb", "10");
    assertThat(ConvertTest.files(out))
        .containsExactly(
            "metadata.json", "shard_0001.pkl.gz", "shard_0002.pkl.gz", "shard_0003.pkl.gz");
    JsonNode manifest = metadata(out);
    assertThat(manifest.get("created_at").textValue()).isEqualTo("2026-01-31T12:00:00Z");
    assertThat(manifest.get("statistics").get("total_samples").asInt()).isEqualTo(300);
    assertThat(manifest.get("shards")).hasSize(3);
    for (JsonNode shard : manifest.get("shards")) {
      byte[] bytes = Files.readAllBytes(out.resolve(shard.get("filename").textValue()));
      String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      assertThat(shard.get("checksum").textValue()).isEqualTo("sha256:" + sha256);
      assertThat(shard.get("size_bytes").asLong()).isEqualTo(bytes.length);
      assertThat(shard.get("compressed").asBoolean()).isTrue();
    }
    assertThat(manifest.get("shards").get(2).get("sample_id_range").toString())
        .isEqualTo("[250,299]");
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
    String plan = "-Dsaev.convert.plan=shuffle";
    ConvertTest.assertSameFiles(toPickle(source, "two", CREATED, "--shard-mb", "10", plan), out);
  }

  @Test
  void arraysOfDatasetsWithAndWithoutARecordedTypeHaveOneType() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    Path half = toPickle(source, "half", "--dtype", "F16");
    Path other =
        Cli.convert(source, folder.resolve("other"), "safetensors --dtype F16")
            .succeeds()
            .lastLinePath();
    String digest = Cli.run("digest", half, "--with", other).succeeds().text();
    assertThat(ConvertTest.digest(toPickle(half, "out", "--with", other.toString())))
        .isEqualTo(digest);
  }

  @Test
  void whereADatasetCameFromIsReported() throws IOException {
    Path out = toPickle(Fixtures.saev(Fixtures.SMALL), "out");
    JsonNode manifest = metadata(out);
    JsonNode saev = metadata(Fixtures.saev(Fixtures.SMALL));
    JsonNode config = manifest.get("extraction_config");
    assertThat(config.get("model_name")).isEqualTo(saev.get("vit_ckpt"));
    assertThat(config.get("model_architecture")).isEqualTo(saev.get("vit_family"));
    assertThat(config.get("model_params").get("hidden_size").asInt()).isEqualTo(16);
    assertThat(config.get("layers_extracted")).isEqualTo(saev.get("layers"));
    JsonNode before = metadata(Fixtures.pickle("spec"));
    JsonNode after = metadata(toPickle(Fixtures.pickle("spec"), "again"));
    for (String field : List.of("extraction_config", "distributed_config")) {
      assertThat(after.get(field)).isEqualTo(before.get(field));
    }
    assertThat(after.get("statistics").get("extraction_duration_seconds").asDouble())
        .isEqualTo(3600.5);
  }

  /** Runs of the same source, at different times and by way of another format. */
  @ParameterizedTest
  @ValueSource(strings = {"pickle", "safetensors --kv", "npy"})
  void theTimeOfCreationIsThatOfTheSource(String format) throws Exception {
    Path source = Fixtures.pickle("spec");
    Path between = convert(source, "between", format);
    Path one = toPickle(source, "one");
    assertThat(metadata(one).get("created_at").textValue()).isEqualTo("2025-01-09T12:00:00Z");
    Path two = toPickle(between, "two");
    ConvertTest.assertSameFiles(two, one);
  }

  @ParameterizedTest
  @CsvSource({"convert, spec, real", "convert, real, spec", "shuffle, spec, real"})
  void aNoteNamesTheProgramsThatReadADialect(String verb, String dialect, String other) {
    Object[] paths = {verb, Fixtures.pickle("spec"), folder.resolve("out")};
    String shown = Cli.run(paths, "--to=pickle", "--dialect=" + dialect).succeeds().stderr();
    assertThat(shown.replaceAll("\\s+", " "))
        .contains("note: dialect " + dialect + " is read by ", "--dialect " + other);
  }

  @Test
  void samplesThatAreReadOnlyWithAnOptionHaveNoDigestAndAreNotPublished() {
    Path out = folder.resolve("out");
    Cli cli =
        Cli.run(
            "convert", Fixtures.pickle("ragged"), out, "--to=pickle", "--ragged=pad:9", "--digest");
    cli.failsWithText("have different lengths");
    assertThat(cli.stderr()).contains(out + " is not published because its digest");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pad:9:-1.5", "pad:200"})
  void samplesThatWereFilledUpComeBackAsLongAsTheyWere(String ragged) {
    String saev = "saev --family f --ckpt c";
    Path padded = convert(Fixtures.pickle("ragged"), "between", saev, "--ragged", ragged);
    Path out = toPickle(padded, "out", "--dialect", "real");
    assertThat(listed(out)).isEqualTo(listed(Fixtures.pickle("ragged")));
  }

  /** In one command and in two, with the selection in the first or in the second. */
  @ParameterizedTest
  @ValueSource(strings = {"safetensors --kv", "saev --family f --ckpt c"})
  void samplesHaveTheTokensThatWereSelectedOfThem(String format) throws IOException {
    Path source = ofLengths(3, 6, 2, 6, 4);
    assertThat(tokens(source)).containsExactly(3, 6, 2, 6, 4);
    Path once = toPickle(source, "once", "--ragged", "pad:6", "--tokens", "2:5");
    assertThat(tokens(once)).containsExactly(1, 3, 0, 3, 2);
    Path padded = convert(source, "padded", format, "--ragged", "pad:6");
    Path second = toPickle(padded, "second", "--tokens", "2:5");
    Path part = convert(source, "part", format, "--ragged", "pad:6:9", "--tokens", "2:5");
    Path first = toPickle(part, "first");
    Path inner = convert(padded, "inner", format, "--tokens", "1:5");
    Path last = toPickle(inner, "last", "--tokens", "-3:");
    for (Path out : List.of(second, first, last)) {
      assertThat(listed(out)).isEqualTo(listed(once));
    }
    assertThat(tokens(toPickle(padded, "gaps", "--tokens", "0,3,5")))
        .containsExactly(1, 3, 1, 3, 2);
    assertThat(tokens(toPickle(padded, "end", "--tokens", "-2:"))).containsExactly(0, 2, 0, 2, 0);
    assertThat(listed(toPickle(padded, "whole"))).isEqualTo(listed(source));
  }

  @Test
  void aSampleWithoutTokensIsRefusedByTheRealDialectAndNamed() throws IOException {
    Path source = ofLengths(3, 6, 2, 6, 4);
    Path out = folder.resolve("out");
    String[] part = "--to pickle --ragged pad:6 --tokens 2:5 --dialect real".split(" ");
    Cli refused =
        Cli.run("convert", source, out, part)
            .failsWith(ShardError.NOT_RESTORABLE, "shard_0001.pkl.gz");
    assertThat(refused.stderr())
        .containsOnlyOnce("example 2, sample 12 of layer 3 has no tokens (expected at least one");
    assertThat(out).doesNotExist();
    assertThat(
            tokens(
                toPickle(
                    source, "some", "--ragged", "pad:6", "--tokens", "1:5", "--dialect", "real")))
        .containsExactly(2, 4, 1, 4, 3);
  }

  /** Shards of samples 10, 11, ... of layers 3 and 7. */
  private Path ofLengths(int... lengths) throws IOException {
    Geometry geometry = new Geometry(lengths.length, List.of(3, 7), 6, 4);
    Path padded = invented(geometry);
    try (SidecarWriter sidecar = sidecar(padded, lengths.length)) {
      for (int i = 0; i < lengths.length; i++) {
        sidecar.write(
            new ExampleMetadata(
                i,
                ("{\"sample_idx\":%d,\"activation\":{\"dtype\":\"float32\",\"shape\":[%d,4]},"
                        + "\"shape\":{\"$tuple\":[%d,4]}}")
                    .formatted(10 + i, lengths[i], lengths[i])));
      }
    }
    return toPickle(padded, "ragged");
  }

  /** Returns the number of tokens of each sample, in layer 7. */
  private static List<Integer> tokens(Path shards) {
    return listed(shards).stream()
        .filter(line -> line.contains("\"layer\":7,"))
        .map(line -> Integer.valueOf(line.replaceFirst(".*\"shape\":\\[(\\d+),4\\].*", "$1")))
        .toList();
  }

  @Test
  void samplesThatWereCutStayCutAndThatIsReported() {
    Path cut =
        convert(Fixtures.pickle("ragged"), "between", "safetensors", "--ragged", "truncate:2");
    List<String> lines = listed(toPickle(cut, "out"));
    assertThat(lines).hasSize(36).allMatch(line -> line.contains("\"shape\":[2,16]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", "real"})
  void samplesThatSeveralMachinesHaveNumberedAreNumberedAnew(String dialect) throws IOException {
    Path machines = folder.resolve("machines");
    for (String examples : List.of("0:2", "2:4")) {
      Cli.convert(Fixtures.small(), folder.resolve("npy" + examples), "npy --examples " + examples)
          .succeeds();
      Path machine = machines.resolve("machine_" + examples.charAt(0));
      Cli.convert(folder.resolve("npy" + examples), machine, "pickle").succeeds();
      Files.delete(machine.resolve("metadata.json"));
    }
    Path out = folder.resolve("numbered");
    String options = "pickle --sample-ids directory --verify --dialect " + dialect;
    Cli cli = Cli.convert(machines, out, options).succeeds();
    assertThat(cli.stderr())
        .contains("a sample_idx occurs twice: each sample_idx becomes the number of its example");
    assertThat(Cli.run("digest", out).succeeds().lastLine())
        .isEqualTo(Cli.run("digest", Fixtures.small(), "--examples", "0:4").lastLine());
    Cli.assertSound(out);
  }

  @Test
  void tokensThatBecameExamplesNameTheirSample() {
    Path tokens =
        convert(Fixtures.pickle("ragged"), "between", "safetensors", "--ragged", "flatten");
    List<String> lines = listed(toPickle(tokens, "out"));
    assertThat(lines).allMatch(line -> line.contains("\"shape\":[1,16]"));
    assertThat(lines).anyMatch(line -> line.contains("\"layer\":12,\"sample_idx\":60,"));
  }

  @Test
  void aNumberThatIsNoMoreWhatItWasIsAnErrorAndNothingIsPublished() throws IOException {
    Geometry geometry = new Geometry(3, List.of(3, 7), 2, 4);
    Path source = invented(geometry);
    try (SidecarWriter sidecar = sidecar(source, 3)) {
      for (int example = 0; example < 3; example++) {
        String text =
            "{\"sample_idx\":%d,\"activation\":{\"dtype\":\"bfloat16\",\"shape\":{\"$tuple\":[2,4]}}}";
        sidecar.write(new ExampleMetadata(example, text.formatted(5 + example)));
      }
    }
    Path out = folder.resolve("out");
    Cli.run("convert", source, out, "--to", "pickle")
        .failsWith(ShardError.NOT_RESTORABLE, "shard_0001.pkl.gz");
    assertThat(ConvertTest.files(folder)).containsExactly(source.getFileName().toString());
    for (String dtype : List.of("float32", "bfloat16")) {
      assertThat(listed(toPickle(source, dtype, "--dtype", dtype)))
          .hasSize(6)
          .allMatch(line -> line.contains("\"dtype\":\"" + dtype + "\""));
    }
  }

  @Test
  void aDatasetIsReplacedOnlyWhereThatIsAsked() throws IOException {
    Path source = Fixtures.saev(Fixtures.SMALL);
    Path out = toPickle(source, "out", "--uncompressed");
    Cli.run("convert", source, out, "--to", "pickle").failsWith(FileError.ALREADY_EXISTS, "out");
    assertThat(toPickle(source, "out", "--overwrite")).isEqualTo(out);
    assertThat(ConvertTest.files(out)).containsExactly("metadata.json", "shard_0001.pkl.gz");
    Files.createDirectories(folder.resolve("other/things"));
    Files.write(folder.resolve("other/shard.txt"), new byte[1]);
    Cli.run("convert", source, folder.resolve("other"), "--to", "pickle", "--overwrite")
        .failsWith(FileError.NOT_REPLACEABLE, "other");
  }

  @ParameterizedTest
  @CsvSource({
    "--pickle-protocol 3, --pickle-protocol is 3 (expected 2; 4 or 5)",
    "--shard-mb 9, --shard-mb is 9 (expected 10 to 2000)",
    "--shard-mb 2001, --shard-mb is 2001 (expected 10 to 2000)",
    "--compression-level 10, --compression-level is 10 (expected auto; or 0 to 9)",
    "--uncompressed --single-member, --single-member and --uncompressed exclude each other",
    "--uncompressed --compression-level 1, --uncompressed excludes",
    "--dialect python, --dialect is \"python\" (expected spec or real)"
  })
  void aWrongOptionIsReportedBeforeAnythingIsDone(String options, String problem)
      throws IOException {
    Path out = folder.resolve("x");
    String[] words = ("--to pickle " + options).split(" ");
    Cli cli = Cli.run("convert", Fixtures.saev(Fixtures.SMALL), out, words).failsAsUsage();
    assertThat(cli.stderr()).contains(problem.replace(';', ','));
    assertThat(ConvertTest.files(folder)).isEmpty();
  }

  @Test
  void optionsOfOtherFormatsAreWarnedOf() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    String[] words = "--to pickle --protocol 2.1 --tail exact --kv".split(" ");
    Cli pickle = Cli.run("convert", source, folder.resolve("p"), words).succeeds();
    assertThat(pickle.stderr())
        .contains(
            "warning: --protocol has no effect with --to pickle",
            "warning: --tail has no effect with --to pickle",
            "warning: --kv has no effect with --to pickle",
            "warning: the labels are left out");
    Cli saev =
        Cli.run("convert", source, folder.resolve("s"), "--to", "saev", "--shard-mb", 20)
            .succeeds();
    assertThat(saev.stderr()).contains("warning: --shard-mb has no effect with --to saev");
  }

  private Path invented(Geometry geometry) throws IOException {
    Path source = folder.resolve("source");
    InventedFiles.write(
        WrittenBatches.plan(geometry, Columns.LAYERS, 1000, Provenance.NONE),
        new LocalFolder(source));
    return source;
  }

  /** Returns a writer of sample metadata beside the one file of a dataset. */
  private static SidecarWriter sidecar(Path dataset, long examples) throws IOException {
    String data =
        ConvertTest.files(dataset).stream()
            .filter(name -> name.endsWith(".safetensors"))
            .findFirst()
            .orElseThrow();
    return new SidecarWriter(new LocalFolder(dataset), data, 0, examples);
  }

  private static JsonNode metadata(Path dataset) throws IOException {
    return Fixtures.json(dataset.resolve("metadata.json"));
  }

  private Path toPickle(Path source, String name, String... options) {
    return convert(source, name, "pickle", options);
  }

  private Path convert(Path source, String name, String to, String... options) {
    return Cli.run("convert", source, folder.resolve(name), "--to", to.split(" "), options)
        .succeeds()
        .lastLinePath();
  }

  /** A line for each array, without its place. */
  private static List<String> listed(Path dataset) {
    return Cli.run("list", dataset, "--json", "--digests")
        .succeeds()
        .text()
        .lines()
        .map(line -> line.replaceAll("\"(file|shard|path)\":\"[^\"]*\",?", ""))
        .sorted()
        .toList();
  }
}
