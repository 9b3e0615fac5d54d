package org.saevhadoop.format.json;

/**
 * Form of a written document. Each constant names the call in Python whose bytes it reproduces.
 *
 * @param keyOrder the objects whose keys are sorted, always by {@link CodePointOrder}
 * @param itemSeparator text between items; with an indent, a line end follows
 * @param keySeparator text between a key and its value
 * @param indent the number of spaces per level; negative to write everything on one line
 * @param escapes the characters of strings that are written as escapes
 * @param numbers spelling of numbers
 */
public record JsonStyle(
    KeyOrder keyOrder,
    String itemSeparator,
    String keySeparator,
    int indent,
    JsonEscapes escapes,
    NumberForm numbers) {
  private static final int ONE_LINE = -1;

  /** {@code json.dumps(x, sort_keys=True)}. */
  public static final JsonStyle DEFAULT_SORTED =
      new JsonStyle(KeyOrder.SORTED, ", ", ": ", ONE_LINE, JsonEscapes.ASCII, NumberForm.PYTHON);

  /** {@code json.dumps(x, sort_keys=True, separators=(",", ":"))}. */
  public static final JsonStyle COMPACT_SORTED =
      compact(KeyOrder.SORTED, JsonEscapes.ASCII, NumberForm.PYTHON);

  /** {@code json.dumps(x, separators=(",", ":"))}. */
  public static final JsonStyle COMPACT =
      compact(KeyOrder.KEPT, JsonEscapes.ASCII, NumberForm.PYTHON);

  /** {@code orjson.dumps(x, option=OPT_SORT_KEYS)} of a dataclass. */
  public static final JsonStyle ORJSON_DATACLASS =
      compact(KeyOrder.NESTED_SORTED, JsonEscapes.UTF8, NumberForm.ORJSON);

  /**
   * Preserves a value: one line of ASCII, unsorted keys, and numbers with their original spelling.
   */
  public static final JsonStyle VERBATIM =
      compact(KeyOrder.KEPT, JsonEscapes.ASCII, NumberForm.VERBATIM);

  /** One line that any JSON reader accepts. */
  public static final JsonStyle STRICT =
      compact(KeyOrder.KEPT, JsonEscapes.ASCII, NumberForm.FINITE_OR_STRING);

  /** {@code json.dump(x, indent=4)}, but with numbers in their original spelling. */
  public static final JsonStyle PYTHON_FILE =
      new JsonStyle(KeyOrder.KEPT, ",", ": ", 4, JsonEscapes.ASCII, NumberForm.VERBATIM);

  /** {@code orjson.dumps(x, option=OPT_INDENT_2)}, but with numbers in their original spelling. */
  public static final JsonStyle ORJSON_FILE =
      new JsonStyle(KeyOrder.KEPT, ",", ": ", 2, JsonEscapes.UTF8, NumberForm.FINITE_OR_NULL);

  /** The objects whose keys are sorted. */
  public enum KeyOrder {
    /** None. */
    KEPT,
    /** All. */
    SORTED,
    /**
     * All objects except the outermost one: {@code OPT_SORT_KEYS} does not sort the attributes of a
     * dataclass.
     */
    NESTED_SORTED
  }

  /** Spelling of numbers. */
  public enum NumberForm {
    /** Numbers are written as {@code json.dumps} would write them after {@code json.loads}. */
    PYTHON,
    /**
     * Numbers are written as {@code orjson.dumps} would write them: floats in orjson's own form,
     * and null for nonfinite values.
     */
    ORJSON,
    /** Numbers are written as spelled in the document from which they were read. */
    VERBATIM,
    /** Like {@link #VERBATIM}, but NaN and the infinities are written as null. */
    FINITE_OR_NULL,
    /** Like {@link #VERBATIM}, but NaN and the infinities are written as strings. */
    FINITE_OR_STRING
  }

  /** Returns the style of {@code json.dumps(x, indent=spaces)}. */
  public static JsonStyle indented(int spaces) {
    return new JsonStyle(KeyOrder.KEPT, ",", ": ", spaces, JsonEscapes.ASCII, NumberForm.PYTHON);
  }

  /** Returns a style of one line without spaces. */
  public static JsonStyle compact(KeyOrder keyOrder, JsonEscapes escapes, NumberForm numbers) {
    return new JsonStyle(keyOrder, ",", ":", ONE_LINE, escapes, numbers);
  }

  String text(JsonNumber number) {
    return switch (numbers) {
      case PYTHON -> number.canonical();
      case ORJSON -> number.orjson();
      case VERBATIM -> number.text();
      case FINITE_OR_NULL -> number.isJson() ? number.text() : "null";
      case FINITE_OR_STRING -> number.isJson() ? number.text() : '"' + number.text() + '"';
    };
  }
}
