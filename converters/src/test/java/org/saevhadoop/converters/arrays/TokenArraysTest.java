package org.saevhadoop.converters.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;

/** Token ids and masks beside activations, through all formats and back. */
@Tag("late")
class TokenArraysTest extends ConvertedDatasets {
  private static final Object[] LAYOUT = {
    "--tensor", "hidden_states=token,layer,dim", "--ragged", "pad:4"
  };
  private static final List<List<Long>> IDS =
      List.of(List.of(7L, 8L, 9L, -1L), List.of(5L, 6L, -1L, -1L), List.of(1L, 2L, 3L, 4L));
  private static final List<List<Long>> LOSS =
      List.of(List.of(0L, 0L, 1L, -1L), List.of(1L, 1L, -1L, -1L), List.of(0L, 1L, 0L, 1L));

  private Path requests;

  @BeforeEach
  void makeRequests() throws IOException {
    requests = Files.createDirectory(folder.resolve("requests"));
    for (int i = 0; i < IDS.size(); i++) {
      List<Long> ids = IDS.get(i).stream().filter(id -> id >= 0).toList();
      float[] values = new float[ids.size() * 4];
      for (int j = 0; j < values.length; j++) {
        values[j] = 100 * i + j;
      }
      long tokens = ids.size();
      Map<String, Found> tensors = new LinkedHashMap<>();
      tensors.put(
          "hidden_states", Found.of("F32", List.of(tokens, 2L, 2L), OwnArrays.bytes(values)));
      tensors.put("token_ids", Found.of("I64", List.of(tokens), longs(ids)));
      tensors.put(
          "loss_mask", Found.of("I64", List.of(tokens), longs(LOSS.get(i).subList(0, ids.size()))));
      NaiveTensors.write(requests.resolve("hs_" + (9 + i) + ".safetensors"), tensors);
    }
  }

  private static byte[] longs(List<Long> values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.size() * Long.BYTES);
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    values.forEach(bytes::putLong);
    return bytes.array();
  }

  private static byte[] allLongs(List<List<Long>> values) {
    return longs(values.stream().flatMap(List::stream).toList());
  }

  /** Returns the samples in the sidecars of a dataset. */
  private static List<String> samples(Path dataset) throws IOException {
    List<String> samples = new ArrayList<>();
    for (String name : files(dataset)) {
      if (name.endsWith(".examples.jsonl.gz")) {
        try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(dataset.resolve(name))),
                    StandardCharsets.UTF_8))) {
          lines.lines().map(line -> line.replaceFirst(".*?\"sample\": ", "")).forEach(samples::add);
        }
      }
    }
    return samples;
  }

  private static List<String> expected() {
    List<String> samples = new ArrayList<>();
    for (int i = 0; i < IDS.size(); i++) {
      samples.add(
          "{\"source_file\": \"hs_%d\", \"tokens\": {\"loss_mask\": %s, \"token_ids\": %s}}}"
              .formatted(9 + i, LOSS.get(i), IDS.get(i)));
    }
    return samples;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "saev --family x --ckpt y",
        "saev --family x --ckpt y --tokens-per-shard 8",
        "samediff",
        "safetensors --kv"
      })
  void formatsWithoutSuchArraysHaveThemAsSampleMetadata(String options) throws IOException {
    assertThat(samples(convert(requests, "out", options, LAYOUT))).isEqualTo(expected());
  }

  @Test
  void pickledShardsHaveThemInTheMetadataOfSamples() throws IOException {
    Path pickles = convert(requests, "pickles", "pickle", LAYOUT);
    assertThat(Cli.run("cat", pickles, "--sample-metadata").succeeds().text())
        .contains("\"token_ids\"", "hs_10", "[5,6,-1,-1]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "safetensors",
        "safetensors --columns acts",
        "safetensors --batch-size 2 --tail pad",
        "safetensors --batch-size 1 --dtype BF16",
        "safetensors -Dsaev.convert.plan=shuffle",
        "npy",
        "npy --max-npy-bytes 70"
      })
  void arraysOfFormatsThatHaveThemAreReadBack(String options) throws IOException {
    Path written = convert(requests, "written", options, LAYOUT);
    Path saev = convert(written, "saev", "saev --family x --ckpt y");
    assertThat(samples(saev)).isEqualTo(expected());
    assertThat(Cli.run("inspect", written, "--json").json().get("token_arrays"))
        .hasToString("[\"loss_mask\",\"token_ids\"]");
    Cli.run("verify", written, "--structure").findsNoProblem();
    if (options.contains("--dtype")) {
      return;
    }
    assertThat(digest(written)).isEqualTo(Cli.run("digest", requests, LAYOUT).succeeds().text());
  }

  @Test
  void safetensorsHaveATensorInEachFile() throws IOException {
    Path written = convert(requests, "written", "safetensors", LAYOUT);
    Map<String, Found> tensors = NaiveTensors.batches(written);
    assertThat(tensors.get("token_ids").shape()).containsExactly(3L, 4L);
    assertThat(tensors.get("token_ids").bytes()).isEqualTo(allLongs(IDS));
    assertThat(tensors.get("loss_mask").bytes()).isEqualTo(allLongs(LOSS));
    assertThat(samples(written)).hasSize(3).first().isEqualTo("{\"source_file\": \"hs_9\"}}");
    Path padded = convert(requests, "pad", "safetensors --batch-size 2 --tail pad", LAYOUT);
    byte[] last = NaiveTensors.file(NaiveTensors.parts(padded).get(1)).get("token_ids").bytes();
    assertThat(last).isEqualTo(longs(List.of(1L, 2L, 3L, 4L, -1L, -1L, -1L, -1L)));
  }

  @Test
  void numpyHasAFileBesideThoseOfLayers() throws IOException {
    Path written = convert(requests, "written", "npy", LAYOUT);
    byte[] file = Files.readAllBytes(written.resolve("token_ids.npy"));
    byte[] ids = allLongs(IDS);
    assertThat(file).endsWith(ids);
    assertThat(new String(file, StandardCharsets.ISO_8859_1)).contains("(3, 4)", "<i8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "npy",
        "safetensors",
        "saev --family x --ckpt y",
        "samediff",
        "parquet",
        "parquet --unit example"
      })
  void theyAreLeftOutWithTheSampleMetadata(String options) throws IOException {
    Cli cli =
        Cli.convert(requests, folder.resolve("out"), options + " --no-sample-metadata", LAYOUT)
            .succeeds();
    assertThat(cli.stderr()).contains("the sample metadata is left out");
    Path out = cli.lastLinePath();
    assertThat(samples(out)).isEmpty();
    assertThat(files(out)).doesNotContain("token_ids.npy");
    boolean hasArrays = List.of("npy", "safetensors", "parquet").contains(options.split(" ")[0]);
    assertThat(Cli.run("inspect", out, "--json").json().path("token_arrays"))
        .hasToString(hasArrays ? "[\"attention_mask\"]" : "");
    assertThat(Cli.run("stats", out).succeeds().text())
        .contains(hasArrays ? "layer 0: 9 vectors, padding 3" : "layer 0: 12 vectors\n");
    String warning = "the marks of padding are left out (--no-sample-metadata)";
    assertThat(cli.stderr().contains(warning)).isEqualTo(!hasArrays);
  }

  @Test
  void catPrintsThemWithTheSampleMetadata() throws IOException {
    Cli all = Cli.run("cat", requests, LAYOUT, "--sample-metadata");
    List<String> lines = all.succeeds().text().lines().toList();
    assertThat(lines).map(line -> line.replaceFirst(".*?\"sample\": ", "")).isEqualTo(expected());
    Path written = convert(requests, "cat", "npy", LAYOUT);
    Cli one = Cli.run("cat", written, "--sample-metadata", "--example", "1", "--json");
    assertThat(one.succeeds().text()).contains("\"example\": 1", "\"token_ids\": [5, 6, -1, -1]");
  }

  @Test
  void aSelectionHasTheIntegersOfItsTokens() throws IOException {
    Object[] part = {"--examples", "1:3", "--tokens", "1:3"};
    Path written = convert(requests, "written", "safetensors", LAYOUT, part);
    assertThat(NaiveTensors.batches(written).get("token_ids").bytes())
        .isEqualTo(longs(List.of(6L, -1L, 2L, 3L)));
    Path all = convert(requests, "all", "npy", LAYOUT);
    Path same = convert(all, "same", "safetensors", part);
    assertThat(NaiveTensors.batches(same).get("token_ids").bytes())
        .isEqualTo(longs(List.of(6L, -1L, 2L, 3L)));
  }

  @Test
  void masksLeaveOutTokensAsIsAsked() throws IOException {
    Object[] layout = {"--tensor", "hidden_states=token,layer,dim", "--mask", "loss_mask=drop"};
    Cli.run("digest", requests, layout).failsWith(DatasetError.RAGGED, requests);
    Path flat = convert(requests, "flat", "safetensors --ragged flatten", layout);
    Map<String, Found> tensors = NaiveTensors.batches(flat);
    assertThat(tensors.keySet()).doesNotContain("loss_mask");
    assertThat(tensors.get("token_ids").bytes()).isEqualTo(longs(List.of(9L, 5L, 6L, 2L, 4L)));
    assertThat(tensors.get("layer_1").bytes())
        .isEqualTo(OwnArrays.bytes(10, 11, 102, 103, 106, 107, 206, 207, 214, 215));
    Cli.run("digest", requests, layout, "--mask", "loss_mask=perhaps")
        .failsAsUsage("--mask", "NAME=drop or NAME=keep");
  }

  @Test
  void integersThatOtherProgramsPutNextToLayersAreThoseOfTokens() throws IOException {
    Path file = folder.resolve("other.safetensors");
    NaiveTensors.write(
        file,
        Map.of(
            "layer_0", Found.of("F32", List.of(1L, 1L, 1L), OwnArrays.bytes(1)),
            "token_ids", Found.of("I64", List.of(1L, 1L), longs(List.of(1L)))));
    Path out = folder.resolve("x");
    Cli.run("convert", file, out, "--to", "npy").succeeds();
    assertThat(Files.readAllBytes(out.resolve("token_ids.npy"))).endsWith(longs(List.of(1L)));
  }

  @Test
  void anIntegerThatNoSignedTypeHoldsIsRefusedAndNotReadAsPadding() throws IOException {
    Path file = folder.resolve("other.safetensors");
    NaiveTensors.write(
        file,
        Map.of(
            "layer_0", Found.of("F32", List.of(1L, 1L, 1L), OwnArrays.bytes(1)),
            "token_ids", Found.of("U64", List.of(1L, 1L), longs(List.of(-1L)))));
    Path out = folder.resolve("x");
    Cli.run("convert", file, out, "--to", "npy").failsWithText("the integer 18446744073709551615");
    Cli.run("convert", file, out, "--to", "npy", "--no-sample-metadata").succeeds();
  }
}
