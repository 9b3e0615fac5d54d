package org.saevhadoop.format.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * Distributes rows, which arrive in any order, among buckets, and writes them to one file. The rows
 * of a bucket are collected in a buffer, and a full buffer is appended to the file as a chunk. All
 * integers are little-endian:
 *
 * <pre>
 * chunk: int64   offset of the previous chunk of the bucket, or -1
 *        int32   number of rows
 *        int32   CRC-32C of all other bytes of the chunk
 *        int32   index of each row in the bucket
 *        bytes   the rows
 * end, for each bucket:
 *        int64   offset of its last chunk, or -1
 *        int32   CRC-32C of its number, as int32, and of this offset
 * </pre>
 */
public final class RowScatter implements Closeable {
  /** The length of a chunk without its rows and their indexes. */
  static final int HEAD_BYTES = Long.BYTES + 2 * Integer.BYTES;

  static final int COUNT_AT = Long.BYTES;
  static final int CRC_AT = COUNT_AT + Integer.BYTES;

  /** The length of a bucket's entry at the end of a file. */
  static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

  /** The offset that indicates the absence of a chunk. */
  static final long NONE = -1;

  private final RowFormat format;
  private final Buckets buckets;
  private final Output out;
  private final ByteBuffer memory;
  private final int[] counts;
  private final long[] last;

  /** Creates a file of rows, which follow the bytes already written to {@code out}. */
  public RowScatter(RowFormat format, Output out) {
    this.format = format;
    this.buckets = format.buckets();
    this.out = out;
    int bytes = Math.multiplyExact(buckets.count(), format.chunkBytes());
    this.memory = Input.buffer(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.counts = new int[buckets.count()];
    this.last = new long[buckets.count()];
    Arrays.fill(last, NONE);
  }

  /**
   * Adds a row.
   *
   * @param row the number of the row in the shuffled dataset
   * @param bytes the bytes of the row, all of which are consumed
   */
  public void add(long row, ByteBuffer bytes) throws IOException {
    int bucket = buckets.of(row);
    int chunk = bucket * format.chunkBytes();
    int index = counts[bucket]++;
    memory.putInt(chunk + HEAD_BYTES + index * Integer.BYTES, (int) (row - buckets.first(bucket)));
    int length = bytes.remaining();
    memory.put(
        chunk + rowsAt(format.chunkRows()) + index * length, bytes, bytes.position(), length);
    bytes.position(bytes.limit());
    if (counts[bucket] == format.chunkRows()) {
      flush(bucket);
    }
  }

  static int rowsAt(int rows) {
    return HEAD_BYTES + rows * Integer.BYTES;
  }

  private void flush(int bucket) throws IOException {
    int rows = counts[bucket];
    if (rows == 0) {
      return;
    }
    int chunk = bucket * format.chunkBytes();
    long offset = out.position();
    ByteBuffer head = memory.slice(chunk, rowsAt(rows)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer bytes = memory.slice(chunk + rowsAt(format.chunkRows()), rows * format.rowBytes());
    head.putLong(0, last[bucket]).putInt(COUNT_AT, rows).putInt(CRC_AT, crc(head, bytes));
    out.write(head);
    out.write(bytes);
    last[bucket] = offset;
    counts[bucket] = 0;
  }

  /**
   * Returns the checksum of a chunk.
   *
   * @param head the bytes before the rows
   */
  static int crc(ByteBuffer head, ByteBuffer rows) {
    CRC32C crc = new CRC32C();
    crc.update(head.slice(0, CRC_AT));
    crc.update(head.slice(HEAD_BYTES, head.limit() - HEAD_BYTES));
    crc.update(rows.duplicate());
    return (int) crc.getValue();
  }

  /** Returns the checksum of a bucket's entry at the end of a file. */
  static int crc(int bucket, long offset) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(ENTRY_BYTES).putInt(bucket).putLong(offset).flip());
    return (int) crc.getValue();
  }

  /** Writes the remaining rows and the end of the file. */
  @Override
  public void close() throws IOException {
    try (out) {
      for (int bucket = 0; bucket < last.length; bucket++) {
        flush(bucket);
      }
      ByteBuffer end = ByteBuffer.allocate(endBytes(buckets)).order(ByteOrder.LITTLE_ENDIAN);
      for (int bucket = 0; bucket < last.length; bucket++) {
        end.putLong(last[bucket]).putInt(crc(bucket, last[bucket]));
      }
      out.write(end.flip());
    }
  }

  static int endBytes(Buckets buckets) {
    return buckets.count() * ENTRY_BYTES;
  }
}
