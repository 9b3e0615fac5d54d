package org.saevhadoop.format.arrays.pickled;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Opcodes of pickles of numpy's arrays: texts in which a character is a byte. */
public final class NumpyPickle {
  public static final String NONE = "N";
  private static final String FALSE = "\u0089";
  private static final String TRUE = "\u0088";

  private NumpyPickle() {}

  /** Returns a pickle of protocol 4. */
  public static byte[] bytes(String value) {
    return ("\u0080\4" + value + ".").getBytes(StandardCharsets.ISO_8859_1);
  }

  static String global(String module, String name) {
    return "c" + module + "\n" + name + "\n";
  }

  public static String text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return "X" + little(Integer.BYTES, utf8.length) + new String(utf8, StandardCharsets.ISO_8859_1);
  }

  public static String number(long value) {
    return "J" + little(Integer.BYTES, value);
  }

  private static String little(int width, long value) {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    return new String(bytes, 0, width, StandardCharsets.ISO_8859_1);
  }

  public static String tuple(String... items) {
    return "(" + String.join("", items) + "t";
  }

  public static String list(String... items) {
    return "](" + String.join("", items) + "e";
  }

  /** Returns a dictionary of keys and values in turns. */
  public static String dict(String... items) {
    return "}(" + String.join("", items) + "u";
  }

  static String call(String function, String... args) {
    return function + tuple(args) + "R";
  }

  private static String sizes(long... shape) {
    return LongStream.of(shape)
        .mapToObj(NumpyPickle::number)
        .collect(Collectors.joining("", "(", "t"));
  }

  /** Returns a dtype such as {@code f4} in a byte order. */
  static String dtype(String code, String order) {
    return call(global("numpy", "dtype"), text(code), FALSE, TRUE)
        + tuple(number(3), text(order), NONE, NONE, NONE, number(-1), number(-1), number(0))
        + "b";
  }

  /** Returns a dtype of two fields. */
  static String structure() {
    return call(global("numpy", "dtype"), text("V8"), FALSE, TRUE)
        + tuple(
            number(3),
            text("|"),
            NONE,
            tuple(text("a"), text("b")),
            dict(),
            number(8),
            number(1),
            number(16))
        + "b";
  }

  /** Returns an array whose bytes count from 0. */
  public static String floats(long... shape) {
    long bytes = LongStream.of(shape).reduce(Float.BYTES, (a, b) -> a * b);
    return array(dtype("f4", "<"), false, counted(bytes), shape);
  }

  static String array(String dtype, boolean fortran, String data, long... shape) {
    return reconstruct(global("numpy", "ndarray"))
        + tuple(number(1), sizes(shape), dtype, fortran ? TRUE : FALSE, data)
        + "b";
  }

  static String reconstruct(String type) {
    return call(global("numpy._core.multiarray", "_reconstruct"), type, sizes(0), "C\1b");
  }

  /** Returns an array as numpy writes it with protocol 5. */
  static String buffer(String dtype, String order, byte[] data, long... shape) {
    return call(
        global("numpy._core.numeric", "_frombuffer"),
        "\u0096" + little(Long.BYTES, data.length) + new String(data, StandardCharsets.ISO_8859_1),
        dtype,
        sizes(shape),
        text(order));
  }

  static String counted(long bytes) {
    StringBuilder data = new StringBuilder("B" + little(Integer.BYTES, bytes));
    for (int i = 0; i < bytes; i++) {
      data.append((char) (i & 0xff));
    }
    return data.toString();
  }
}
