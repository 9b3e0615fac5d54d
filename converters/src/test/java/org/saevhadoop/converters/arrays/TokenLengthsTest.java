package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.tensor.DType;

/**
 * Token ids and masks whose length is not that of the vectors, in all commands. vLLM writes such
 * files with prefix caching (vllm #44485).
 */
@Tag("late")
class TokenLengthsTest extends ConvertedDatasets {
  private static final Object[] LAYOUT = {
    "--tensor", "hidden_states=token,layer,dim", "--ragged", "flatten"
  };
  private static final String LEAVE_OUT = "--no-sample-metadata";
  private static final List<String> COMMANDS =
      List.of(
          "convert --to npy",
          "convert --to saev --family x --ckpt y",
          "convert --to npy --dry-run",
          "shuffle --to npy",
          "shuffle --to npy --dry-run",
          "stats",
          "digest",
          "inspect");

  private static byte[] longs(long first, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      bytes.putLong(first + i);
    }
    return bytes.array();
  }

  /** Writes files of 3, 2 and 4 tokens, one with integers for one token more. */
  private Path requests(String name, int bad, String... integers) throws IOException {
    Path requests = Files.createDirectory(folder.resolve(name));
    int[] lengths = {3, 2, 4};
    for (int i = 0; i < lengths.length; i++) {
      Map<String, Found> tensors = new LinkedHashMap<>();
      float[] values = new float[lengths[i] * 4];
      for (int j = 0; j < values.length; j++) {
        values[j] = 100 * i + j + 1;
      }
      tensors.put(
          "hidden_states",
          Found.of("F32", List.of((long) lengths[i], 2L, 2L), OwnArrays.bytes(values)));
      for (String array : integers) {
        int count = lengths[i] + (i == bad ? 1 : 0);
        tensors.put(array, Found.of("I64", List.of((long) count), longs(10L * i + 1, count)));
      }
      NaiveTensors.write(requests.resolve("hs_%d.safetensors".formatted(i)), tensors);
    }
    return requests;
  }

  private Cli run(String command, Path source, Object... more) {
    List<Object> words = new ArrayList<>(List.of((Object[]) command.split(" ")));
    words.add(1, source);
    if (command.startsWith("convert") || command.startsWith("shuffle")) {
      words.add(2, folder.resolve("out" + command.hashCode() + more.length));
    }
    return Cli.run(words, LAYOUT, more);
  }

  @ParameterizedTest
  @CsvSource({"token_ids, 0", "token_ids, 1", "input_ids, 2", "attention_mask, 1", "mask, 2"})
  void eachCommandNamesTheFileAndBothLengths(String name, int bad) throws IOException {
    Path requests = requests("requests", bad, name);
    Path file = requests.resolve("hs_%d.safetensors".formatted(bad));
    int tokens = List.of(3, 2, 4).get(bad);
    String text =
        ("%s: array %s has the shape [%d], but the tokens of array hidden_states have the shape"
                + " [%d] (expected the same shape; --no-sample-metadata ignores this array)")
            .formatted(file, name, tokens + 1, tokens);
    for (String command : COMMANDS) {
      run(command, requests).failsWithText(ArrayError.BAD_SHAPE, text);
    }
    assertThat(files(folder)).containsExactly("requests");
    for (String structure : List.of("verify", "verify --structure")) {
      Cli verify = run(structure, requests);
      assertThat(verify.exitCode()).isEqualTo(1);
      assertThat(verify.text()).contains("error BAD_SHAPE " + text);
    }
    Cli diff = Cli.run("diff", requests, requests, LAYOUT);
    assertThat(diff.exitCode()).isEqualTo(3);
    assertThat(diff.stderr()).contains(text);
  }

  @ParameterizedTest
  @CsvSource({
    "token_ids, npy; safetensors; pickle; samediff; saev --family x --ckpt y",
    "attention_mask, npy"
  })
  void theVectorsAreReadWithoutThem(String name, String formats) throws IOException {
    Path requests = requests("requests", 1, name);
    Path plain = requests("plain", 1);
    String line = "hs_1.safetensors: array %s has the shape [3]".formatted(name);
    for (String command : COMMANDS) {
      Cli cli = run(command, requests, LEAVE_OUT).succeeds();
      boolean isSilent = command.equals("digest") || command.contains("--dry-run");
      assertThat(isSilent || (cli.text() + cli.stderr()).contains(line)).as(command).isTrue();
    }
    Cli verify = run("verify", requests, LEAVE_OUT).succeeds();
    assertThat(verify.text()).contains("warning UNUSUAL", line, "18 vectors");
    String digest = run("digest", plain).succeeds().text();
    assertThat(run("digest", requests, LEAVE_OUT).text()).isEqualTo(digest);
    for (String to : formats.split("; ")) {
      Path out = convert(requests, to.split(" ")[0], to, LAYOUT, LEAVE_OUT);
      assertThat(digest(out)).isEqualTo(digest);
      assertThat(Cli.run("inspect", out, "--json").json().has("token_arrays")).isFalse();
    }
    JsonNode stats = run("stats --json", requests, LEAVE_OUT).json();
    assertThat(stats.get("layers").get(0).get("vectors").asLong()).isEqualTo(9);
  }

  @Test
  void otherIntegersAreLeftOutWithALine() throws IOException {
    Path requests = requests("requests", 1, "loss_mask");
    String line = "array loss_mask has the shape [3], but the tokens of array hidden_states have";
    Cli convert = run("convert --to npy", requests).succeeds();
    assertThat(convert.stderr()).containsOnlyOnce(line);
    assertThat(files(convert.lastLinePath())).doesNotContain("loss_mask.npy");
    Cli shuffle = run("shuffle --to npy --layers 0", requests).succeeds();
    assertThat(shuffle.stderr()).containsOnlyOnce(line);
    assertThat(Cli.run("inspect", shuffle.lastLinePath(), "--json").json().get("examples").asLong())
        .isEqualTo(9);
    assertThat(run("verify", requests).succeeds().text()).containsOnlyOnce(line);
  }

  @Test
  void whatInspectProposesCanBePasted() throws IOException, InterruptedException {
    Path requests = requests("requests", 1, "token_ids");
    Cli inspect = Cli.run("inspect", requests).succeeds();
    assertThat(inspect.text())
        .contains(
            "hs_1.safetensors: array token_ids has the shape [3], but the tokens of array"
                + " hidden_states have the shape [2]",
            "--tensor hidden_states=token,layer,dim --no-sample-metadata --ragged flatten");
    ProposedCommand first = ProposedCommand.of(requests).get(0);
    Path out = first.run(folder.resolve("pasted"), "npy");
    assertThat(digest(out)).isEqualTo(run("digest", requests, LEAVE_OUT).text());
  }

  @Test
  void layersThatAreJoinedMustBeOfTheSameTokens() throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    for (int layer = 0; layer < 2; layer++) {
      NaiveTensors.write(
          source.resolve("layer_%d.safetensors".formatted(layer)),
          Map.of(
              "acts", Found.of("F32", List.of(1L, 3L, 2L), OwnArrays.bytes(1, 2, 3, 4, 5, 6)),
              "tokens", Found.of("I64", List.of(1L, 3L), longs(5 + layer, 3))));
    }
    Object[] layout = {
      "--files", "layer_{layer}.safetensors", "--tensor", "acts=example,token,dim"
    };
    String text =
        source.resolve("layer_1.safetensors")
            + ": array tokens has 6 at example 0, token 0, but tokens of layer_0.safetensors has 5";
    for (String command : List.of("stats", "digest", "inspect")) {
      Cli.run(command, source, layout).failsWithText(ArrayError.DIFFERENT_TOKENS, text);
    }
    Path out = folder.resolve("out");
    Cli.convert(source, out, "npy", layout).failsWithText(ArrayError.DIFFERENT_TOKENS, text);
    Cli.run("shuffle", source, out, layout).failsWithText(ArrayError.DIFFERENT_TOKENS, text);
    assertThat(Cli.run("verify", source, layout).text()).contains("error DIFFERENT_TOKENS " + text);
    Cli left = Cli.convert(source, out, "npy", layout, LEAVE_OUT).succeeds();
    assertThat(left.stderr()).contains(text);
    assertThat(files(out)).doesNotContain("tokens.npy");
    assertThat(Cli.run("inspect", out, "--json").json().get("layers")).hasToString("[0,1]");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void compressedArraysAreComparedWhenTheyAreStaged(boolean isEqual) throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    for (int layer = 0; layer < 2; layer++) {
      Map<String, byte[]> entries = new LinkedHashMap<>();
      byte[] acts = OwnArrays.bytes(1, 2, 3, 4, 5, 6);
      entries.put("acts", OwnArrays.npy(DType.F32, List.of(1L, 3L, 2L), acts));
      byte[] ids = longs(isEqual ? 5 : 5 + layer, 3);
      entries.put("token_ids", OwnArrays.npy(DType.I64, List.of(1L, 3L), ids));
      OwnArrays.zip(source.resolve("layer_%d.npz".formatted(layer)), entries);
    }
    Object[] layout = {"--tensor", "acts=example,token,dim"};
    Cli.run("inspect", source, layout).succeeds(); // reads headers only
    Cli cli = Cli.convert(source, folder.resolve("out"), "npy", layout);
    if (isEqual) {
      assertThat(files(cli.succeeds().lastLinePath())).contains("token_ids.npy");
    } else {
      cli.failsWithText(ArrayError.DIFFERENT_TOKENS, "array token_ids has 6 at example 0, token 0");
    }
    assertThat(Cli.run("verify", source, layout).exitCode()).isEqualTo(isEqual ? 0 : 1);
  }

  @Test
  void theOptionDoesNotChangeHowOwnDatasetsAreRead() throws IOException {
    Path written = convert(Fixtures.small(), "written", "safetensors");
    Cli.run("verify", written, LEAVE_OUT).succeeds();
    assertThat(Cli.run("digest", written, LEAVE_OUT).succeeds().text())
        .isEqualTo(digest(Fixtures.small()));
    OwnArrays.writeNpy(
        folder.resolve("a.npy"), DType.F32, List.of(2L, 1L, 4L), new byte[2 * 4 * Float.BYTES]);
    Cli.run("digest", folder.resolve("a.npy"), LEAVE_OUT).succeeds();
  }

  @Test
  @RequiresCorpus
  void filesOfVllmAreReadOrRefusedAsTheCorpusSays() throws IOException {
    Path one = Corpus.part("arrays/k09-0");
    JsonNode known = Fixtures.json(one.resolve("case.json"));
    List<String> options = new ArrayList<>();
    known.get("opts").forEach(option -> options.add(option.asText()));
    Cli cli = Cli.convert(one.resolve("in"), folder.resolve("out"), "npy", options);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.stderr()).containsPattern(known.get("refuse").asText());
    Cli.convert(one.resolve("in"), folder.resolve("out"), "npy", options, LEAVE_OUT).succeeds();
  }
}
