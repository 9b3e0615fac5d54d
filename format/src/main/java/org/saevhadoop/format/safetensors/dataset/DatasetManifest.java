package org.saevhadoop.format.safetensors.dataset;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
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

  /** A file with its number of examples and its length in bytes, including the header. */
  record Entry(String name, long examples, long bytes) {}

  /**
   * Parses the text of a manifest. The schema is ignored, because the headers of the files define
   * it.
   */
  static DatasetManifest parse(String path, byte[] text) throws IOException {
    return Jackson.readObject(
        TensorDatasetError.BAD_MANIFEST,
        path,
        () -> Jackson.MAPPER.createParser(text),
        json -> parse(path, json));
  }

  private static DatasetManifest parse(String path, JsonParser json) throws IOException {
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
        json.skipChildren();
      }
    }
    TensorDatasetError.BAD_MANIFEST.check(
        versioned, path, "field format_version is missing (expected \"1.0\")");
    TensorDatasetError.BAD_MANIFEST.check(shards != null, path, "field shards is missing");
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
      TensorDatasetError.BAD_MANIFEST.check(
          name != null && examples >= 0 && bytes >= 0,
          path,
          "shard %d lacks shard_path, samples_count or bytes",
          shards.size());
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
   * Returns the document as safetensors-spark formats it.
   *
   * @param tensors the tensors of one file, whose shapes are used for all files; null to omit the
   *     schema. The schema is also omitted if a dtype is unknown to safetensors-spark, whose JSON
   *     Schema forbids it
   */
  byte[] text(List<TensorInfo> tensors) throws IOException {
    ObjectNode root = Jackson.MAPPER.createObjectNode();
    root.put("format_version", "1.0");
    root.put("safetensors_version", "1.0");
    root.put("total_samples", shards.stream().mapToLong(Entry::examples).sum());
    root.put("total_bytes", shards.stream().mapToLong(Entry::bytes).sum());
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
