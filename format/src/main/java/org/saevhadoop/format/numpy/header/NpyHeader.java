package org.saevhadoop.format.numpy.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * Header of a .npy file (NEP 1; numpy/lib/_format_impl.py of numpy 2.4): magic, version, length and
 * a Python dictionary, padded with spaces.
 *
 * @param type the type of the elements
 * @param fortranOrder whether the first dimension varies fastest, rather than the last dimension
 * @param shape the dimensions; empty for a scalar
 * @param dataOffset the offset of the first element in bytes
 */
public record NpyHeader(NumpyType type, boolean fortranOrder, List<Long> shape, long dataOffset) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** Number of bytes before the length field, which has two bytes, or four from version 2.0 on. */
  private static final int PREFIX = 8;

  private static final int ALIGNMENT = 64;

  /**
   * A limit far above the size of a header with a plain dtype and {@link #MAX_DIMENSIONS}
   * dimensions.
   */
  private static final int MAX_BYTES = 0xffff;

  /** NPY_MAXDIMS of numpy 2. */
  private static final int MAX_DIMENSIONS = 64;

  public NpyHeader {
    shape = List.copyOf(shape);
  }

  /** Returns whether a .npy file begins at a position. */
  public static boolean isAt(Input file, long position) throws IOException {
    if (file.length() - position < MAGIC.length) {
      return false;
    }
    ByteBuffer start = ByteBuffer.allocate(MAGIC.length);
    file.readFully(position, start);
    return ByteBuffer.wrap(MAGIC).equals(start.flip());
  }

  /**
   * Reads the header of a file and checks that the file contains the values.
   *
   * @throws FormatException with a kind of {@link NpyError}
   */
  public static NpyHeader read(Input file) throws IOException {
    return read(file, false);
  }

  /**
   * Reads the header of a file, which may declare an array of Python objects ({@link
   * NumpyType#OBJECTS}): a pickle follows.
   */
  public static NpyHeader readAny(Input file) throws IOException {
    return read(file, true);
  }

  private static NpyHeader read(Input file, boolean acceptsObjects) throws IOException {
    String path = file.path();
    long length = file.length();
    ByteBuffer start = ByteBuffer.allocate((int) Math.min(length, PREFIX + Integer.BYTES));
    file.readFully(0, start.order(ByteOrder.LITTLE_ENDIAN));
    start.flip();
    boolean isNpy =
        start.limit() >= MAGIC.length && ByteBuffer.wrap(MAGIC).equals(start.slice(0, 6));
    NpyError.NOT_NPY.check(isNpy, path, "is not a .npy file, at byte 0 (expected \\x93NUMPY)");
    checkEnd(length, PREFIX, path);
    boolean isShort = version(start, path) == 1;
    int begin = PREFIX + (isShort ? Short.BYTES : Integer.BYTES);
    checkEnd(length, begin, path);
    long bytes =
        isShort
            ? Short.toUnsignedLong(start.getShort(PREFIX))
            : Integer.toUnsignedLong(start.getInt(PREFIX));
    NpyError.LIMIT_EXCEEDED.check(
        bytes <= MAX_BYTES,
        path,
        "has a header of %d bytes, at byte %d (expected at most %d)",
        bytes,
        PREFIX,
        MAX_BYTES);
    checkEnd(length, begin + bytes, path);
    ByteBuffer text = ByteBuffer.allocate((int) bytes);
    file.readFully(begin, text);
    NpyHeader header =
        new NpyDictionary(
                path, new String(text.array(), StandardCharsets.ISO_8859_1), begin, acceptsObjects)
            .parse();
    checkEnd(length, header.end(path), path);
    return header;
  }

  /** Returns the major version; the minor version is 0. */
  private static int version(ByteBuffer start, String path) throws FormatException {
    int version = start.getShort(MAGIC.length);
    NpyError.UNSUPPORTED.check(
        version >= 1 && version <= 3,
        path,
        "has version %d.%d of the format, at byte %d (expected 1.0, 2.0 or 3.0)",
        version & 0xff,
        version >> Byte.SIZE & 0xff,
        MAGIC.length);
    return version;
  }

  private static void checkEnd(long length, long end, String path) throws FormatException {
    NpyError.TRUNCATED.check(
        end <= length, path, "ends at byte %d (expected %d bytes or more)", length, end);
  }

  /** Returns the offset after the last element. */
  private long end(String path) throws FormatException {
    NpyError.UNSUPPORTED.check(
        shape.size() <= MAX_DIMENSIONS,
        path,
        "has %d dimensions (expected at most %d)",
        shape.size(),
        MAX_DIMENSIONS);
    long bytes = shape.contains(0L) ? 0 : type.itemSize();
    for (long size : shape) {
      NpyError.BAD_HEADER.check(
          Math.multiplyHigh(bytes, size) == 0
              && bytes * size <= Long.MAX_VALUE - dataOffset
              && bytes * size >= 0,
          path,
          "has the shape %s, which no file can hold",
          shape);
      bytes *= size;
    }
    return dataOffset + bytes;
  }

  /** Returns the size of all elements in bytes. */
  public long length() {
    return shape.stream().reduce((long) type.itemSize(), (a, b) -> a * b);
  }

  /**
   * Returns the header of a file of version 1.0, as numpy writes it since 1.14, with {@link
   * #ALIGNMENT}.
   *
   * @throws FormatException if there are too many dimensions
   */
  public static byte[] encode(String path, NumpyType type, boolean fortranOrder, List<Long> shape)
      throws FormatException {
    String axes = shape.stream().map(Long::toUnsignedString).collect(Collectors.joining(", "));
    String dict =
        "{'descr': '%s', 'fortran_order': %s, 'shape': (%s%s), }"
            .formatted(
                type.descr(), fortranOrder ? "True" : "False", axes, shape.size() == 1 ? "," : "");
    int prefix = PREFIX + Short.BYTES;
    int length = (prefix + dict.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    NpyError.UNSUPPORTED.check(
        length - prefix <= MAX_BYTES,
        path,
        "has %d dimensions, too many for a .npy file",
        shape.size());
    ByteBuffer header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).putShort((short) 1).putShort((short) (length - prefix));
    header.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) {
      header.put((byte) ' ');
    }
    return header.put((byte) '\n').array();
  }
}
