package org.saevhadoop.format.samples;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.json.Jackson;

/**
 * A sidecar: the file with the sample metadata of a data file, stored next to the data file as
 * gzip-compressed JSON lines {@code {"example": <number in the data file>, "count": n, "position":
 * p, "tokens": [[start, stop]], "sample": {...}}}. The format is specified in
 * docs/sample-metadata.md.
 */
public final class Sidecar {
  /** Suffix of a sidecar, which replaces the extension of the data file. */
  public static final String SUFFIX = ".examples.jsonl.gz";

  /**
   * Maximum length of a sample in characters; a few texts of this length fit into the smallest
   * heap.
   */
  static final int MAX_SAMPLE = 1 << 24;

  static final int MAX_RANGES = 1 << 16;

  /**
   * Maximum length of a line in characters: a sample, the numbers before it (two for each range of
   * tokens, of up to 10 digits each), and some whitespace.
   */
  static final int MAX_LINE = MAX_SAMPLE + 32 * MAX_RANGES;

  static final String EXAMPLE = "example";
  static final String COUNT = "count";
  static final String POSITION = "position";
  static final String TOKENS = "tokens";
  static final String SAMPLE = "sample";

  private Sidecar() {}

  public static String name(String dataFile) {
    int dot = dataFile.lastIndexOf('.');
    return (dot < 0 ? dataFile : dataFile.substring(0, dot)) + SUFFIX;
  }

  /** Returns the line for some metadata, without the line terminator. */
  public static String line(ExampleMetadata sampleMetadata) {
    return start(sampleMetadata) + oneLine(sampleMetadata.sample()) + "}";
  }

  /** Returns the part of a line before the sample. */
  static String start(ExampleMetadata sampleMetadata) {
    StringBuilder line = new StringBuilder();
    line.append("{\"").append(EXAMPLE).append("\": ").append(sampleMetadata.first());
    if (sampleMetadata.count() != 1) {
      line.append(", \"").append(COUNT).append("\": ").append(sampleMetadata.count());
    }
    if (sampleMetadata.position() != ExampleMetadata.WHOLE) {
      line.append(", \"").append(POSITION).append("\": ").append(sampleMetadata.position());
    }
    if (!sampleMetadata.tokens().isEmpty()) {
      line.append(", \"").append(TOKENS).append("\": ").append(ranges(sampleMetadata));
    }
    return line.append(", \"").append(SAMPLE).append("\": ").toString();
  }

  private static String ranges(ExampleMetadata sampleMetadata) {
    return sampleMetadata.tokens().stream()
        .map(range -> "[%d, %d]".formatted(range.start(), range.stop()))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * Returns a sample, which is the text of one JSON object, with entries added to the object in one
   * of its fields. Entries of that object with other names are kept; if the field is not an object,
   * it is added at the end.
   *
   * @param entries the JSON text of each entry, by name; the names need no escapes
   */
  public static String withEntries(String sample, String field, Map<String, String> entries)
      throws IOException {
    String added =
        entries.entrySet().stream()
            .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
            .collect(Collectors.joining(", "));
    if (sample.contains(field)) {
      try (JsonParser json = SidecarReader.JSON.createParser(sample)) {
        json.nextToken();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          boolean isField = json.currentName().equals(field);
          if (json.nextToken() == JsonToken.START_OBJECT && isField) {
            int begin = position(json) + 1;
            List<String> kept = others(json, sample, entries.keySet());
            kept.add(added);
            return sample.substring(0, begin)
                + String.join(", ", kept)
                + sample.substring(position(json));
          }
          json.skipChildren();
        }
      }
    }
    String object = sample.strip();
    int last = object.length() - 1;
    String comma = object.substring(1, last).isBlank() ? "" : ", ";
    return object.substring(0, last) + comma + "\"" + field + "\": {" + added + "}}";
  }

  /**
   * Returns the texts of the other entries of an object, and moves the parser to the end of the
   * object.
   */
  private static List<String> others(JsonParser json, String sample, Set<String> names)
      throws IOException {
    List<String> others = new ArrayList<>();
    JsonToken token = json.nextToken();
    while (token == JsonToken.FIELD_NAME) {
      boolean isOther = !names.contains(json.currentName());
      int start = position(json);
      json.nextToken();
      json.skipChildren();
      token = json.nextToken();
      String entry = sample.substring(start, position(json)).strip();
      if (isOther) {
        others.add(entry.endsWith(",") ? entry.substring(0, entry.length() - 1) : entry);
      }
    }
    return others;
  }

  private static int position(JsonParser json) {
    return Math.toIntExact(Jackson.start(json).getCharOffset());
  }

  /**
   * Returns an equivalent JSON text that fits on one line of UTF-8: line breaks between tokens
   * become spaces, and lone surrogates, which UTF-8 cannot represent, are escaped.
   */
  public static String oneLine(String json) {
    StringBuilder line = null;
    int from = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean end = c == '\n' || c == '\r';
      if (end || Quote.isLoneSurrogate(json, i)) {
        line = line == null ? new StringBuilder() : line;
        line.append(json, from, i).append(end ? " " : String.format("\\u%04x", (int) c));
        from = i + 1;
      }
    }
    return line == null ? json : line.append(json, from, json.length()).toString();
  }
}
