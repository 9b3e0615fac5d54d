package org.saevhadoop.format.pickle.read;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PyNumbers;

/** Opcodes that contain a number, in binary form or as a line of text. */
record NumberOpcodes(PickleInput in, PickleLimits limits) {
  /**
   * Maximum number of digits of a decimal integer that CPython reads ({@code
   * sys.int_info.default_max_str_digits}).
   */
  private static final int MAX_DIGITS = 4300;

  private static final int MAX_LINE = MAX_DIGITS + 2;

  // the form that picklers write: for any other form, INT and LONG of CPython disagree
  private static final Pattern INTEGER = Pattern.compile("-?[1-9][0-9]*|0");
  private static final Pattern INDEX = Pattern.compile("[0-9]+");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Pattern INFINITE = Pattern.compile("[+-]?inf(inity)?");
  private static final Pattern NOT_A_NUMBER = Pattern.compile("[+-]?nan");
  private static final long NEGATIVE_NAN = 0xfff8_0000_0000_0000L;

  /** Reads the number of an opcode; fails for an opcode without a number. */
  Object read(int opcode) throws IOException {
    return switch (opcode) {
      case Opcode.BININT -> (long) (int) in.readNumber(Integer.BYTES);
      case Opcode.BININT1 -> (long) in.readByte();
      case Opcode.BININT2 -> in.readNumber(Short.BYTES);
      case Opcode.LONG1 -> readLong(in.readByte());
      case Opcode.LONG4 -> readLong((int) in.readNumber(Integer.BYTES));
      case Opcode.INT -> parseInt(readLine(in, MAX_LINE));
      case Opcode.LONG -> parseLong(readLine(in, MAX_LINE));
      case Opcode.FLOAT -> parseFloat(readLine(in, MAX_LINE));
      case Opcode.BINFLOAT -> Double.longBitsToDouble(Long.reverseBytes(in.readNumber(Long.BYTES)));
      default -> throw in.fail("unknown opcode");
    };
  }

  private Object readLong(int length) throws IOException {
    in.check(
        length >= 0 && length <= limits.integerBytes(),
        PickleError.LIMIT_EXCEEDED,
        "an integer of %d bytes (at most %d)",
        length,
        limits.integerBytes());
    if (length == 0) {
      return 0L;
    }
    return PyNumbers.integer(new BigInteger(PyNumbers.reversed(in.readBytes(length))));
  }

  private Object parseInt(String line) throws FormatException {
    return switch (line) {
      case "00" -> Boolean.FALSE;
      case "01" -> Boolean.TRUE;
      default -> parseInteger(line);
    };
  }

  private Object parseLong(String line) throws FormatException {
    return parseInteger(line.endsWith("L") ? line.substring(0, line.length() - 1) : line);
  }

  private Object parseInteger(String text) throws FormatException {
    checkText(INTEGER, text, PickleError.BAD_PICKLE, "an integer");
    in.check(
        text.length() - (text.startsWith("-") ? 1 : 0) <= MAX_DIGITS,
        PickleError.LIMIT_EXCEEDED,
        "an integer of more than %d digits",
        MAX_DIGITS);
    return PyNumbers.integer(new BigInteger(text));
  }

  private Double parseFloat(String line) throws FormatException {
    String text = line.toLowerCase(Locale.ROOT);
    boolean isNegative = text.startsWith("-");
    if (NOT_A_NUMBER.matcher(text).matches()) {
      return isNegative ? Double.longBitsToDouble(NEGATIVE_NAN) : Double.NaN;
    }
    if (INFINITE.matcher(text).matches()) {
      return isNegative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    checkText(DECIMAL, text, PickleError.BAD_PICKLE, "a float");
    double value = Double.parseDouble(text);
    in.check(!Double.isInfinite(value), "a float that is too large");
    return value;
  }

  /** Reads a line with the index of a memo entry. */
  long readIndex() throws IOException {
    String line = readLine(in, MAX_LINE);
    checkText(INDEX, line, PickleError.BAD_OPCODE_ARG, "a number");
    BigInteger index = new BigInteger(line);
    in.check(
        index.bitLength() < Long.SIZE,
        PickleError.BAD_OPCODE_ARG,
        "the number %s is too large",
        ByteNames.quoted(line));
    return index.longValue();
  }

  private void checkText(Pattern form, String text, PickleError error, String what)
      throws FormatException {
    if (!form.matcher(text).matches()) {
      throw in.fail(error, "%s is not %s", ByteNames.quoted(text), what);
    }
  }

  /** Reads a line of limited length as Latin-1. */
  static String readLine(PickleInput in, int most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    in.readLine(
        most,
        piece -> {
          while (piece.hasRemaining()) {
            line.write(piece.get());
          }
        });
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
