package org.saevhadoop.format.safetensors.header;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.kind.FileKind;

/**
 * The beginning of a file, up to its data. This record also creates the errors that refer to the
 * file.
 *
 * @param path the path of the file for error messages
 * @param dataBytes the number of bytes after the header
 * @param bytes the 8-byte length field and the header, so that a position in the array is an offset
 *     in the file
 */
public record HeaderFile(String path, long dataBytes, byte[] bytes) {
  /** Size in bytes of the length field before the header. */
  public static final int PREFIX = 8;

  /** Number of header bytes to read initially if the length is not known; most headers fit. */
  static final int USUAL_BYTES = (16 << 10) - PREFIX;

  private static final int UTF8_CHARS = 8192;

  /** Reads a header of unknown length, in one read if it is at most 16 KiB long. */
  public static HeaderFile read(Input in) throws IOException {
    return read(in, USUAL_BYTES);
  }

  /**
   * Reads the bytes of the header and applies checks 1 to 4 of the reference. This takes one read
   * if the header has at most {@code expectedBytes} bytes, and otherwise two.
   *
   * @param expectedBytes the length of the header if an index provides it; it may be wrong
   * @throws FormatException with {@link SafetensorsError#HeaderTooSmall}, {@link
   *     SafetensorsError#HeaderTooLarge}, {@link SafetensorsError#InvalidHeaderLength} or {@link
   *     SafetensorsError#InvalidHeader}
   */
  public static HeaderFile read(Input in, long expectedBytes) throws IOException {
    String path = in.path();
    long length = in.length();
    if (length < PREFIX) {
      throw SafetensorsError.HeaderTooSmall.in(
          path, "the file has %d bytes (expected at least %d)", length, PREFIX);
    }
    byte[] start = start(in, length, expectedBytes);
    long n = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
    if (Long.compareUnsigned(n, SafetensorsHeader.MAX_HEADER_BYTES) > 0) {
      throw SafetensorsError.HeaderTooLarge.in(
          path,
          "the first 8 bytes declare a header of %s bytes (expected at most %d)%s",
          Long.toUnsignedString(n),
          SafetensorsHeader.MAX_HEADER_BYTES,
          FileKind.hint(in));
    }
    if (PREFIX + n > length) {
      throw SafetensorsError.InvalidHeaderLength.in(
          path,
          "the header ends at byte %d, beyond the end of the file (expected at most %d)%s",
          PREFIX + n,
          length,
          FileKind.hint(in));
    }
    HeaderFile file =
        new HeaderFile(path, length - PREFIX - n, extend(in, start, PREFIX + (int) n));
    file.checkUtf8();
    return file;
  }

  private static byte[] start(Input in, long length, long expectedBytes) throws IOException {
    long expected = Math.max(0, Math.min(expectedBytes, SafetensorsHeader.MAX_HEADER_BYTES));
    byte[] start = new byte[(int) Math.min(length, PREFIX + expected)];
    in.readFully(0, ByteBuffer.wrap(start));
    return start;
  }

  private static byte[] extend(Input in, byte[] start, int length) throws IOException {
    if (start.length == length) {
      return start;
    }
    byte[] bytes = Arrays.copyOf(start, length);
    if (start.length < length) {
      in.readFully(start.length, ByteBuffer.wrap(bytes, start.length, length - start.length));
    }
    return bytes;
  }

  private void checkUtf8() throws FormatException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer header = ByteBuffer.wrap(bytes, PREFIX, bytes.length - PREFIX);
    CharBuffer dropped = CharBuffer.allocate(Math.min(UTF8_CHARS, bytes.length));
    CoderResult result;
    do {
      dropped.clear();
      result = decoder.decode(header, dropped, true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw error(
          SafetensorsError.InvalidHeader,
          "byte %d of the file is not UTF-8 (expected a JSON header)%s",
          header.position(),
          FileKind.hint(bytes));
    }
  }

  /**
   * Returns whether the header contains the entry of a tensor exactly as writers encode it. The
   * same bytes can have a different meaning in JSON only within an unknown field.
   */
  public boolean shows(TensorInfo tensor) {
    byte[] part = HeaderEncoder.part(tensor);
    for (int i = PREFIX + 1; i <= bytes.length - part.length; i++) {
      if (bytes[i] == '"'
          && (bytes[i - 1] == ',' || bytes[i - 1] == '{')
          && Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  @FormatMethod
  FormatException error(SafetensorsError kind, @FormatString String problem, Object... args) {
    return kind.in(path, problem, args);
  }

  /** Returns an error in the JSON at a position in the file. */
  FormatException jsonError(int position, String problem) {
    return error(
        SafetensorsError.InvalidHeaderDeserialization,
        "byte %d of the file: %s%s",
        position,
        problem,
        FileKind.hint(bytes));
  }
}
