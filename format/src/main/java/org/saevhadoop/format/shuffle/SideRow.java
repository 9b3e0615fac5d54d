package org.saevhadoop.format.shuffle;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The side data for a row, such as its label, which is written and read in separate files.
 *
 * @param coordinates whether the data includes the source of the row: int64 example, int32 token
 * @param labels the number of labels, each with one byte
 * @param marks the number of tokens, each with a byte that is 0 for padding and 1 for other tokens
 */
public record SideRow(boolean coordinates, int labels, int marks) {
  /** Empty side data. */
  public static final SideRow NONE = new SideRow(false, 0, 0);

  private static final int COORDINATE_BYTES = Long.BYTES + Integer.BYTES;

  /**
   * Size of a chunk, which is small because each bucket has such a chunk in addition to the chunk
   * of its rows.
   */
  private static final int CHUNK_BYTES = 1 << 16;

  /** Returns the length in bytes. */
  public int bytes() {
    return labelsAt() + labels + marks;
  }

  private int labelsAt() {
    return coordinates ? COORDINATE_BYTES : 0;
  }

  /** Returns the format of files that contain such data. */
  RowFormat format(Buckets buckets) {
    int chunkRows = Math.max(1, CHUNK_BYTES / (bytes() + Integer.BYTES));
    return new RowFormat(buckets, bytes(), Math.min(chunkRows, buckets.bucketRows()));
  }

  /** Returns a buffer for the data of one row. */
  public ByteBuffer buffer() {
    return ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Puts the data of a row into a buffer.
   *
   * @param some the labels, followed by the token marks
   */
  public void put(long example, int token, ByteBuffer some, ByteBuffer into) {
    into.clear();
    if (coordinates) {
      into.putLong(example).putInt(token);
    }
    into.put(some).flip();
  }

  /** Returns the example number stored in the data at a position. */
  static long example(ByteBuffer side, int position) {
    return side.getLong(position);
  }

  /** Returns the token number stored in the data at a position. */
  static int token(ByteBuffer side, int position) {
    return side.getInt(position + Long.BYTES);
  }

  /** Returns the mark of a token in the data at a position. */
  byte mark(ByteBuffer side, int position, int token) {
    return side.get(position + labelsAt() + labels + token);
  }

  /** Copies the labels in the data at a position. */
  void labels(ByteBuffer side, int position, ByteBuffer into) {
    into.put(side.slice(position + labelsAt(), labels));
  }
}
