package org.saevhadoop.format.json;

import org.saevhadoop.format.io.FormatException;

/**
 * Counts the bytes, values and levels of a JSON text without parsing it, piece by piece. Text that
 * is not JSON can pass this check; the parser reports it.
 */
final class JsonGuard {
  private static final int BYTE_ORDER_MARK_HIGH = 0xfe;
  private static final int BYTE_ORDER_MARK_LOW = 0xff;

  private final String path;
  private final JsonLimits limits;
  private long position;
  private long start; // of the current string or word
  private boolean inString;
  private boolean escaped;
  private int levels;
  private int values;

  JsonGuard(String path, JsonLimits limits) {
    this.path = path;
    this.limits = limits;
  }

  /** Checks the next piece of the text. */
  void accept(byte[] bytes, int offset, int length) throws FormatException {
    for (int i = offset; i < offset + length; i++) {
      int b = bytes[i] & 0xff;
      if (position < 4) {
        checkEncoding(b);
      }
      if (inString) {
        string(b);
      } else {
        outside(b);
      }
      position++;
    }
  }

  /** JSON in UTF-8 has no zero byte; in UTF-16 and UTF-32, one of the first four bytes is zero. */
  private void checkEncoding(int b) throws FormatException {
    boolean isMark = position == 0 && (b == BYTE_ORDER_MARK_HIGH || b == BYTE_ORDER_MARK_LOW);
    JsonError.BAD_JSON.check(
        b != 0 && !isMark,
        path,
        "not JSON: not UTF-8, at byte %d (expected UTF-8 rather than UTF-16 or UTF-32)",
        position);
  }

  private void string(int b) throws FormatException {
    if (escaped) {
      escaped = false;
    } else if (b == '\\') {
      escaped = true;
    } else if (b == '"') {
      inString = false;
      start = position + 1;
      return;
    }
    if (position - start > limits.textBytes()) {
      throw JsonError.LIMIT_EXCEEDED.in(
          path,
          "has a string of more than %d bytes, at byte %d (expected at most %d)",
          limits.textBytes(),
          start,
          limits.textBytes());
    }
  }

  private void outside(int b) throws FormatException {
    switch (b) {
      case '"' -> {
        inString = true;
        start = position;
        return;
      }
      case '{', '[' -> {
        levels++;
        value();
      }
      case '}', ']' -> levels--;
      case ',', ':' -> value();
      case ' ', '\t', '\n', '\r' -> {
        // Ends a number.
      }
      default -> {
        checkNumber();
        return;
      }
    }
    start = position + 1;
    if (levels > JsonLimits.MAX_LEVELS) {
      throw JsonError.LIMIT_EXCEEDED.in(
          path,
          "is nested too deeply, at byte %d (expected at most %d levels)",
          position,
          JsonLimits.MAX_LEVELS);
    }
  }

  private void value() throws FormatException {
    values++;
    if (values > limits.values()) {
      throw JsonError.LIMIT_EXCEEDED.in(
          path, "has too many values, at byte %d (expected at most %d)", position, limits.values());
    }
  }

  private void checkNumber() throws FormatException {
    if (position - start > limits.numberBytes()) {
      throw JsonError.LIMIT_EXCEEDED.in(
          path,
          "has a number of more than %d characters, at byte %d (expected at most %d)",
          limits.numberBytes(),
          start,
          limits.numberBytes());
    }
  }
}
