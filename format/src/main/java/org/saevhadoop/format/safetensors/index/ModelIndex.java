package org.saevhadoop.format.safetensors.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.json.JsonLimits;
import org.saevhadoop.format.safetensors.header.JsonText;

/**
 * The document {@code model.safetensors.index.json}, which maps the tensors of a model to its
 * files. The form {@code {"metadata": {"total_size": N}, "weight_map": {TENSOR: FILE}}} is used by
 * huggingface_hub and transformers; there is no specification.
 *
 * @param path the path of the document for error messages
 * @param metadata the value of {@code metadata}; null if absent
 * @param weightMap the file of each tensor, as a plain file name
 */
public record ModelIndex(String path, @Nullable JsonNode metadata, Map<String, String> weightMap) {
  /** Suffix of the file names of such documents. */
  public static final String SUFFIX = ".safetensors.index.json";

  private static final String USUAL = "model" + SUFFIX;

  /**
   * Limits for the document, chosen for 600,000 tensors, several times as many as the largest
   * models have.
   */
  private static final JsonLimits LIMITS = new JsonLimits(64 << 20, 1_200_000, 1 << 20, 1000);

  private static final long EXACT = 1L << 53;

  /** A factory without a table of names, because each tensor name occurs only once. */
  private static final JsonFactory JSON = Jackson.withoutNameTable(Jackson.limited());

  /**
   * Returns the file name of the index of a folder: {@code model.safetensors.index.json} if
   * present, otherwise the only file with the suffix.
   *
   * @throws FormatException if there is more than one candidate
   */
  public static Optional<String> find(Folder folder) throws IOException {
    Set<String> files = folder.files().keySet();
    if (files.contains(USUAL)) {
      return Optional.of(USUAL);
    }
    List<String> found = files.stream().filter(name -> name.endsWith(SUFFIX)).toList();
    TensorIndexError.AMBIGUOUS_INDEX.check(
        found.size() <= 1,
        folder.path(),
        "has several indexes: %s (expected the path of one)",
        found);
    return found.stream().findFirst();
  }

  /** Reads the index with the given file name. */
  public static ModelIndex read(Folder folder, String name) throws IOException {
    return parse(folder.path(name), LIMITS.read(folder, name));
  }

  static ModelIndex parse(String path, byte[] text) throws IOException {
    return Jackson.readObject(
        TensorIndexError.BAD_MODEL_INDEX,
        path,
        () -> JSON.createParser(text),
        json -> parse(path, json));
  }

  private static ModelIndex parse(String path, JsonParser json) throws IOException {
    JsonNode metadata = null;
    Map<String, String> weightMap = null;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      JsonToken value = json.nextToken();
      if (key.equals("metadata")) {
        TensorIndexError.BAD_MODEL_INDEX.check(metadata == null, path, "metadata occurs twice");
        metadata = Jackson.MAPPER.readTree(json);
      } else if (key.equals("weight_map")) {
        TensorIndexError.BAD_MODEL_INDEX.check(weightMap == null, path, "weight_map occurs twice");
        TensorIndexError.BAD_MODEL_INDEX.check(
            value == JsonToken.START_OBJECT, path, "weight_map is not an object");
        weightMap = weightMap(path, json);
      } else {
        json.skipChildren();
      }
    }
    if (weightMap == null) {
      throw TensorIndexError.BAD_MODEL_INDEX.in(
          path, "field weight_map is missing (expected {tensor: file})");
    }
    return new ModelIndex(path, metadata, weightMap);
  }

  private static Map<String, String> weightMap(String path, JsonParser json) throws IOException {
    Map<String, String> weightMap = new HashMap<>();
    Map<String, String> names = new HashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String tensor = json.currentName();
      boolean text = json.nextToken() == JsonToken.VALUE_STRING;
      String file = text ? json.getText() : "";
      if (!KeyedTensors.plain(file)) {
        throw TensorIndexError.BAD_MODEL_INDEX.in(
            path,
            "weight_map places %s in %s (expected a plain file name)",
            JsonText.show(tensor),
            text ? JsonText.show(file) : "a value that is not text");
      }
      // There are few files, so each file name is kept only once.
      String before = weightMap.put(tensor, names.computeIfAbsent(file, f -> f));
      if (before != null) {
        throw TensorIndexError.BAD_MODEL_INDEX.in(
            path, "weight_map lists %s twice", JsonText.show(tensor));
      }
    }
    return weightMap;
  }

  /** Returns the files that contain tensors, ordered by name. */
  public SortedSet<String> files() {
    return new TreeSet<>(weightMap.values());
  }

  /**
   * Returns the total size of all tensors in bytes as declared by the index; empty if it declares
   * none.
   */
  public Optional<String> totalSize() {
    JsonNode size = metadata == null ? null : metadata.get("total_size");
    if (size == null || !size.isNumber()) {
      return Optional.empty();
    }
    double number = size.doubleValue();
    // Some writers divide and store a floating-point number. Only exact values are converted,
    // because the decimal text of a number could have any length.
    boolean whole = size.isFloatingPointNumber() && number == Math.rint(number);
    return Optional.of(
        whole && Math.abs(number) < EXACT ? Long.toString((long) number) : size.asText());
  }
}
