package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.spi.TensorListing;
import org.saevhadoop.mapreduce.spi.TensorListing.Item;

/** Prints a list of tensors while it is read, because a file may contain millions of them. */
public final class TensorReport implements Closeable {
  private static final int BUFFER_CHARS = 1 << 16;

  // lone surrogates, as in a path that is not valid UTF-8, survive only as escapes
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .build();

  private final PrintWriter out;
  private final JsonGenerator json;
  private final boolean asJson;

  /**
   * Prints the part of the report that precedes the tensors.
   *
   * @param asJson whether the report is a JSON object or lines of text
   * @param format the name of the format
   */
  TensorReport(Writer out, boolean asJson, String format, TensorListing listing)
      throws IOException {
    this.out = new PrintWriter(new BufferedWriter(out, BUFFER_CHARS));
    this.json = JSON.createGenerator(this.out);
    this.asJson = asJson;
    if (asJson) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartObject();
      json.writeStringField("format", format);
      json.writeArrayFieldStart(listing.title());
    } else {
      this.out.printf("%-20s %s%n%-20s %d%n", "format", format, listing.title(), listing.count());
    }
  }

  void tensor(Item item) throws IOException {
    ObjectNode tensor = JSON.createObjectNode();
    tensor.put("name", item.name());
    putUnlessNull(tensor, "kind", item.kind());
    tensor.put("dtype", item.dtype());
    ArrayNode shape = tensor.putArray("shape");
    for (long size : item.shape()) {
      boolean unknown = size == Item.UNKNOWN_SIZE && item.kind() != null;
      shape.add(unknown ? BigInteger.ONE.negate() : new BigInteger(Long.toUnsignedString(size)));
    }
    putUnlessNull(tensor, "order", item.order());
    if (item.begin() >= 0) {
      tensor.putArray("data_offsets").add(item.begin()).add(item.end());
    }
    putUnlessNull(tensor, "file", item.file());
    putUnlessNull(tensor, "sha256", item.sha256());
    putUnlessNull(tensor, "note", item.note());
    if (asJson) {
      json.writeTree(tensor);
    } else {
      out.println("  " + InspectCommand.line(tensor));
    }
  }

  private static void putUnlessNull(ObjectNode node, String key, @Nullable String text) {
    if (text != null) {
      node.put(key, text);
    }
  }

  /**
   * Prints the part of the report that follows the tensors.
   *
   * @param metadata a value of a report, or null
   * @param warnings null if the report has no such field
   */
  void end(@Nullable Object metadata, @Nullable List<String> warnings) throws IOException {
    if (asJson) {
      json.writeEndArray();
      json.writeObjectField("metadata", metadata);
      if (warnings != null) {
        json.writeObjectField("warnings", warnings);
      }
      json.writeEndObject();
      return;
    }
    JsonNode tree = JSON.valueToTree(metadata);
    if (tree.isObject()) {
      InspectCommand.print(out, "metadata", tree);
    } else {
      out.printf("%-20s %s%n", "metadata", Quote.show(tree.toString()));
    }
    if (warnings != null) {
      InspectCommand.print(out, "warnings", JSON.valueToTree(warnings));
    }
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
