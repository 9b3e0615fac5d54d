package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.spi.TensorListing;
import org.saevhadoop.format.spi.TensorListing.Item;

/** Prints a list of tensors while it is read, because a file may contain millions of them. */
public final class TensorReport implements Closeable {
  private static final int BUFFER_CHARS = 1 << 16;
  private static final String VALUES = "bytes_of_values";

  private final PrintWriter out;
  private final JsonGenerator json;
  private final boolean asJson;
  private long valueBytes;

  /**
   * Prints the part of the report that precedes the tensors.
   *
   * @param asJson whether the report is a JSON object or lines of text
   * @param head the first fields of the report
   */
  TensorReport(Writer out, boolean asJson, ObjectNode head, TensorListing listing)
      throws IOException {
    this.out = new PrintWriter(new BufferedWriter(out, BUFFER_CHARS));
    this.json = JsonOutput.MAPPER.createGenerator(this.out);
    this.asJson = asJson;
    if (asJson) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartObject();
      for (Map.Entry<String, JsonNode> field : head.properties()) {
        json.writeObjectField(field.getKey(), field.getValue());
      }
      json.writeArrayFieldStart(listing.title());
    } else {
      InspectCommand.print(this.out, head);
      this.out.printf("%-20s %d%n", listing.title(), listing.count());
    }
  }

  void tensor(Item item) throws IOException {
    ObjectNode tensor = JsonOutput.MAPPER.createObjectNode();
    tensor.put("name", item.name());
    JsonOutput.put(tensor, "kind", item.kind());
    tensor.put("dtype", item.dtype());
    JsonOutput.put(tensor, "stored_dtype", item.storedDtype());
    ArrayNode shape = tensor.putArray("shape");
    for (long size : item.shape()) {
      boolean unknown = size == Item.UNKNOWN_SIZE && item.kind() != null;
      shape.add(unknown ? BigInteger.ONE.negate() : new BigInteger(Long.toUnsignedString(size)));
    }
    JsonOutput.put(tensor, "order", item.order());
    if (item.bytes() >= 0) {
      tensor.put("bytes", item.bytes());
      valueBytes += item.bytes();
    }
    if (item.begin() >= 0) {
      tensor.putArray("data_offsets").add(item.begin()).add(item.begin() + item.bytes());
    }
    JsonOutput.put(tensor, "file", item.file());
    JsonOutput.put(tensor, "digest", item.digest());
    JsonOutput.put(tensor, "note", item.note());
    if (asJson) {
      json.writeTree(tensor);
    } else {
      out.println("  " + InspectCommand.line(tensor));
    }
  }

  /**
   * Prints the part of the report that follows the tensors.
   *
   * @param metadata a value of a report, or null
   * @param warnings null if the report has no such field
   * @param more further fields
   */
  void end(@Nullable Object metadata, @Nullable List<String> warnings, ObjectNode more)
      throws IOException {
    if (asJson) {
      json.writeEndArray();
      json.writeNumberField(VALUES, valueBytes);
      if (metadata != null) {
        json.writeObjectField("metadata", metadata);
      }
      if (warnings != null) {
        json.writeObjectField("warnings", warnings);
      }
      for (Map.Entry<String, JsonNode> field : more.properties()) {
        json.writeObjectField(field.getKey(), field.getValue());
      }
      json.writeEndObject();
      return;
    }
    InspectCommand.print(out, VALUES, JsonOutput.MAPPER.valueToTree(valueBytes));
    JsonNode tree = JsonOutput.MAPPER.valueToTree(metadata);
    if (tree.isObject()) {
      InspectCommand.print(out, "metadata", tree);
    } else if (metadata != null) {
      out.printf("%-20s %s%n", "metadata", Quote.show(tree.toString()));
    }
    if (warnings != null) {
      InspectCommand.print(out, "warnings", JsonOutput.MAPPER.valueToTree(warnings));
    }
    InspectCommand.print(out, more);
  }

  @Override
  public void close() throws IOException {
    if (asJson) {
      json.close();
      out.println();
    }
    out.flush();
  }

  /** Returns unsigned numbers, such as dimensions, as {@code [7,10]}. */
  public static String unsigned(long... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(Long::toUnsignedString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** Returns unsigned numbers, such as dimensions, as {@code [7,10]}. */
  public static String unsigned(List<Long> numbers) {
    return unsigned(numbers.stream().mapToLong(Long::longValue).toArray());
  }
}
