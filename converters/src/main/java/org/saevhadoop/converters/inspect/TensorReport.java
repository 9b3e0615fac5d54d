package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
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

  /** Prints a tensor. */
  void tensor(Item item) throws IOException {
    if (!asJson) {
      print(item);
    } else {
      write(item);
    }
  }

  private void print(Item item) {
    out.print("  " + Quote.show(item.name()));
    printUnlessNull(item.kind());
    out.print("  " + Quote.show(item.dtype()) + "  " + shape(item) + " shape");
    printUnlessNull(item.order() == null ? null : item.order() + " order");
    if (item.begin() >= 0) {
      out.print("  " + unsigned(item.begin(), item.end()) + " data_offsets");
    }
    printUnlessNull(item.file());
    printUnlessNull(item.sha256());
    printUnlessNull(item.note());
    out.println();
  }

  private void printUnlessNull(@Nullable String text) {
    out.print(text == null ? "" : "  " + Quote.show(text));
  }

  private void write(Item item) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", item.name());
    writeUnlessNull("kind", item.kind());
    json.writeStringField("dtype", item.dtype());
    json.writeArrayFieldStart("shape");
    for (long size : item.shape()) {
      json.writeNumber(size(item, size));
    }
    json.writeEndArray();
    writeUnlessNull("order", item.order());
    if (item.begin() >= 0) {
      numbers("data_offsets", item.begin(), item.end());
    }
    writeUnlessNull("file", item.file());
    writeUnlessNull("sha256", item.sha256());
    writeUnlessNull("note", item.note());
    json.writeEndObject();
  }

  private void writeUnlessNull(String key, @Nullable String text) throws IOException {
    if (text != null) {
      json.writeStringField(key, text);
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
        json.writeArrayFieldStart("warnings");
        for (String warning : warnings) {
          json.writeString(warning);
        }
        json.writeEndArray();
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

  private static String shape(Item item) {
    return Arrays.stream(item.shape())
        .mapToObj(size -> size(item, size))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String size(Item item, long size) {
    return size == Item.UNKNOWN_SIZE && item.kind() != null ? "-1" : Long.toUnsignedString(size);
  }

  private void numbers(String key, long... numbers) throws IOException {
    json.writeArrayFieldStart(key);
    for (long number : numbers) {
      json.writeNumber(Long.toUnsignedString(number));
    }
    json.writeEndArray();
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
