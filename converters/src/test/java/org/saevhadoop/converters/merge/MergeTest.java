package org.saevhadoop.converters.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.format.gzip.GzipError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.pickleshards.shard.ShardStart;
import org.saevhadoop.jobs.merge.MergeError;

/** Datasets of one format become one whose files are copies. */
class MergeTest extends ConvertedDatasets {
  private static final NaiveActivations WHOLE =
      new NaiveActivations(13, List.of(1, 3), 5, 16, true, true);

  private int rewritten;

  private Cli merge(Object... words) {
    return Cli.run("merge", words, "--no-fsync");
  }

  /** Merges datasets whose files cannot stay as they are. */
  private void rewritten(String why, Path a, Path b) throws IOException {
    Path out = folder.resolve("rewritten" + rewritten++);
    Cli cli = merge(a, b, out, "--verify").succeeds();
    assertThat(cli.stderr()).contains("merge: examples are rewritten: ").contains(why);
    assertThat(digest(cli.lastLinePath()))
        .isEqualTo(Cli.run("digest", a, "--with", b).succeeds().text());
    Cli.assertSound(cli.lastLinePath());
  }

  private Path whole() throws IOException {
    return WHOLE.writeSaev(folder.resolve("whole"));
  }

  /** Returns examples of the whole dataset as a dataset of their own. */
  private Path part(int from, int to, String format) throws IOException {
    return convert(whole(), "part" + from, format, "--examples", from + ":" + to);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          saev                                   | labels,sample
          safetensors --batch-size 3             | labels,sample
          safetensors --columns acts --align 256 | labels,sample
          safetensors --batch-size 3 --index     | labels,sample
          npy                                    | labels,sample
          npy --max-npy-bytes 1000               | labels,sample
          pickle                                | sample
          pickle --uncompressed                   | sample
          """)
  void theFilesOfMoreExamplesAreCopied(String format, String kinds) throws IOException {
    Path a = part(0, 8, format);
    Path b = part(8, 13, format);
    Path out = folder.resolve("out");
    Cli cli = merge(a, b, out, "--verify").succeeds();
    Path merged = cli.lastLinePath();
    assertThat(merged.startsWith(out)).isTrue();
    assertThat(DatasetContents.of(merged, folder).has(kinds.split(",")))
        .isEqualTo(DatasetContents.ofView(folder, a, b));
    Cli.assertSound(merged);
    assertThat(digest(merged)).isEqualTo(digest(whole()));
    assertThat(files(folder)).noneMatch(name -> name.startsWith("_"));
    Path again = merge(merged, folder.resolve("again")).succeeds().lastLinePath();
    assertThat(digest(again)).isEqualTo(digest(merged));
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "safetensors --batch-size 3", "safetensors --columns acts"})
  void whetherTokenZeroIsClsIsStillKnown(String format) throws IOException {
    Cli cli = merge(part(0, 8, format), part(8, 13, format), folder.resolve("out")).succeeds();
    assertThat(cli.stderr()).doesNotContain("left out");
    assertThat(digest(convert(cli.lastLinePath(), "some", "npy", "--tokens", "image")))
        .isEqualTo(digest(convert(whole(), "expected", "npy", "--tokens", "image")));
    assertThat(Cli.run("inspect", convert(cli.lastLinePath(), "saev", "saev")).succeeds().text())
        .contains("\"sources\":[{\"hash\":", "\"examples\":8,", "\"examples\":5,");
  }

  @Test
  void documentsThatWouldMakeHeadersTooLongAreLeftOutWithAWarning() throws IOException {
    Path metadata = whole().resolve("metadata.json");
    ObjectNode document = (ObjectNode) Fixtures.json(metadata);
    document.putObject("data").put("text", "x".repeat(3 << 19));
    Files.writeString(metadata, document.toString());
    Path a = convert(metadata.getParent(), "a", "safetensors --batch-size 1", "--examples", "0:8");
    Path b = convert(metadata.getParent(), "b", "safetensors --batch-size 1", "--examples", "8:13");
    Cli cli = merge(a, b, folder.resolve("out"), "--verify").succeeds();
    assertThat(cli.stderr()).contains("the documents [saev.metadata] of the sources differ");
    assertThat(digest(cli.lastLinePath())).isEqualTo(digest(metadata.getParent()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev", "saev --protocol 2.1", "saev --protocol legacy"})
  void theMetadataOfSaevListsTheSources(String format) throws IOException {
    Path a = part(0, 8, format);
    Path b = part(8, 13, format);
    Path out = merge(a, b, folder.resolve("out")).succeeds().lastLinePath();
    assertThat(hashOf(out)).isEqualTo(out.getFileName().toString());
    JsonNode document = Fixtures.json(out.resolve("metadata.json"));
    assertThat(document.findValues("n_imgs").toString() + document.findValues("n_examples"))
        .contains("13");
    String shown = Cli.run("inspect", out).succeeds().text();
    assertThat(shown).contains(a.getFileName().toString(), b.getFileName().toString());
    assertThat(merge(a, a, b, folder.resolve("other")).succeeds().lastLinePath().getFileName())
        .isNotEqualTo(out.getFileName());
    Path newest = convert(out, "newest", "saev --protocol 2.1");
    assertThat(digest(newest)).isEqualTo(digest(out)).isEqualTo(digest(whole()));
  }

  @Test
  void filesOfHadoopsTasksAreThoseOfThreads() throws IOException {
    for (String format : List.of("safetensors --batch-size 3", "pickle")) {
      Path a = convert(whole(), "a" + format, format, "--examples", "0:8");
      Path b = convert(whole(), "b" + format, format, "--examples", "8:13");
      String name = format.split(" ")[0];
      Path threads = merge(a, b, folder.resolve(name)).succeeds().lastLinePath();
      Path tasks =
          merge(a, b, folder.resolve(name + "2"), "--verify", "-Dsaev.input.local.runner=true")
              .succeeds()
              .lastLinePath();
      assertSameFiles(tasks, threads);
    }
  }

  private Path keyed(String name, String... ids) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (int i = 0; i < ids.length; i++) {
      tensors.put(ids[i] + "__layer_3", Found.of("U8", List.of(1L, 2L), (byte) i, (byte) 7));
    }
    Path loose = folder.resolve("loose " + name);
    NaiveTensors.write(Files.createDirectories(loose).resolve("a.safetensors"), tensors);
    return convert(loose, name, "safetensors --kv");
  }

  @Test
  void keysStayAndAreUnique() throws IOException {
    Path a = keyed("a", "x", "y", "z");
    Path b = keyed("b", "u", "v");
    Path out = folder.resolve("out");
    merge(a, b, out).succeeds();
    assertThat(DatasetContents.of(out, folder).has("ids"))
        .isEqualTo(DatasetContents.ofView(folder, a, b));
    Cli.assertSound(out);
    Cli.run("cat", out, "--key", "v__layer_3").succeeds();
    assertThat(files(out)).contains("_tensor_index.parquet");
    Path c = keyed("c", "w", "y");
    Path refused = folder.resolve("refused");
    merge(a, b, c, refused).failsWith(CombinationError.REPEATED_ID, c);
    assertThat(refused).doesNotExist();
    Path numbers = convert(whole(), "numbers", "safetensors --kv");
    rewritten("the ids of the examples change", numbers, numbers);
  }

  /** Writes two files without a manifest, each with a tensor of another layer. */
  private Path loose(String name, int first) throws IOException {
    Path loose = Files.createDirectories(folder.resolve(name));
    for (int i = 0; i < 2; i++) {
      Map<String, Found> tensors = new LinkedHashMap<>();
      for (int layer = 1; layer < 3; layer++) {
        byte[] values = {(byte) (first + i), 1, 2, (byte) layer};
        tensors.put("layer_" + layer, Found.of("U8", List.of(1L, 2L, 2L), values));
      }
      NaiveTensors.write(loose.resolve("f%d.safetensors".formatted(i)), tensors);
    }
    return loose;
  }

  @Test
  void filesOfOtherProgramsAreCopiedByteByByte() throws IOException {
    Path a = loose("a", 0);
    Path b = loose("b", 10);
    Path out = merge(a, b, folder.resolve("out"), "--verify").succeeds().lastLinePath();
    assertThat(DatasetContents.of(out, folder)).isEqualTo(DatasetContents.ofView(folder, a, b));
    List<String> names = files(out).stream().filter(name -> name.startsWith("part-")).toList();
    assertThat(names).hasSize(4);
    assertThat(out.resolve(names.get(3))).hasSameBinaryContentAs(b.resolve("f1.safetensors"));
    Cli.assertSound(out);
    Path own = convert(a, "own", "safetensors");
    rewritten("describes its tensors differently", own, b);
  }

  /** The values of a file may be in another order than this program writes them. */
  @Test
  void filesThatAnotherProgramHasWrittenAnewAreCopied() throws IOException {
    Path a = part(0, 8, "safetensors");
    Path b = part(8, 13, "safetensors");
    Path file = NaiveTensors.parts(b).get(0);
    List<Map.Entry<String, Found>> tensors = new ArrayList<>(NaiveTensors.file(file).entrySet());
    Collections.reverse(tensors);
    Map<String, Found> reversed = new LinkedHashMap<>();
    tensors.forEach(tensor -> reversed.put(tensor.getKey(), tensor.getValue()));
    Map<String, String> metadata = new LinkedHashMap<>();
    NaiveTensors.metadata(file)
        .properties()
        .forEach(field -> metadata.put(field.getKey(), field.getValue().textValue()));
    NaiveTensors.write(file, reversed, metadata);
    Files.delete(b.resolve("dataset_manifest.json"));
    Cli cli = merge(a, b, folder.resolve("out"), "--verify").succeeds();
    assertThat(cli.stderr()).doesNotContain("rewritten");
    assertThat(digest(cli.lastLinePath())).isEqualTo(digest(whole()));
    Cli.assertSound(cli.lastLinePath());
  }

  @Test
  void aFileWithoutTheMetadataOfTheOthersIsRewritten() throws IOException {
    Path a = part(0, 8, "safetensors --batch-size 3");
    Path b = part(8, 13, "safetensors");
    Path file = NaiveTensors.parts(a).get(1);
    NaiveTensors.write(file, NaiveTensors.file(file), Map.of());
    Files.delete(a.resolve("dataset_manifest.json"));
    Cli cli = merge(a, b, folder.resolve("out"), "--verify").succeeds();
    assertThat(cli.stderr()).contains("has no metadata");
    assertThat(digest(cli.lastLinePath())).isEqualTo(digest(whole()));
  }

  @Test
  void theIntegersOfTokensStay() throws IOException {
    for (String format : List.of("safetensors", "npy")) {
      Path tokens =
          convert(
                  Fixtures.arrays("vllm"),
                  format,
                  format,
                  "--ragged",
                  "pad:20",
                  "--tensor",
                  "hidden_states=token,layer,dim")
              .toAbsolutePath();
      Path out = merge(tokens, tokens, folder.resolve(format + "2")).succeeds().lastLinePath();
      assertThat(DatasetContents.of(out, folder).has("token_ids"))
          .isEqualTo(DatasetContents.ofView(folder, tokens, tokens));
    }
  }

  @Test
  void sampleMetadataThatOneSourceLacksIsKeptForTheOther() throws IOException {
    Path a = part(0, 8, "safetensors --batch-size 3");
    Path b = part(8, 13, "safetensors --no-sample-metadata");
    Path out = merge(a, b, folder.resolve("out")).succeeds().lastLinePath();
    assertThat(DatasetContents.of(out, folder)).isEqualTo(DatasetContents.ofView(folder, a, b));
    Cli samples = Cli.run("cat", out, "--sample-metadata").succeeds();
    assertThat(samples.text().lines())
        .hasSize((int) Cli.run("cat", a, "--sample-metadata").text().lines().count());
  }

  /** Only one source has the mask of the combined dataset as a file. */
  @Test
  void npyDatasetsOfDifferentIntegersAreRewritten() throws IOException {
    Path padded = Files.createDirectory(folder.resolve("padded"));
    for (int i = 0; i < 2; i++) {
      NaiveTensors.write(
          padded.resolve(i + ".safetensors"),
          Map.of("x", Found.of("F32", List.of(2L + i, 1L), new byte[4 * (2 + i)])));
    }
    Path b = convert(padded, "b", "npy --tensor x=token,dim --ragged pad:3");
    Path c = convert(padded.resolve("1.safetensors"), "c", "npy --tensor x=token,dim");
    rewritten("the sources have different per-token integers", b, c);
  }

  @Test
  void whatCannotBeCopiedIsRewritten() throws IOException {
    Path out = folder.resolve("out");
    Path a = part(0, 7, "saev");
    Path b = part(7, 13, "saev");
    rewritten("has only 1 of 2 examples, and examples of " + b, a, b);
    Cli plan = merge(a, b, out, "--dry-run").succeeds();
    assertThat(plan.stderr()).contains("examples are rewritten: the last shard of " + a);
    assertThat(plan.text()).contains("map-only");
    Path c = convert(whole(), "c", "saev --tokens-per-shard 1000");
    rewritten("has 100 examples per shard", b, c);
    Path d = convert(whole(), "d", "saev --family dinov2");
    rewritten("in the vit_family of", b, d);
    String small = "safetensors --batch-size 4";
    Path padded = convert(whole(), "padded", small + " --tail pad", "--examples", "0:7");
    Path tensors = convert(whole(), "tensors", small, "--examples", "7:13");
    rewritten("1 example of padding", padded, tensors);
    merge(tensors, padded, out).succeeds();
    Path halves = convert(whole(), "halves", "safetensors --dtype f16");
    rewritten("does not have the tensors and types of", tensors, halves);
  }

  @Test
  void parquetIsRewrittenAsItsSourcesAreStored() throws IOException {
    String bits = "parquet --dtype bf16 --vector-type bits --codec gzip";
    Path a = part(0, 8, bits);
    Path b = part(8, 13, bits);
    rewritten("has the number of its example in the whole dataset", a, b);
    assertThat(Cli.run("inspect", folder.resolve("rewritten0")).succeeds().text())
        .containsPattern("dtype +bfloat16\n")
        .containsPattern("vector_type +bits\n")
        .containsPattern("codec +gzip\n");
    Path lists = part(9, 13, "parquet --codec gzip");
    rewritten("Parquet", a, lists);
    assertThat(Cli.run("inspect", folder.resolve("rewritten1")).succeeds().text())
        .containsPattern("dtype +float32\n")
        .containsPattern("vector_type +list\n")
        .containsPattern("codec +gzip\n");
  }

  @Test
  void allConflictsAreListedBeforeAnythingIsWritten() throws IOException {
    Path a = part(0, 8, "npy");
    Path b = convert(whole(), "b", "npy --layers 1");
    Path c = convert(whole(), "c", "npy --tokens 1:5");
    Path out = folder.resolve("out");
    Cli cli = merge(a, b, c, out);
    cli.failsWithText(MergeError.CONFLICTS, "have 3 conflicts");
    assertThat(cli.stderr())
        .contains("has no layer 3 among layer 1", "has 4 tokens of dim 16", "[CLS]");
    assertThat(out).doesNotExist();
    merge(a, b, out).failsWith(CombinationError.COLUMNS_DIFFER, b);
    Path other = convert(whole(), "other", "safetensors");
    merge(a, other, out).failsWith(MergeError.FORMATS_DIFFER, other);
    Cli formats = merge(a, other, b, other, out);
    formats.failsWithText(MergeError.CONFLICTS, "have 3 conflicts");
    assertThat(formats.stderr())
        .contains("is a dataset in safetensors format (expected npy, like " + a, "has no layer 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--resume", "--dry-run", "--json", "--verify --dry-run"})
  void aForgottenDestinationIsNamed(String options) throws IOException {
    Path a = part(0, 8, "npy");
    Path b = part(8, 13, "npy");
    Path c = convert(whole(), "c", "safetensors");
    Object[] more = options.isEmpty() ? new Object[0] : options.split(" ");
    merge(a, b, more).failsWith(FileError.ALREADY_EXISTS, b);
    merge(c, folder.resolve("missing"), a, more)
        .failsWithText(FileError.ALREADY_EXISTS, "is a dataset in npy format and the last path");
    merge(a, more).failsAsUsage("DST is missing");
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    Path a = part(0, 8, "npy");
    Path b = part(8, 13, "npy");
    Path out = folder.resolve("out");
    List<String> before = files(folder);
    Cli cli = merge(a, b, out, "--dry-run").succeeds();
    assertThat(cli.text()).containsPattern("plan +copy, 1 task").containsPattern("writes +8 files");
    JsonNode json = merge(a, b, out, "--dry-run", "--json").succeeds().json();
    assertThat(json.get("plan").asText()).isEqualTo("copy");
    assertThat(json.get("files").asInt()).isEqualTo(8);
    assertThat(files(folder)).isEqualTo(before);
    JsonNode written = merge(a, b, out, "--json").succeeds().json();
    assertThat(written.get("examples").asInt()).isEqualTo(13);
    assertThat(written.get("files").asInt()).isEqualTo(8);
    assertThat(written.get("bytes").asLong()).isEqualTo(json.get("bytes_written").asLong());
  }

  /** Changes the configuration in a metadata.json of the specification. */
  private static void configure(Path dataset, String key, String value) throws IOException {
    Path file = dataset.resolve("metadata.json");
    ObjectNode document = (ObjectNode) Fixtures.json(file);
    ((ObjectNode) document.get("extraction_config")).put(key, value);
    ((ObjectNode) document.get("extraction_config").get("model_params")).put("vocab_size", value);
    new ObjectMapper().writeValue(file.toFile(), document);
  }

  @Test
  void theDocumentsOfMachinesBecomeOne() throws IOException {
    Path run = folder.resolve("run");
    for (int machine = 0; machine < 2; machine++) {
      String range = machine == 0 ? "0:8" : "8:13";
      Path own = convert(whole(), "run/machine_" + machine, "pickle", "--examples", range);
      Path file = own.resolve("metadata.json");
      ObjectNode document = (ObjectNode) Fixtures.json(file);
      document.putObject("distributed_config").put("machine_id", machine).put("total_machines", 2);
      ((ObjectNode) document.get("statistics")).put("extraction_duration_seconds", 1.5);
      new ObjectMapper().writeValue(file.toFile(), document);
    }
    Path out = merge(run, folder.resolve("out")).succeeds().lastLinePath();
    JsonNode document = Fixtures.json(out.resolve("metadata.json"));
    assertThat(document.get("distributed_config").toString()).isEqualTo("{\"total_machines\":2}");
    assertThat(document.get("statistics").get("total_samples").asInt()).isEqualTo(13);
    assertThat(document.get("statistics").get("extraction_duration_seconds").asDouble())
        .isEqualTo(3);
    assertThat(document.get("shards").findValuesAsText("filename"))
        .containsExactly("shard_0001.pkl.gz", "shard_0002.pkl.gz");
    assertThat(DatasetContents.of(out, folder)).isEqualTo(DatasetContents.ofView(folder, run));
  }

  @Test
  void unequalConfigurationsAreListed() throws IOException {
    Path a = part(0, 8, "pickle");
    Path b = part(8, 13, "pickle");
    configure(b, "model_name", "another");
    Path out = folder.resolve("out");
    Cli cli = merge(a, b, out);
    cli.failsWithText(MergeError.CONFLICTS, "have 2 conflicts");
    assertThat(cli.stderr())
        .contains("extraction_config.model_name \"another\"", "model_params.vocab_size");
    Path c = convert(whole(), "c", "pickle", "--examples", "4:9");
    rewritten("which may have the same ids", a, c);
    Files.delete(a.resolve("metadata.json"));
    rewritten("has no metadata.json", a, c);
    assertThat(out).doesNotExist();
  }

  /** Without a manifest, the keys of layers show the dialect. */
  @ParameterizedTest
  @CsvSource({"real, true, 1", "real, false, 1", "spec, false, layer_1"})
  void rewrittenPicklesKeepTheDialectOfTheSources(String dialect, boolean isListed, String key)
      throws IOException {
    Path a = part(0, 8, "pickle --uncompressed --dialect " + dialect);
    Path b = part(8, 13, "pickle --uncompressed --dialect " + dialect);
    for (Path part : isListed ? List.<Path>of() : List.of(a, b)) {
      Files.delete(part.resolve("metadata.json"));
    }
    Path out = merge(a, b, folder.resolve("out"), "--renumber").succeeds().lastLinePath();
    assertThat(digest(out)).isEqualTo(digest(whole()));
    String shard = files(out).stream().filter(name -> name.startsWith("shard_")).findFirst().get();
    assertThat(ShardStart.firstLayerKey(LocalFile.open(out.resolve(shard))).map(Object::toString))
        .contains(key);
  }

  @Test
  void pickledShardsOfDifferentTypesAreRewrittenInOneType() throws IOException {
    Path a = part(0, 8, "pickle");
    Path b = part(8, 13, "pickle --dtype f64");
    rewritten("has vectors of F64, and " + a + " of F32", a, b);
    Path out = convert(a, "converted", "pickle", "--with", b);
    assertThat(digest(out)).isEqualTo(Cli.run("digest", a, "--with", b).succeeds().text());
  }

  @Test
  void pickledShardsOfOtherLayersOfTheSameExamplesAreRewritten() throws IOException {
    Path a = convert(whole(), "a", "pickle --layers 1");
    Path b = convert(whole(), "b", "pickle --layers 3");
    Path out = folder.resolve("out");
    merge(a, b, out).failsWithText("has the layers [3] (expected [1], as in " + a);
    Cli cli = merge(a, b, out, "--combine", "layers").succeeds();
    assertThat(cli.stderr()).contains("other layers of the same examples");
    assertThat(digest(out)).isEqualTo(digest(whole()));
    Path c = part(0, 8, "pickle");
    Path d = part(8, 13, "pickle");
    Cli refused = merge(c, d, folder.resolve("never"), "--combine", "layers");
    assertThat(refused.exitCode()).isOne();
    assertThat(refused.stderr()).contains("has 5 examples (expected 8, as in " + c);
    assertThat(files(folder)).doesNotContain("never").noneMatch(name -> name.startsWith("_"));
  }

  @Test
  void jobsAndTheFailureAreInTheOrderOfTheSources() throws IOException {
    Path a = part(0, 8, "pickle");
    Path b = part(8, 13, "pickle");
    Path out = folder.resolve("out");
    JsonNode jobs = merge(a, b, out, "--renumber", "--verify", "--json").succeeds().json();
    assertThat(jobs.get("jobs").findValuesAsText("name").subList(0, 4))
        .containsExactly(
            "saev-hadoop unpack part0",
            "saev-hadoop unpack part8",
            "saev-hadoop verify part0",
            "saev-hadoop verify part8");
    for (Path source : List.of(a, b)) {
      Path shard = source.resolve("shard_0001.pkl.gz");
      byte[] bytes = Files.readAllBytes(shard);
      bytes[bytes.length - 1]++; // the recorded length
      Files.write(shard, bytes);
    }
    Cli broken = merge(b, a, folder.resolve("never"), "--renumber");
    assertThat(broken.exitCode()).isOne();
    assertThat(broken.stderr())
        .contains(b.resolve("shard_0001.pkl.gz") + ": " + GzipError.BAD_GZIP)
        .doesNotContain(a.toString());
    assertThat(files(folder)).noneMatch(name -> name.startsWith("_"));
  }
}
