package org.saevhadoop.format.attributes;

/**
 * The file of attributes beside a data file: gzip of JSON lines, {@code {"example": <number in the
 * data file>, "count": n, "position": p, "sample": {...}}}. Source: docs/attributes.md.
 */
public final class Sidecar {
  /** What such a file is called, after the data file's name without its extension. */
  public static final String SUFFIX = ".examples.jsonl.gz";

  /** Characters of a line: three texts of this length fit the smallest heap. */
  static final int LONGEST_LINE = 1 << 24;

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
  public static String line(ExampleAttributes attributes) {
    StringBuilder line = new StringBuilder();
    line.append("{\"").append(EXAMPLE).append("\": ").append(attributes.first());
    if (attributes.count() != 1) {
      line.append(", \"").append(COUNT).append("\": ").append(attributes.count());
    }
    if (attributes.position() != ExampleAttributes.WHOLE) {
      line.append(", \"").append(POSITION).append("\": ").append(attributes.position());
    }
    line.append(", \"").append(SAMPLE).append("\": ");
    appendOneLine(attributes.sample(), line);
    return line.append('}').toString();
  }

  /** Line ends are blanks between JSON's tokens, and UTF-8 has no half characters. */
  private static void appendOneLine(String json, StringBuilder line) {
    int from = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean end = c == '\n' || c == '\r';
      if (end || isHalf(json, i)) {
        line.append(json, from, i).append(end ? " " : String.format("\\u%04x", (int) c));
        from = i + 1;
      }
    }
    line.append(json, from, json.length());
  }

  private static boolean isHalf(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }
}
