package org.saevhadoop.converters;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.safetensors.Tensor;

/** What inspect tells of tensors, as it is told: a file may have millions of them. */
final class TensorReport implements Closeable {
  private static final int BUFFER_CHARS = 1 << 16;

  // half characters, as in a path that is no UTF-8, survive only as escapes
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(com.fasterxml.jackson.core.StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private final PrintWriter out;
  private final JsonGenerator json;

  /**
   * @param asJson one object, else lines for a person
   * @param tensors how many there will be
   */
  TensorReport(Writer out, boolean asJson, long tensors) throws IOException {
    this.out = new PrintWriter(new BufferedWriter(out, BUFFER_CHARS));
    this.json = asJson ? JSON.createGenerator(this.out) : null;
    String format = DatasetFormat.safetensors.name();
    if (asJson) {
      json.setCodec(new JsonMapper());
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartObject();
      json.writeStringField("format", format);
      json.writeArrayFieldStart("tensors");
    } else {
      this.out.printf("%-20s %s%n%-20s %d%n", "format", format, "tensors", tensors);
    }
  }

  /**
   * Tells a tensor.
   *
   * @param file that holds it, sha256 of its bytes: null where they are not told
   */
  void tensor(Tensor tensor, String file, String sha256) throws IOException {
    if (json == null) {
      String offsets = unsigned(List.of(tensor.begin(), tensor.end()));
      out.print("  " + OneLine.of(tensor.name()) + "  " + tensor.dtype());
      out.print("  " + unsigned(tensor.shape()) + " shape  " + offsets + " data_offsets");
      out.print(file == null ? "" : "  " + OneLine.of(file));
      out.println(sha256 == null ? "" : "  " + sha256);
      return;
    }
    json.writeStartObject();
    json.writeStringField("name", tensor.name());
    json.writeStringField("dtype", tensor.dtype().name());
    numbers("shape", tensor.shape());
    numbers("data_offsets", List.of(tensor.begin(), tensor.end()));
    if (file != null) {
      json.writeStringField("file", file);
    }
    if (sha256 != null) {
      json.writeStringField("sha256", sha256);
    }
    json.writeEndObject();
  }

  /**
   * Tells the rest.
   *
   * @param metadata an object, or null
   * @param warnings null where there are never any
   */
  void end(JsonNode metadata, List<String> warnings) throws IOException {
    if (json != null) {
      json.writeEndArray();
      json.writeFieldName("metadata");
      json.writeTree(metadata);
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
    if (metadata == null || !metadata.isObject()) {
      out.printf("%-20s %s%n", "metadata", metadata);
    } else {
      out.println("metadata");
      metadata
          .fields()
          .forEachRemaining(
              f ->
                  out.printf(
                      "  %-26s %s%n", OneLine.of(f.getKey()), OneLine.of(text(f.getValue()))));
    }
    if (warnings != null) {
      out.printf("%-20s %d%n", "warnings", warnings.size());
      warnings.forEach(warning -> out.println("  " + OneLine.of(warning)));
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

  private void numbers(String key, List<Long> numbers) throws IOException {
    json.writeArrayFieldStart(key);
    for (long number : numbers) {
      json.writeNumber(Long.toUnsignedString(number));
    }
    json.writeEndArray();
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.asText() : value.toString();
  }

  /** For example {@code [7,10]}; the format's numbers are unsigned. */
  static String unsigned(List<Long> numbers) {
    return numbers.stream().map(Long::toUnsignedString).collect(Collectors.joining(",", "[", "]"));
  }
}
