package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.RequiresCorpus;

/** Every dataset that safetensors-spark left in the corpus, through the command line. */
@RequiresCorpus
class SparkCorpusIT extends ConvertedDatasets {
  /** Types whose numbers are float32 without loss. */
  private static final Set<String> EXACT = Set.of("F32", "F16", "BF16", "I8", "U8", "I16", "U16");

  static List<Arguments> cases() throws IOException {
    try (Stream<Path> folders = Files.list(Corpus.part("safetensors-spark"))) {
      return folders
          .filter(Files::isDirectory)
          .filter(f -> !f.endsWith("bad_outputs") && !f.endsWith("empty"))
          .sorted()
          .map(f -> Arguments.of(f.getFileName().toString(), f))
          .toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aCaseBecomesBatchesAndKeysWithTheSameNumbers(String name, Path dataset) throws IOException {
    assertAsInVerdicts(dataset);
    Map<String, Found> columns = columns(dataset);
    List<Object> separator = source(dataset);
    Path batches = convert(dataset, "batches", "safetensors --batch-size 7", separator);
    NaiveTensors.assertSame(NaiveTensors.batches(batches), columns);
    Path keys = convert(dataset, "keys", "safetensors --kv", separator);
    NaiveTensors.assertSame(
        NaiveTensors.keys(keys),
        isKeyed(dataset) ? renamed(NaiveTensors.keys(dataset), dataset) : rows(columns));
    assertThat(files(keys)).contains("_tensor_index.parquet");
    assertThat(files(batches)).doesNotContain("_tensor_index.parquet");
    // and from keys of our own back to batches, in whatever order keys lie
    Path again = convert(keys, "again", "safetensors", source(keys));
    assertThat(sortedRows(NaiveTensors.batches(again))).isEqualTo(sortedRows(columns));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void eachColumnOfACaseBecomesActivations(String name, Path dataset) throws IOException {
    for (Map.Entry<String, Found> entry : columns(dataset).entrySet()) {
      Found tensor = entry.getValue();
      String axes =
          switch (tensor.shape().size()) {
            case 2 -> "example,dim";
            case 3 -> "example,token,dim";
            case 4 -> "example,layer,token,dim";
            default -> null;
          };
      if (axes == null) {
        continue;
      }
      String options = "saev --overwrite --tail exact --family clip --ckpt " + name;
      Object[] more = {"--tensor", entry.getKey() + "=" + axes, source(dataset)};
      if (!EXACT.contains(tensor.dtype())) {
        Cli.convert(dataset, folder, options, more)
            .failsWithText(
                "is " + tensor.dtype() + ", which F32 cannot represent exactly", "--dtype F32");
        options += " --dtype F32";
      }
      Path saev = Cli.convert(dataset, folder, options, more).succeeds().lastLinePath();
      float[] expected = NaiveTensors.toFloats(tensor);
      assertThat(acts(saev)).isEqualTo(NaiveTensors.floats(expected));
      assertThat(Cli.run("inspect", saev, "--json").json().get("examples").asLong())
          .isEqualTo(tensor.shape().get(0));
    }
  }

  @Test
  void aDatasetWithoutExamplesIsRefused() {
    Cli.convert(Corpus.part("safetensors-spark/empty"), out(), "safetensors")
        .failsWithKind("NO_EXAMPLES", Corpus.part("safetensors-spark/empty"));
    assertThat(out()).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "dupl, FILES_DISAGREE",
    "dupx, DUPLICATE_ID",
    "failj, MISSING_FILE",
    "meta, InvalidHeaderDeserialization",
    "ragged, TensorInvalidInfo",
    "retype, TensorInvalidInfo",
    "shapes, TensorInvalidInfo"
  })
  void whatItsWriterBrokeIsRefusedWithTheReason(String name, String kind) {
    Path bad = Corpus.part("safetensors-spark/bad_outputs/" + name);
    Cli.convert(bad, out(), "safetensors").failsWithKind(kind, bad);
    Cli.convert(bad, out(), "safetensors --kv").failsWithKind(kind, bad);
    assertThat(out()).doesNotExist();
  }

  @Test
  void theLastOfTwoEqualKeysCountsIfItsUserAsksForIt() throws IOException {
    Path source = Corpus.part("safetensors-spark/bad_outputs/dupx");
    List<Path> parts = NaiveTensors.parts(source);
    Cli cli = Cli.convert(source, out(), "safetensors --kv --duplicates last-win").succeeds();
    assertThat(cli.stderr()).contains("warning: 1 example is left out");
    NaiveTensors.assertSame(NaiveTensors.keys(out()), NaiveTensors.file(parts.get(1)));
  }

  @Test
  void filesThatAnAppendHidIsWarnedOfAndPaddingCounts() throws IOException {
    Path app = Corpus.part("safetensors-spark/bad_outputs/app");
    Cli cli = Cli.convert(app, out(), "safetensors").succeeds();
    assertThat(cli.stderr())
        .contains("warning: files that dataset_manifest.json does not list are not read: [part-");
    NaiveTensors.assertSame(NaiveTensors.batches(out()), NaiveTensors.batches(app));
    Path pad = Corpus.part("safetensors-spark/bad_outputs/pad");
    Cli.convert(pad, out(), "safetensors --overwrite").succeeds();
    NaiveTensors.assertSame(NaiveTensors.batches(out()), NaiveTensors.batches(pad));
  }

  private Path out() {
    return folder.resolve("out");
  }

  /** The reference's own hashes of the tensors, as a check of the naive reader. */
  private static void assertAsInVerdicts(Path dataset) throws IOException {
    int checked = 0;
    for (String line : Files.readAllLines(dataset.resolveSibling("verdicts.jsonl"))) {
      JsonNode verdict = new ObjectMapper().readTree(line);
      Path file = dataset.resolveSibling(verdict.get("file").asText()).normalize();
      if (file.getParent().equals(dataset)) {
        Map<String, Found> found = NaiveTensors.file(file);
        assertThat(found).hasSize(verdict.get("tensors").size());
        for (JsonNode tensor : verdict.get("tensors")) {
          assertThat(sha256(found.get(tensor.get("name").asText()).bytes()))
              .isEqualTo(tensor.get("sha256").asText());
        }
        checked++;
      }
    }
    assertThat(checked).isEqualTo(NaiveTensors.parts(dataset).size());
  }

  private static boolean isKeyed(Path dataset) {
    return dataset.getFileName().toString().startsWith("k");
  }

  private static String separator(Path dataset) throws IOException {
    return NaiveTensors.keys(dataset).keySet().stream().allMatch(key -> key.contains("__"))
        ? "__"
        : "/";
  }

  private static List<Object> source(Path dataset) throws IOException {
    return isKeyed(dataset) && separator(dataset).equals("/")
        ? List.of("--from-separator", "/")
        : List.of();
  }

  private static Map<String, Found> renamed(Map<String, Found> keys, Path dataset)
      throws IOException {
    Map<String, Found> renamed = new LinkedHashMap<>();
    String separator = separator(dataset);
    for (Map.Entry<String, Found> entry : keys.entrySet()) {
      int cut = entry.getKey().lastIndexOf(separator);
      String column = entry.getKey().substring(cut + separator.length());
      renamed.put(entry.getKey().substring(0, cut) + "__" + column, entry.getValue());
    }
    return renamed;
  }

  /** Columns of all examples: those of keys in the order of their files. */
  private static Map<String, Found> columns(Path dataset) throws IOException {
    if (!isKeyed(dataset)) {
      return NaiveTensors.batches(dataset);
    }
    String separator = separator(dataset);
    Map<String, List<Found>> columns = new LinkedHashMap<>();
    NaiveTensors.keys(dataset)
        .forEach(
            (key, tensor) -> {
              String column = key.substring(key.lastIndexOf(separator) + separator.length());
              columns.computeIfAbsent(column, c -> new ArrayList<>()).add(tensor);
            });
    Map<String, Found> joined = new LinkedHashMap<>();
    columns.forEach(
        (column, tensors) -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          tensors.forEach(tensor -> bytes.writeBytes(tensor.bytes()));
          List<Long> shape = new ArrayList<>(tensors.get(0).shape());
          shape.add(0, (long) tensors.size());
          joined.put(column, new Found(tensors.get(0).dtype(), shape, bytes.toByteArray()));
        });
    return joined;
  }

  private static Map<String, Found> rows(Map<String, Found> columns) {
    Map<String, Found> rows = new LinkedHashMap<>();
    columns.forEach(
        (name, column) -> {
          List<Long> shape = column.shape().subList(1, column.shape().size());
          for (int i = 0; i < column.shape().get(0); i++) {
            rows.put(i + "__" + name, new Found(column.dtype(), shape, column.row(i)));
          }
        });
    return rows;
  }

  /** The examples, each with all its columns, in an order of their own. */
  private static List<String> sortedRows(Map<String, Found> columns) {
    int examples = columns.values().iterator().next().shape().get(0).intValue();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < examples; i++) {
      StringBuilder row = new StringBuilder();
      for (String name : columns.keySet().stream().sorted().toList()) {
        Found column = columns.get(name);
        row.append(name).append(column.dtype()).append(HexFormat.of().formatHex(column.row(i)));
      }
      rows.add(row.toString());
    }
    return rows.stream().sorted().toList();
  }

  private static byte[] acts(Path saev) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String name : files(saev)) {
      if (name.startsWith("acts")) {
        bytes.writeBytes(Files.readAllBytes(saev.resolve(name)));
      }
    }
    return bytes.toByteArray();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
