package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.console.JsonWriter;
import org.saevhadoop.converters.console.RecordFields;
import org.saevhadoop.format.spi.TensorListing;
import org.saevhadoop.format.spi.TensorListing.Item;

/** Prints a list of tensors while it is read, because a file may contain millions of them. */
public final class TensorReport implements Closeable {
  private static final int BUFFER_CHARS = 1 << 16;

  private final PrintWriter out;
  private final @Nullable JsonGenerator json;
  private long valueBytes;

  /**
   * Prints the part of the report that precedes the tensors.
   *
   * @param asJson whether the report is a JSON object rather than lines of text
   * @param head the first fields of the report
   */
  TensorReport(Writer out, boolean asJson, Map<String, Object> head, TensorListing listing)
      throws IOException {
    this.out = new PrintWriter(new BufferedWriter(out, BUFFER_CHARS));
    this.json = asJson ? JsonWriter.lines(this.out) : null;
    if (json != null) {
      json.writeStartObject();
      JsonWriter.writeFields(JsonOutput.fields(head), json);
      json.writeArrayFieldStart(listing.title());
    } else {
      FieldText.print(this.out, head);
      this.out.printf("%-20s %d%n", listing.title(), listing.count());
    }
  }

  void tensor(Item tensor) throws IOException {
    valueBytes += tensor.bytes() == null ? 0 : tensor.bytes();
    if (json != null) {
      JsonWriter.write(tensor, json);
    } else {
      out.println("  " + FieldText.line(RecordFields.of(tensor)));
    }
  }

  /**
   * The part of the report that follows the tensors.
   *
   * @param metadata the metadata of the file; null if it has none
   * @param warnings null if the report has no such field
   */
  private record End(
      long bytesOfValues, @Nullable Object metadata, @Nullable List<String> warnings) {}

  /**
   * Prints the part of the report that follows the tensors.
   *
   * @param more further fields
   */
  void end(TensorListing listing, Map<String, Object> more) throws IOException {
    Object metadata = listing.metadata();
    boolean isLine = json == null && metadata != null && !(metadata instanceof Map);
    Map<String, Object> fields =
        RecordFields.of(
            new End(valueBytes, isLine ? JsonWriter.text(metadata) : metadata, listing.warnings()));
    fields.putAll(more);
    if (json != null) {
      json.writeEndArray();
      JsonWriter.writeFields(fields, json);
      json.writeEndObject();
    } else {
      FieldText.print(out, fields);
    }
  }

  @Override
  public void close() throws IOException {
    if (json != null) {
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
