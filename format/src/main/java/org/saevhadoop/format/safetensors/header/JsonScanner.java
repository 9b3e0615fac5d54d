package org.saevhadoop.format.safetensors.header;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.saevhadoop.format.io.FormatException;

/**
 * Walks over the JSON of a header that is known to be valid UTF-8. It accepts the same JSON as
 * serde_json, the reference's JSON library: nesting to depth 127, no lone surrogates in strings,
 * and numbers of any length that are within the range of a double. Strings are checked but not
 * decoded; each is identified by the position of its opening quote in the file (see {@link
 * JsonString}).
 */
final class JsonScanner {
  private static final int MAX_DEPTH = 127;
  private static final int END = -1;

  /** Maximum number of digits that always fit in a long. */
  private static final int LONG_DIGITS = 18;

  private final byte[] json;
  private final HeaderFile file;
  private int at;
  private int depth;
  private int stringBytes;

  /** Creates a scanner at the beginning of the header. */
  JsonScanner(HeaderFile file) {
    this(file, HeaderFile.PREFIX);
  }

  /** Creates a scanner at a byte of the file. */
  JsonScanner(HeaderFile file, int at) {
    this.json = file.bytes();
    this.file = file;
    this.at = at;
  }

  /** Returns the current position in the file, after any blanks that {@link #peek} skipped. */
  int position() {
    return at;
  }

  /** Returns the next byte that is not blank, or -1 at the end. */
  int peek() {
    while (at < json.length && isBlank(json[at])) {
      at++;
    }
    return here();
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private int here() {
    return at < json.length ? json[at] & 0xff : END;
  }

  /** Enters an array or object. */
  void enter(char open, String expected) throws FormatException {
    if (peek() != open) {
      throw unexpected(expected);
    }
    if (++depth > MAX_DEPTH) {
      throw error(at, "arrays and objects are nested too deeply (expected at most %d)", MAX_DEPTH);
    }
    at++;
  }

  /**
   * Skips the rest of a text that repeats an earlier one, and returns whether it does.
   *
   * @param begin the position at which the text begins
   * @param from the position of the earlier text
   * @param to its end, or {@code from} if there is none
   */
  boolean repeats(int begin, int from, int to) {
    int end = begin + to - from;
    if (end <= at || end > json.length || !Arrays.equals(json, begin, end, json, from, to)) {
      return false;
    }
    at = end;
    return true;
  }

  /** Returns whether the array or object just entered has an element; if not, leaves it. */
  boolean first(char close) {
    if (peek() != close) {
      return true;
    }
    leave();
    return false;
  }

  /** Returns whether another element follows; if not, leaves the array or object. */
  boolean next(char close) throws FormatException {
    if (peek() == close) {
      leave();
      return false;
    }
    take(',', "`,` or `" + close + "`");
    if (peek() == close) {
      throw unexpected("another element after the comma");
    }
    return true;
  }

  private void leave() {
    at++;
    depth--;
  }

  /** Reads a key of an object and its colon, and returns the position of the key. */
  int key(String expected) throws FormatException {
    int key = string(expected);
    take(':', "`:`");
    return key;
  }

  /** Checks that nothing but blanks follows. */
  void end() throws FormatException {
    if (peek() != END) {
      throw unexpected("blanks only after the header's object");
    }
  }

  /** Returns the length in bytes, including quotes, of the string that was read last. */
  int stringBytes() {
    return stringBytes;
  }

  /** Reads a string and returns its position. */
  int string(String expected) throws FormatException {
    take('"', expected);
    int start = at - 1;
    while (true) {
      skipPlain();
      if (here() == '"') {
        at++;
        stringBytes = at - start;
        return start;
      }
      if (here() != '\\') {
        throw here() == END
            ? error(start, "the string does not end (expected `\"`)")
            : unexpected("control characters in strings as \\u escapes");
      }
      at++;
      escape();
    }
  }

  /** Returns whether the string at a position is {@code quoted}. */
  boolean isAt(int position, byte[] quoted) {
    int end = position + quoted.length;
    return end <= json.length && Arrays.equals(json, position, end, quoted, 0, quoted.length)
        || JsonString.equal(json, position, quoted, 0);
  }

  private void skipPlain() {
    while (at < json.length && json[at] != '"' && json[at] != '\\' && (json[at] & 0xff) >= 0x20) {
      at++;
    }
  }

  private void escape() throws FormatException {
    switch (here()) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at++;
      case 'u' -> unicode();
      default -> throw unexpected("one of \"\\/bfnrtu after a backslash");
    }
  }

  private void unicode() throws FormatException {
    int start = at - 1;
    at++;
    char c = hex();
    if (Character.isHighSurrogate(c) && here() == '\\') {
      at++;
      if (here() != 'u') {
        throw unexpected("the other half of a surrogate pair");
      }
      at++;
      if (Character.isLowSurrogate(hex())) {
        return;
      }
    }
    if (Character.isSurrogate(c)) {
      throw error(start, "a lone surrogate (expected \\ud8xx to \\udbxx, then \\udcxx to \\udfxx)");
    }
  }

  private char hex() throws FormatException {
    int value = 0;
    for (int i = 0; i < 4; i++, at++) {
      int digit = here() == END ? -1 : Character.digit(here(), 16);
      if (digit < 0) {
        throw unexpected("four hexadecimal digits after \\u");
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  /** Reads an unsigned integer from 0 to 2^64-1. */
  long u64(String expected) throws FormatException {
    if (!isDigit(peek())) {
      throw unexpected(expected);
    }
    int start = at;
    long value = 0;
    for (; isDigit(here()) && at - start < LONG_DIGITS; at++) {
      value = value * 10 + here() - '0';
    }
    boolean zero = json[start] == '0' && at - start > 1;
    return zero || continuesNumber() ? longU64(start, expected) : value;
  }

  private boolean continuesNumber() {
    int c = here();
    return isDigit(c) || c == '.' || c == 'e' || c == 'E';
  }

  private long longU64(int start, String expected) throws FormatException {
    at = start;
    HeaderNumber number = number();
    if (number.isFloat()) {
      String shown = new String(json, start, Math.min(at - start, 30), StandardCharsets.US_ASCII);
      throw error(start, "the number %s (expected %s)", shown, expected);
    }
    return number.significand();
  }

  private HeaderNumber number() throws FormatException {
    HeaderNumber number = new HeaderNumber();
    at += here() == '-' ? 1 : 0;
    boolean zero = here() == '0';
    int start = at;
    digits(number::integerDigit);
    if (zero && at - start > 1) {
      throw error(start, "a number with a leading zero (expected none)");
    }
    if (here() == '.') {
      at++;
      number.point();
      digits(number::fractionDigit);
    }
    if (here() == 'e' || here() == 'E') {
      at++;
      boolean down = here() == '-';
      at += down || here() == '+' ? 1 : 0;
      number.exponent(down);
      digits(number::exponentDigit);
    }
    if (number.isOutOfRange()) {
      throw error(
          start, "the number is out of range (expected a number that a 64-bit float can hold)");
    }
    return number;
  }

  private void digits(IntConsumer sink) throws FormatException {
    if (!isDigit(here())) {
      throw unexpected("a digit");
    }
    for (; isDigit(here()); at++) {
      sink.accept(here() - '0');
    }
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** Reads {@code null} if it is the next value, and returns whether it was read. */
  boolean takeNull() throws FormatException {
    if (peek() != 'n') {
      return false;
    }
    word("null");
    return true;
  }

  private void word(String word) throws FormatException {
    for (int i = 0; i < word.length(); i++, at++) {
      if (here() != word.charAt(i)) {
        throw unexpected("`" + word + "`");
      }
    }
  }

  /** Checks and skips a value of any kind. */
  void skip() throws FormatException {
    switch (peek()) {
      case '{' -> skipObject();
      case '[' -> skipArray();
      case '"' -> string("a string");
      case 'n' -> word("null");
      case 't' -> word("true");
      case 'f' -> word("false");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw unexpected("a value");
    }
  }

  private void skipObject() throws FormatException {
    enter('{', "an object");
    for (boolean more = first('}'); more; more = next('}')) {
      key("a key in quotes");
      skip();
    }
  }

  private void skipArray() throws FormatException {
    enter('[', "an array");
    for (boolean more = first(']'); more; more = next(']')) {
      skip();
    }
  }

  private void take(char c, String expected) throws FormatException {
    if (peek() != c) {
      throw unexpected(expected);
    }
    at++;
  }

  /** Returns the error for the next token. */
  FormatException unexpected(String expected) {
    int c = here();
    if (c == END) {
      return error(at, "the header ends (expected %s)", expected);
    }
    String shown = c > 0x20 && c < 0x7f ? "`" + (char) c + "`" : String.format("0x%02x", c);
    return error(at, "found %s (expected %s)", shown, expected);
  }

  /** Returns an error for a byte of the header. */
  @FormatMethod
  FormatException error(int position, @FormatString String problem, Object... args) {
    return file.jsonError(position, String.format(problem, args));
  }
}
