package org.saevhadoop.mapreduce.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.tensor.DType;

/** Values of output keys as text. */
final class OutputText {
  private OutputText() {}

  static String of(TableShape table) {
    ObjectNode root = Jackson.SETTINGS.createObjectNode().put("examples", table.examples());
    ArrayNode columns = root.putArray("columns");
    for (Column column : table.columns()) {
      ObjectNode entry = columns.addObject();
      entry.put("name", column.name()).put("dtype", column.dtype().name());
      column.shape().forEach(entry.putArray("shape")::add);
    }
    table.columnIds().forEach(root.putArray("numbers")::add);
    return json(root);
  }

  /** Returns a JSON object whose values are strings. */
  static String of(Provenance provenance) {
    return json(provenance.documents());
  }

  private static String json(Object value) {
    try {
      return Jackson.SETTINGS.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns {@code examples;layer,layer,...;tokens;dim}, with {@code ;dtype} if it is not F32. */
  static String of(Geometry geometry) {
    String layers =
        geometry.layers().stream().map(String::valueOf).collect(Collectors.joining(","));
    String dtype = geometry.dtype() == DType.F32 ? "" : ";" + geometry.dtype();
    return Stream.of(geometry.examples(), layers, geometry.tokens(), geometry.dim())
            .map(String::valueOf)
            .collect(Collectors.joining(";"))
        + dtype;
  }

  /**
   * Parses the shape of activations.
   *
   * @throws IllegalArgumentException if the text is malformed
   */
  static Geometry geometry(String text) {
    String[] parts = text.split(";");
    if (parts.length < 4 || parts.length > 5) {
      throw new IllegalArgumentException("it has " + parts.length + " parts");
    }
    List<Integer> layers = Arrays.stream(parts[1].split(",")).map(Integer::valueOf).toList();
    try {
      return new Geometry(
          Long.parseLong(parts[0]),
          layers,
          Integer.parseInt(parts[2]),
          Integer.parseInt(parts[3]),
          parts.length > 4 ? DTypeRequest.dtype(parts[4]) : DType.F32);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("the total size exceeds 2^63 bytes", e);
    }
  }

  /**
   * Parses the shape of a table.
   *
   * @throws IllegalArgumentException if the text is malformed
   */
  static TableShape table(String text) {
    try {
      JsonNode root = Jackson.SETTINGS.readTree(text);
      List<Column> columns = new ArrayList<>();
      for (JsonNode column : root.required("columns")) {
        List<Long> shape = new ArrayList<>();
        column.required("shape").forEach(size -> shape.add(size.asLong(-1)));
        String name = column.required("name").asText();
        columns.add(new Column(name, DTypeRequest.dtype(column.required("dtype").asText()), shape));
      }
      long examples = root.required("examples").asLong(-1);
      List<Integer> numbers = new ArrayList<>();
      root.path("numbers").forEach(number -> numbers.add(number.asInt()));
      return numbers.isEmpty()
          ? new TableShape(examples, columns)
          : new TableShape(examples, columns, numbers);
    } catch (JsonProcessingException | ArithmeticException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Parses provenance.
   *
   * @throws IllegalArgumentException if the text is not an object of strings
   */
  static Provenance provenance(String text) {
    try {
      SortedMap<String, String> documents =
          Jackson.SETTINGS.readValue(text, new TypeReference<TreeMap<String, String>>() {});
      if (documents == null || documents.containsValue(null)) {
        throw new IllegalArgumentException("a document is null");
      }
      return new Provenance(documents);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }
}
