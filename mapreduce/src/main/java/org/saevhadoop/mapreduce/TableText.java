package org.saevhadoop.mapreduce;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.tensor.DType;

/** The shape of a table as the text of a configuration key. */
final class TableText {
  /** What goes through a configuration goes through XML, which lacks some characters. */
  private static final ObjectMapper JSON =
      new ObjectMapper(JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build());

  private TableText() {}

  static String of(Table table) {
    ObjectNode root = JSON.createObjectNode().put("examples", table.examples());
    ArrayNode columns = root.putArray("columns");
    for (Column column : table.columns()) {
      ObjectNode entry = columns.addObject();
      entry.put("name", column.name()).put("dtype", column.dtype().name());
      column.shape().forEach(entry.putArray("shape")::add);
    }
    table.numbers().forEach(root.putArray("numbers")::add);
    try {
      return JSON.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * @throws IllegalArgumentException where the text is no table
   */
  static Table parse(String text) {
    try {
      JsonNode root = JSON.readTree(text);
      List<Column> columns = new ArrayList<>();
      for (JsonNode column : root.required("columns")) {
        List<Long> shape = new ArrayList<>();
        column.required("shape").forEach(size -> shape.add(size.asLong(-1)));
        String name = column.required("name").asText();
        columns.add(new Column(name, DType.valueOf(column.required("dtype").asText()), shape));
      }
      long examples = root.required("examples").asLong(-1);
      List<Integer> numbers = new ArrayList<>();
      root.path("numbers").forEach(number -> numbers.add(number.asInt()));
      return numbers.isEmpty()
          ? new Table(examples, columns)
          : new Table(examples, columns, numbers);
    } catch (JsonProcessingException | IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s is no table: %s (expected {examples, columns: [{name, dtype, shape}]})"
              .formatted(SaevConf.OUTPUT_TABLE.key(), e.getMessage()),
          e);
    }
  }
}
