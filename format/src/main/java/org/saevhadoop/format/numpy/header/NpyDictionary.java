package org.saevhadoop.format.numpy.header;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;

/**
 * Parser of the dictionary in a .npy header: a Python literal with the keys descr, fortran_order
 * and shape. It accepts only the literals that numpy writes for plain dtypes, and the long integers
 * that Python 2 writes.
 */
final class NpyDictionary {
  private static final Set<String> OBJECTS = Set.of("|O", "O");
  private static final Set<String> KEYS = Set.of("descr", "fortran_order", "shape");

  /** Maximum length of a string in a message. */
  private static final int MAX_SHOWN = 40;

  private final String path;
  private final String text;
  private final int begin;
  private final boolean acceptsObjects;
  private int at;
  private @Nullable NumpyType type;
  private boolean fortranOrder;
  private @Nullable List<Long> shape;

  /**
   * Creates a parser.
   *
   * @param text the header, with one character per byte
   * @param begin the offset of the header in the file
   * @param acceptsObjects whether the dtype may denote Python objects
   */
  NpyDictionary(String path, String text, int begin, boolean acceptsObjects) {
    this.acceptsObjects = acceptsObjects;
    this.path = path;
    this.text = text;
    this.begin = begin;
  }

  NpyHeader parse() throws FormatException {
    Set<String> found = new HashSet<>();
    take('{');
    while (!has('}')) {
      String key = string("a key");
      check(KEYS.contains(key) && found.add(key), "'descr', 'fortran_order' and 'shape' once each");
      take(':');
      switch (key) {
        case "descr" -> type = type();
        case "fortran_order" -> fortranOrder = flag();
        default -> shape = shape();
      }
      if (!isAt('}')) {
        take(',');
      }
    }
    skipSpaces();
    check(at == text.length(), "spaces to the end of the header");
    if (type == null || shape == null || found.size() < KEYS.size()) {
      throw expected("'descr', 'fortran_order' and 'shape'");
    }
    return new NpyHeader(type, fortranOrder, shape, begin + (long) text.length());
  }

  private NumpyType type() throws FormatException {
    NpyError.UNSUPPORTED.check(
        !isAt('[') && !isAt('('),
        path,
        "has a dtype with fields or a shape, at byte %d (expected numbers or strings: save one"
            + " field of the array, or use numpy.lib.recfunctions.structured_to_unstructured)",
        begin + at);
    int first = begin + at;
    String name = string("a dtype");
    if (acceptsObjects && OBJECTS.contains(name)) {
      return NumpyType.OBJECTS;
    }
    return NumpyType.parse(name)
        .or(() -> NumpyType.parseBytes(name))
        .orElseThrow(
            () ->
                NpyError.UNSUPPORTED.in(
                    path,
                    "contains %s, dtype '%s', at byte %d (expected numbers or strings)",
                    contents(name),
                    Quote.show(name, MAX_SHOWN),
                    first));
  }

  /** Returns a description of the elements of an unsupported dtype. */
  private static String contents(String name) {
    String code = name.isEmpty() || "<>=|".indexOf(name.charAt(0)) < 0 ? name : name.substring(1);
    return switch (code.isEmpty() ? ' ' : code.charAt(0)) {
      case 'O' -> "Python objects";
      case 'M' -> "dates";
      case 'm' -> "durations";
      case 'V' -> "raw bytes";
      default -> "elements of an unknown type";
    };
  }

  private boolean flag() throws FormatException {
    skipSpaces();
    boolean value = text.startsWith("True", at);
    check(value || text.startsWith("False", at), "True or False");
    at += value ? 4 : 5;
    return value;
  }

  private List<Long> shape() throws FormatException {
    List<Long> sizes = new ArrayList<>();
    boolean isTuple = true;
    take('(');
    while (!has(')')) {
      sizes.add(size());
      isTuple = has(',');
      check(isTuple || isAt(')'), "a tuple of sizes");
    }
    check(isTuple || sizes.size() > 1, "a tuple of sizes");
    return sizes;
  }

  private long size() throws FormatException {
    skipSpaces();
    int first = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    String digits = text.substring(first, at);
    long size;
    try {
      size = Long.parseLong(digits);
    } catch (NumberFormatException e) {
      at = first;
      throw expected("a size from 0 to 2^63 - 1").causedBy(e);
    }
    if (at < text.length() && text.charAt(at) == 'L') {
      at++;
    }
    return size;
  }

  private String string(String expected) throws FormatException {
    skipSpaces();
    char quote = at < text.length() ? text.charAt(at) : 0;
    int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
    String content = end < 0 ? "\\" : text.substring(at + 1, end);
    check(content.indexOf('\\') < 0, expected);
    at = end + 1;
    return content;
  }

  private void take(char next) throws FormatException {
    if (!has(next)) {
      throw expected("'" + next + "'");
    }
  }

  private boolean has(char next) {
    boolean has = isAt(next);
    at += has ? 1 : 0;
    return has;
  }

  private boolean isAt(char next) {
    skipSpaces();
    return at < text.length() && text.charAt(at) == next;
  }

  private void skipSpaces() {
    while (at < text.length() && " \t\n\r\f".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private void check(boolean holds, String expected) throws FormatException {
    if (!holds) {
      throw expected(expected);
    }
  }

  private FormatException expected(String expected) {
    return NpyError.BAD_HEADER.in(
        path, "has an invalid header, at byte %d (expected %s)", begin + at, expected);
  }
}
