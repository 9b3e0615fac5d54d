package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The bytes of a file's header, and the errors that concern the file.
 *
 * @param hint what the file might be instead, to append to an error; may be empty
 * @param dataBytes bytes after the header
 */
record HeaderFile(String path, String hint, long dataBytes, byte[] json) {
  /** Bytes of the header's length before the header. */
  static final int PREFIX = 8;

  /** Reads the header's bytes; the reference's checks 1 to 4. */
  static HeaderFile read(Input in) throws IOException {
    String path = in.path();
    long length = in.length();
    if (length < PREFIX) {
      throw SafetensorsError.HeaderTooSmall.in(
          path, "the file has %d bytes (expected at least %d)", length, PREFIX);
    }
    byte[] start = new byte[(int) Math.min(length, FileKind.BYTES)];
    in.readFully(0, ByteBuffer.wrap(start));
    String hint = FileKind.hint(start);
    long n = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
    if (Long.compareUnsigned(n, SafetensorsHeader.MAX_HEADER_BYTES) > 0) {
      throw SafetensorsError.HeaderTooLarge.in(
          path,
          "the first 8 bytes ask for a header of %s bytes (expected at most %d)%s",
          Long.toUnsignedString(n),
          SafetensorsHeader.MAX_HEADER_BYTES,
          hint);
    }
    if (PREFIX + n > length) {
      throw SafetensorsError.InvalidHeaderLength.in(
          path,
          "the header ends at byte %d, after the file (expected at most %d)%s",
          PREFIX + n,
          length,
          hint);
    }
    byte[] json = new byte[(int) n];
    in.readFully(PREFIX, ByteBuffer.wrap(json));
    HeaderFile file = new HeaderFile(path, hint, length - PREFIX - n, json);
    file.checkUtf8();
    return file;
  }

  private void checkUtf8() throws FormatException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.wrap(json);
    CharBuffer dropped = CharBuffer.allocate(8192);
    CoderResult result;
    do {
      dropped.clear();
      result = decoder.decode(bytes, dropped, true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw error(
          SafetensorsError.InvalidHeader,
          "byte %d of the file is not UTF-8 (expected a JSON header)%s",
          PREFIX + bytes.position(),
          hint);
    }
  }

  FormatException error(SafetensorsError kind, String problem, Object... args) {
    return kind.in(path, problem, args);
  }

  /** An error in the JSON, at a byte of the header. */
  FormatException jsonError(int position, String problem) {
    return error(
        SafetensorsError.InvalidHeaderDeserialization,
        "byte %d of the file: %s%s",
        PREFIX + position,
        problem,
        hint);
  }
}
