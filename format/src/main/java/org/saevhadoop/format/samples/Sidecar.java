package org.saevhadoop.format.samples;

import org.saevhadoop.format.json.JsonEscapes;

/**
 * The file of attributes beside a data file: gzip of JSON lines, {@code {"example": <number in the
 * data file>, "count": n, "position": p, "sample": {...}}}. Source: docs/attributes.md.
 */
public final class Sidecar {
  /** What such a file is called, after the data file's name without its extension. */
  public static final String SUFFIX = ".examples.jsonl.gz";

  /** Characters of a sample: a few texts of this length fit the smallest heap. */
  static final int LONGEST_SAMPLE = 1 << 24;

  /** Characters of a line: a sample and the numbers before it, with blanks as one likes. */
  static final int LONGEST_LINE = LONGEST_SAMPLE + 1024;

  static final String EXAMPLE = "example";
  static final String COUNT = "count";
  static final String POSITION = "position";
  static final String SAMPLE = "sample";

  private Sidecar() {}

  /** The name of the sidecar of a data file. */
  public static String name(String dataFile) {
    int dot = dataFile.lastIndexOf('.');
    return (dot < 0 ? dataFile : dataFile.substring(0, dot)) + SUFFIX;
  }

  /** The line of some attributes, without its end. */
  public static String line(ExampleMetadata attributes) {
    return start(attributes) + oneLine(attributes.sample()) + "}";
  }

  /** All of a line before its sample. */
  static String start(ExampleMetadata attributes) {
    StringBuilder line = new StringBuilder();
    line.append("{\"").append(EXAMPLE).append("\": ").append(attributes.first());
    if (attributes.count() != 1) {
      line.append(", \"").append(COUNT).append("\": ").append(attributes.count());
    }
    if (attributes.position() != ExampleMetadata.WHOLE) {
      line.append(", \"").append(POSITION).append("\": ").append(attributes.position());
    }
    return line.append(", \"").append(SAMPLE).append("\": ").toString();
  }

  /**
   * An equal JSON text that fits a line of UTF-8: line ends are blanks between JSON's tokens, and
   * UTF-8 has no half characters.
   */
  static String oneLine(String json) {
    StringBuilder line = null;
    int from = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean end = c == '\n' || c == '\r';
      if (end || JsonEscapes.isLoneSurrogate(json, i)) {
        line = line == null ? new StringBuilder() : line;
        line.append(json, from, i).append(end ? " " : String.format("\\u%04x", (int) c));
        from = i + 1;
      }
    }
    return line == null ? json : line.append(json, from, json.length()).toString();
  }
}
