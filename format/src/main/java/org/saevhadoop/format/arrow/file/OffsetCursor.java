package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Input;

/** The lengths of consecutive lists, read from their offsets. */
final class OffsetCursor {
  private static final int PIECE = 1 << 16;

  private final Input file;
  private final ArrowColumn.Level level;
  private final long elements;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(PIECE).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  /** The offset in the file of the first byte after the buffer. */
  private long at;

  private long last = -1;

  /**
   * Creates a cursor.
   *
   * @param elements the total number of elements of the lists
   */
  OffsetCursor(Input file, ArrowColumn.Level level, long elements) {
    this.file = file;
    this.level = level;
    this.elements = elements;
  }

  /** Returns the index of the first element of the next list. */
  long begin(long list) throws IOException {
    if (last < 0) {
      ArrowError.BAD_BATCH.check(
          list <= level.offsets().length() / level.width(),
          file.path(),
          "has offsets of lists in %d bytes (expected those of list %d)",
          level.offsets().length(),
          list);
      at = level.offsets().offset() + list * level.width();
      last = 0;
      last = offset();
    }
    return last;
  }

  /** Returns the number of elements of the next list. */
  long length() throws IOException {
    long begin = last;
    last = offset();
    return last - begin;
  }

  private long offset() throws IOException {
    if (!buffer.hasRemaining()) {
      long end = level.offsets().offset() + level.offsets().length();
      long left = (end - at) / level.width() * level.width();
      ArrowError.BAD_BATCH.check(
          left > 0,
          file.path(),
          "has %d bytes of list offsets (expected one more offset than lists)",
          level.offsets().length());
      file.readFully(at, buffer.clear().limit((int) Math.min(PIECE, left)));
      at += buffer.flip().limit();
    }
    long offset = level.width() == Integer.BYTES ? buffer.getInt() : buffer.getLong();
    ArrowError.BAD_BATCH.check(
        offset >= last && offset <= elements,
        file.path(),
        "has a list that ends at element %d (expected %d to %d)",
        offset,
        last,
        elements);
    return offset;
  }
}
