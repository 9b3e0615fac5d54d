package org.saevhadoop.format.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * Distributes rows, which arrive in any order, over buckets, and writes them to one file. The rows
 * of a bucket are collected in a buffer, and a full buffer is appended to the file as a chunk. All
 * integers are little-endian:
 *
 * <pre>
 * chunk: int64   offset of the previous chunk of the bucket, or -1
 *        int32   number of rows
 *        int32   index of each row in the bucket
 *        bytes   the rows
 * end:   int64   offset of the last chunk of each bucket, or -1
 * </pre>
 */
public final class RowScatter implements Closeable {
  /** The length of a chunk without its rows and their indexes. */
  static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;

  /** The offset of a chunk that does not exist. */
  static final long NONE = -1;

  private final RowFormat format;
  private final Buckets buckets;
  private final Output out;
  private final ByteBuffer memory;
  private final int[] counts;
  private final long[] last;

  /** Creates a file of rows, of which {@code out} is the beginning. */
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
   * @param bytes its bytes, of which none remain afterwards
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

  /** Returns the offset of the rows in a chunk. */
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
    memory.putLong(chunk, last[bucket]).putInt(chunk + Long.BYTES, rows);
    out.write(memory.slice(chunk, rowsAt(rows)));
    out.write(memory.slice(chunk + rowsAt(format.chunkRows()), rows * format.rowBytes()));
    last[bucket] = offset;
    counts[bucket] = 0;
  }

  /** Writes the rows that are left, and the end of the file. */
  @Override
  public void close() throws IOException {
    try (out) {
      for (int bucket = 0; bucket < last.length; bucket++) {
        flush(bucket);
      }
      ByteBuffer end = ByteBuffer.allocate(endBytes(buckets)).order(ByteOrder.LITTLE_ENDIAN);
      end.asLongBuffer().put(last);
      out.write(end);
    }
  }

  /** Returns the length of the end of a file. */
  static int endBytes(Buckets buckets) {
    return buckets.count() * Long.BYTES;
  }
}
