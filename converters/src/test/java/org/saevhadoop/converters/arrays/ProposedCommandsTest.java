package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.tensor.DType;

/** The commands that {@code inspect} proposes, and their execution. */
@Tag("late")
class ProposedCommandsTest {
  private static final String PREFIX = "  saev-hadoop convert ";

  /** A word as a POSIX shell reads it. */
  private static final Pattern WORD = Pattern.compile("((?:[^'\\\\ ]|\\\\.|'[^']*')+) ?");

  private static final Pattern PART = Pattern.compile("\\\\(.)|'([^']*)'");

  @TempDir Path folder;
  private Path source;
  private int outputs;

  @BeforeEach
  void nameSource() {
    source = folder.resolve("own data's");
  }

  private void npy(String path, DType dtype, List<Long> shape) throws IOException {
    long values = shape.stream().reduce(1L, (a, b) -> a * b);
    byte[] bytes = new byte[(int) values * dtype.bits() / Byte.SIZE];
    OwnArrays.writeNpy(source.resolve(path), dtype, shape, bytes);
  }

  private void request(String name, int tokens, int layers) throws IOException {
    Files.createDirectories(source);
    float[] values = new float[tokens * layers * 4];
    OwnArrays.writeSafetensors(source.resolve(name), tokens, layers, 4, values);
  }

  /** Returns the options that inspect proposes, after those that are complete were used. */
  private List<String> proposed() {
    List<String> lines =
        Cli.run("inspect", source)
            .succeeds()
            .text()
            .lines()
            .filter(line -> line.startsWith(PREFIX))
            .toList();
    assertThat(lines).isNotEmpty();
    lines.forEach(this::execute);
    String to = " --to saev";
    return lines.stream().map(line -> line.substring(line.indexOf(to) + to.length())).toList();
  }

  private void execute(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line.strip().substring("saev-hadoop ".length()));
    while (word.find()) {
      words.add(
          PART.matcher(word.group(1))
              .replaceAll(
                  part ->
                      Matcher.quoteReplacement(
                          part.group(1) == null ? part.group(2) : part.group(1))));
    }
    assertThat(words.get(1)).isEqualTo(source.toString());
    words.set(2, folder.resolve("out" + outputs++).toString());
    Cli.run(words).succeeds();
  }

  @Test
  void requestsOfVllmAreConvertedAsProposed() throws IOException {
    request("hs_0.safetensors", 5, 3);
    request("hs_1.safetensors", 7, 3);
    String tensor = " --tensor hidden_states=token,layer,dim --ragged ";
    String model = " --family unknown --ckpt unknown";
    assertThat(proposed())
        .containsExactly(
            tensor + "flatten" + model, tensor + "truncate:5" + model, tensor + "pad:7" + model);
  }

  @Test
  void squareRequestsAreAskedForAndNeverRead() throws IOException {
    request("hs_0.safetensors", 3, 3);
    assertThat(proposed()).hasSize(2);
    Cli convert = Cli.convert(source, folder.resolve("out"), "safetensors");
    convert.failsWithText(
        "the dimensions of array hidden_states F32[3, 3, 4]", "; inspect proposes commands)");
    convert.failsWith(ArrayError.AMBIGUOUS, source.resolve("hs_0.safetensors"));
  }

  @Test
  void tokensThatAreNamedExamplesAreAWarningOnce() throws IOException {
    request("hs_0.safetensors", 5, 3);
    request("hs_1.safetensors", 5, 3);
    Object[] mapping = {"--tensor", "hidden_states=example,token,dim"};
    Cli convert = Cli.convert(source, folder.resolve("out"), "safetensors", mapping).succeeds();
    assertThat(convert.stderr().split("hidden_states=token,layer,dim is more likely", -1))
        .hasSize(2);
  }

  @Test
  void shardsThatAreNotReadAsShardsAreReportedAndReadAsArraysIfNamed() throws IOException {
    npy("layer_3.npy", DType.F32, List.of(2L, 3L, 4L));
    Path shards = folder.resolve("shards");
    Cli.convert(source, shards, "pickle", "--uncompressed").succeeds();
    Path shard = shards.resolve("shard_0001.pkl");
    String pickle = Files.readString(shard, StandardCharsets.ISO_8859_1);
    Files.writeString(shard, pickle.replace("layer_3", "later_3"), StandardCharsets.ISO_8859_1);
    Files.delete(shards.resolve("metadata.json"));
    source = shards;
    assertThat(Cli.run("inspect", source).succeeds().stderr())
        .contains("warning: " + shard + ": SCHEMA: 'later_3' is not a layer but has samples");
    assertThat(proposed()).allMatch(options -> options.startsWith(" --from npy"));
  }

  @Test
  void foldersOfHooksAreConvertedAsProposed() throws IOException {
    for (String hook : List.of("attn out", "mlp")) {
      npy(hook + "/chunk-0.npy", DType.F32, List.of(4L, 3L, 2L));
      npy(hook + "/chunk-1.npy", DType.F32, List.of(4L, 3L, 2L));
    }
    assertThat(proposed())
        .containsExactly(
            " --files '{hook}/chunk-{shard}.npy' --layer-names 'attn out,mlp'",
            " --files '{shard}/chunk-{example}.npy'",
            " --files '{shard}/chunk-{example}.npy' --tensor array=example,layer,dim",
            " --files '{shard}/chunk-{example}.npy' --tensor array=layer,example,dim");
    Cli.convert(source, folder.resolve("out"), "saev")
        .failsWithText("contains 2 datasets", "proposes commands)");
  }

  @Test
  void integersOfTwoBytesMayBeBfloat16() throws IOException {
    npy("a.npy", DType.I16, List.of(4L, 2L, 3L, 2L));
    assertThat(proposed())
        .containsExactly(
            " --dtype-stored BF16",
            " --dtype-stored BF16 --tensor array=layer,example,token,dim",
            " --dtype-stored BF16 --tensor array=example,token,layer,dim",
            " --dtype-stored BF16 --tensor array=example,token,dim,dim");
    Cli cli = Cli.convert(source, folder.resolve("x"), "saev --dtype-stored BF16").succeeds();
    assertThat(cli.stderr()).contains("source 96 B of bfloat16, target 192 B of float32");
  }

  @Test
  void eachCommandIsFollowedByTheShapeThatItReads() throws IOException {
    npy("a.npy", DType.F32, List.of(4L, 7L, 16L));
    Cli inspect = Cli.run("inspect", source).succeeds();
    assertThat(inspect.text().lines().filter(line -> line.startsWith("    ")))
        .containsExactly(
            "    4 examples of 1 layer and 7 tokens of dim 16",
            "    4 examples of 7 layers and 1 token of dim 16",
            "    7 examples of 4 layers and 1 token of dim 16");
    JsonNode json = Cli.run("inspect", source, "--json").json();
    assertThat(json.get("suggestion").findValuesAsText("examples")).containsExactly("4", "4", "7");
  }

  @Test
  void vectorsMayBeTokens() throws IOException {
    npy("a.npy", DType.F32, List.of(6L, 2L));
    assertThat(proposed()).containsExactly("");
  }

  @Test
  void safetensorsOfTransformerLensHaveTheLayersOfTheirNames() throws IOException {
    Files.createDirectories(source);
    OwnArrays.writeTensors(
        source.resolve("a.safetensors"),
        List.of("blocks.3.hook_resid_post", "blocks.11.hook_resid_post"),
        List.of(2L, 3L, 4L));
    assertThat(proposed()).containsExactly(" --family unknown --ckpt unknown");
    JsonNode report = Cli.run("inspect", source, "--json").json();
    assertThat(report.get("layers").toString()).isEqualTo("[3,11]");
    assertThat(report.at("/suggestion/0/command").textValue()).startsWith("saev-hadoop convert '");
  }

  @Test
  void aFileThatIsBeingWrittenIsRefusedByItsName() throws IOException {
    npy("a.npy", DType.F32, List.of(4L, 3L, 2L));
    Path lock = Files.createFile(source.resolve("a.npy.lock"));
    Cli.run("digest", source).succeeds(); // a lock without an owner
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      assertThat(channel.lock().isValid()).isTrue();
      Cli.run("digest", source).failsWith(ArrayError.BEING_WRITTEN, source.resolve("a.npy"));
    }
    Cli.run("digest", source).succeeds();
  }

  @Test
  void columnarFilesAreNamedForWhatTheyAre() throws IOException {
    Path arrow = Files.createDirectories(source.resolve("hook"));
    Files.writeString(arrow.resolve("data-00000-of-00001.arrow"), "x");
    Cli.run("inspect", arrow).failsWithText("ends within the length of a message, at byte 0");
    Path parquet = Files.createDirectories(folder.resolve("hub/data"));
    Files.writeString(parquet.resolve("train-0.parquet"), "PAR1");
    Files.writeString(parquet.resolveSibling("cache_activations_runner_cfg.json"), "{}");
    assertThat(Cli.run("inspect", parquet.getParent()).stderr())
        .contains("data/train-0.parquet: has 4 bytes (expected a Parquet file)");
    Files.createDirectories(folder.resolve("crash/.tmp_shards"));
    Cli.run("inspect", folder.resolve("crash")).failsWithText("of an unfinished run of SAELens");
  }

  @Test
  void theReportHasWhatIsThereByKind() throws IOException {
    request("hs_0.safetensors", 3, 3);
    Files.createFile(source.resolve("hs_0.safetensors.lock"));
    Files.writeString(source.resolve("chunk.meta.json"), "[]");
    JsonNode report = Cli.run("inspect", source, "--json").json();
    assertThat(report.get("contents").findValuesAsText("kind"))
        .containsExactly(
            "safetensors files (*.safetensors)",
            "lists of sample metadata (*.meta.json)",
            "locks of writers (*.lock)");
    assertThat(report.get("examples").longValue()).isEqualTo(1);
    assertThat(report.get("bytes_as_float32").longValue()).isEqualTo(3 * 3 * 4 * 4);
    assertThat(report.get("ambiguous")).hasSize(1);
    assertThat(report.get("suggestion")).hasSize(2);
  }

  @Test
  void datasetsBelowAFolderAreStillListed() throws IOException {
    npy("a.npy", DType.F32, List.of(2L, 2L));
    Path below = Files.createDirectories(folder.resolve("below"));
    for (String name : List.of("x", "y")) {
      Cli.convert(source.resolve("a.npy"), below.resolve(name), "safetensors").succeeds();
    }
    Cli inspect = Cli.run("inspect", below);
    assertThat(inspect.exitCode()).isEqualTo(1);
    assertThat(inspect.stderr()).contains("contains 2 datasets, but is not one itself");
  }

  @Test
  void masksOfExamplesOfOneTokenAreProposedToo() throws IOException {
    Files.createDirectories(source);
    for (long tokens = 2; tokens < 4; tokens++) {
      byte[] mask = new byte[(int) tokens];
      mask[0] = 1;
      Map<String, Found> tensors = new LinkedHashMap<>();
      byte[] values = new byte[(int) tokens * 16];
      tensors.put("hidden_states", Found.of("F32", List.of(2L, tokens, 2L), values));
      tensors.put("mask", Found.of("U8", List.of(tokens), mask));
      NaiveTensors.write(source.resolve("hs_%d.safetensors".formatted(tokens)), tensors);
    }
    assertThat(proposed())
        .anyMatch(o -> o.startsWith(" --tensor hidden_states=layer,example,dim --ragged flatten"));
  }
}
