package org.saevhadoop.format.samediff.sdnb;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** Cursor over the bytes of a manifest, which are read in pieces. Numbers are big-endian. */
final class SerialInput {
  private static final int MAX_PIECE = 64 << 10;

  private final Input file;
  private final long end;
  private final ByteBuffer piece;

  /** Position in the file of the first byte after the piece. */
  private long pieceEnd;

  /** Creates a cursor over a range, which must be in the file. */
  SerialInput(Input file, long offset, long length) {
    this.file = file;
    this.end = offset + length;
    this.pieceEnd = offset;
    this.piece = ByteBuffer.allocate((int) Math.min(length, MAX_PIECE)).limit(0);
  }

  /** Returns the position in the file of the next byte. */
  long position() {
    return pieceEnd - piece.remaining();
  }

  long remaining() {
    return end - position();
  }

  /** Returns the next byte as a number from 0 to 255, without reading it; -1 at the end. */
  int peekByte() throws IOException {
    if (!piece.hasRemaining() && !fill()) {
      return -1;
    }
    return piece.get(piece.position()) & 0xff;
  }

  int readByte() throws IOException {
    if (!piece.hasRemaining() && !fill()) {
      throw fail("the manifest ends too early, at byte %d", end);
    }
    return piece.get() & 0xff;
  }

  int readShort() throws IOException {
    return (int) readNumber(Short.BYTES);
  }

  int readInt() throws IOException {
    return (int) readNumber(Integer.BYTES);
  }

  long readLong() throws IOException {
    return readNumber(Long.BYTES);
  }

  private long readNumber(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number = number << Byte.SIZE | readByte();
    }
    return number;
  }

  /** Reads bytes; callers must have checked the length against a limit. */
  byte[] readBytes(int length) throws IOException {
    check(length <= remaining(), "the manifest ends too early, at byte %d", end);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) readByte();
    }
    return bytes;
  }

  /** Reads the next piece; returns false at the end. */
  private boolean fill() throws IOException {
    int count = (int) Math.min(end - pieceEnd, piece.capacity());
    file.readFully(pieceEnd, piece.clear().limit(count));
    piece.flip();
    pieceEnd += count;
    return count > 0;
  }

  /** Returns the exception for a manifest that is not the serialized map. */
  @FormatMethod
  FormatException fail(@FormatString String template, Object... args) {
    return SdnbError.BAD_MANIFEST.in(file.path(), template, args);
  }

  @FormatMethod
  void check(boolean holds, @FormatString String template, Object... args) throws FormatException {
    if (!holds) {
      throw fail(template, args);
    }
  }

  /** Throws an exception if a count or a size, which {@code what} names, is above a limit. */
  void checkLimit(long value, long limit, String what, long at) throws FormatException {
    SdnbError.TOO_LARGE.check(
        value <= limit,
        file.path(),
        "the manifest has %d %s, at byte %d (expected at most %d)",
        value,
        what,
        at,
        limit);
  }
}
