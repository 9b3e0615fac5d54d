package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.task.TaskOutput;

/**
 * The hashes of vectors that are sent to the reducers, many per record, because a shuffle spends
 * more time on a record than on its bytes. The hashes of a column are divided into buckets that fit
 * in the memory of a reducer.
 */
final class VectorHashes {
  /** The size of an entry: a hash and the number of the vector. */
  static final int ENTRY_BYTES = 3 * Long.BYTES;

  static final long BUCKET_VECTORS = 1 << 18;

  private static final int MAX_RECORD_BYTES = 16 << 10;

  /** The memory for the records of all buckets. */
  private static final long MEMORY = 8 << 20;

  private final long buckets;
  private final int recordBytes;
  private final @Nullable ByteBuffer[] records;
  private final TaskOutput task;

  /**
   * @param buckets the number of buckets of each column
   */
  VectorHashes(int columns, long buckets, TaskOutput task) {
    this.buckets = buckets;
    this.records = new ByteBuffer[Math.toIntExact(columns * buckets)];
    long entries = Math.min(MAX_RECORD_BYTES, MEMORY / records.length) / ENTRY_BYTES;
    this.recordBytes = (int) Math.max(1, entries) * ENTRY_BYTES;
    this.task = task;
  }

  /** Returns the number of buckets of a column. */
  static long buckets(long vectors) {
    return (vectors - 1) / BUCKET_VECTORS + 1;
  }

  void add(int column, long hash1, long hash2, long vector)
      throws IOException, InterruptedException {
    int bucket = (int) (column * buckets + (hash1 >>> 1) % buckets);
    ByteBuffer record = records[bucket];
    if (record == null) {
      record = ByteBuffer.allocate(recordBytes);
      records[bucket] = record;
    }
    record.putLong(hash1).putLong(hash2).putLong(vector);
    if (!record.hasRemaining()) {
      write(bucket, record);
    }
  }

  private void write(int bucket, ByteBuffer record) throws IOException, InterruptedException {
    task.write(bucket, record.array(), record.position());
    record.clear();
  }

  /** Writes the remaining hashes. */
  void flush() throws IOException, InterruptedException {
    for (int bucket = 0; bucket < records.length; bucket++) {
      ByteBuffer record = records[bucket];
      if (record != null && record.position() > 0) {
        write(bucket, record);
      }
    }
  }
}
