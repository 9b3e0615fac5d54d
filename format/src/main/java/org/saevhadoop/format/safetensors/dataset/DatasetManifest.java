package org.saevhadoop.format.safetensors.dataset;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.tensor.DType;

/**
 * The {@code dataset_manifest.json} of a dataset in the layout of safetensors-spark, format version
 * 1.0: the files and the number of examples in each.
 *
 * @param shards the files, in the order of their examples
 */
record DatasetManifest(List<Entry> shards) {
  static final String FILE = "dataset_manifest.json";

  private static final String SAMPLES = "total_samples";
  private static final String BYTES = "total_bytes";

  /** Fields that the schema requires and readers ignore. */
  private static final List<String> TOTALS = List.of("safetensors_version", SAMPLES, BYTES);

  private static final Set<DType> DTYPES =
      EnumSet.of(
          DType.F16,
          DType.F32,
          DType.F64,
          DType.BF16,
          DType.U8,
          DType.I8,
          DType.U16,
          DType.I16,
          DType.U32,
          DType.I32,
          DType.U64,
          DType.I64);

  /**
   * A file.
   *
   * @param examples the number of examples in the file; {@link #UNKNOWN} without a manifest
   * @param bytes the length of the file in bytes, including the header
   */
  record Entry(String name, long examples, long bytes) {
    static final long UNKNOWN = -1;
  }

  /**
   * Parses the text of a manifest. The schema is ignored, because the headers of the files define
   * it.
   */
  static DatasetManifest parse(String path, byte[] text) throws IOException {
    return parse(path, text, new HashMap<>());
  }

  /**
   * Reads the manifest of a folder and checks it against its JSON Schema (safetensors-spark, {@code
   * dataset_manifest.schema.json}), and its totals against the sums of its entries.
   *
   * @return the manifest; empty if it cannot be parsed
   */
  static Optional<DatasetManifest> check(Folder folder, List<FormatException> problems)
      throws IOException {
    String path = folder.path(FILE);
    Map<String, String> totals = new HashMap<>();
    try {
      byte[] text = TensorFiles.MANIFEST_LIMITS.read(folder, FILE);
      DatasetManifest manifest = parse(path, text, totals);
      manifest.check(path, totals, problems);
      return Optional.of(manifest);
    } catch (FormatException e) {
      problems.add(e);
      return Optional.empty();
    }
  }

  private void check(String path, Map<String, String> totals, List<FormatException> problems) {
    if (shards.isEmpty()) {
      problems.add(
          TensorDatasetError.BAD_MANIFEST.in(path, "shards is empty (expected at least one file)"));
    }
    for (Entry entry : shards) {
      if (!entry.name().endsWith(SafetensorsTable.SUFFIX)) {
        problems.add(
            TensorDatasetError.BAD_MANIFEST.in(
                path,
                "shard_path is %s (expected a name that ends in %s)",
                JsonText.show(entry.name()),
                SafetensorsTable.SUFFIX));
      }
    }
    Map<String, String> sums =
        Map.of(
            SAMPLES, Long.toString(total(Entry::examples)),
            BYTES, Long.toString(total(Entry::bytes)));
    for (String key : TOTALS) {
      String sum = sums.getOrDefault(key, "1.0");
      String source = key.startsWith("total") ? ", the sum over shards" : "";
      String found = totals.get(key);
      if (found == null) {
        problems.add(
            TensorDatasetError.BAD_MANIFEST.in(
                path, "field %s is missing (expected %s%s)", key, sum, source));
      } else if (!found.equals(sum)) {
        problems.add(
            TensorDatasetError.BAD_MANIFEST.in(
                path, "%s is %s (expected %s%s)", key, JsonText.show(found), sum, source));
      }
    }
  }

  private long total(ToLongFunction<Entry> number) {
    return shards.stream().mapToLong(number).sum();
  }

  /** Parses the text of a manifest and keeps the fields of {@link #TOTALS}. */
  private static DatasetManifest parse(String path, byte[] text, Map<String, String> totals)
      throws IOException {
    return Jackson.readObject(
        TensorDatasetError.BAD_MANIFEST,
        path,
        () -> Jackson.MAPPER.createParser(text),
        json -> parse(path, json, totals));
  }

  private static DatasetManifest parse(String path, JsonParser json, Map<String, String> totals)
      throws IOException {
    List<Entry> shards = null;
    boolean versioned = false;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      JsonToken value = json.nextToken();
      if (key.equals("format_version")) {
        TensorDatasetError.BAD_MANIFEST.check(!versioned, path, "format_version occurs twice");
        TensorDatasetError.BAD_MANIFEST.check(
            value == JsonToken.VALUE_STRING && json.getText().equals("1.0"),
            path,
            "format_version is %s (expected \"1.0\")",
            json.getText());
        versioned = true;
      } else if (key.equals("shards")) {
        TensorDatasetError.BAD_MANIFEST.check(shards == null, path, "shards occurs twice");
        TensorDatasetError.BAD_MANIFEST.check(
            value == JsonToken.START_ARRAY, path, "shards is not a list");
        shards = parseShards(path, json);
      } else {
        if (TOTALS.contains(key)) {
          totals.put(key, json.getText());
        }
        json.skipChildren();
      }
    }
    TensorDatasetError.BAD_MANIFEST.check(
        versioned, path, "field format_version is missing (expected \"1.0\")");
    if (shards == null) {
      throw TensorDatasetError.BAD_MANIFEST.in(path, "field shards is missing");
    }
    return new DatasetManifest(shards);
  }

  private static List<Entry> parseShards(String path, JsonParser json) throws IOException {
    List<Entry> shards = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      TensorDatasetError.BAD_MANIFEST.check(
          json.currentToken() == JsonToken.START_OBJECT,
          path,
          "shard %d is not an object",
          shards.size());
      String name = null;
      long examples = -1;
      long bytes = -1;
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String key = json.currentName();
        JsonToken value = json.nextToken();
        if (key.equals("shard_path") && value == JsonToken.VALUE_STRING) {
          checkOnce(name == null, path, key, shards.size());
          name = json.getText();
        } else if (key.equals("samples_count") && value == JsonToken.VALUE_NUMBER_INT) {
          checkOnce(examples < 0, path, key, shards.size());
          examples = json.getLongValue();
        } else if (key.equals("bytes") && value == JsonToken.VALUE_NUMBER_INT) {
          checkOnce(bytes < 0, path, key, shards.size());
          bytes = json.getLongValue();
        } else {
          json.skipChildren();
        }
      }
      if (name == null || examples < 0 || bytes < 0) {
        throw TensorDatasetError.BAD_MANIFEST.in(
            path, "shard %d lacks shard_path, samples_count or bytes", shards.size());
      }
      TensorDatasetError.BAD_MANIFEST.check(
          !name.isEmpty() && !name.contains("/") && !name.contains("\\") && !name.startsWith("."),
          path,
          "shard_path \"%s\" is not a plain file name",
          name);
      shards.add(new Entry(name, examples, bytes));
    }
    return shards;
  }

  private static void checkOnce(boolean holds, String path, String key, int shard)
      throws FormatException {
    TensorDatasetError.BAD_MANIFEST.check(holds, path, "shard %d has %s twice", shard, key);
  }

  /**
   * Returns the document in the format of safetensors-spark.
   *
   * @param tensors the tensors of one file, whose shapes are used for all files; null to omit the
   *     schema. The schema is also omitted if a dtype is unknown to safetensors-spark, whose JSON
   *     Schema forbids it
   */
  byte[] text(@Nullable List<TensorInfo> tensors) throws IOException {
    ObjectNode root = Jackson.MAPPER.createObjectNode();
    root.put("format_version", "1.0");
    root.put("safetensors_version", "1.0");
    root.put(SAMPLES, total(Entry::examples));
    root.put(BYTES, total(Entry::bytes));
    ArrayNode list = root.putArray("shards");
    for (Entry shard : shards) {
      list.addObject()
          .put("shard_path", shard.name())
          .put("samples_count", shard.examples())
          .put("bytes", shard.bytes());
    }
    if (tensors != null && tensors.stream().allMatch(t -> DTYPES.contains(t.dtype()))) {
      ObjectNode schema = root.putObject("schema");
      for (TensorInfo tensor : tensors) {
        ObjectNode column = schema.putObject(tensor.name()).put("dtype", tensor.dtype().name());
        ArrayNode shape = column.putArray("shape");
        tensor.shape().forEach(shape::add);
      }
    }
    return Jackson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
  }
}
