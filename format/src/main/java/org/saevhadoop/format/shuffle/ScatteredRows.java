package org.saevhadoop.format.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.staged.StagedError;
import org.saevhadoop.format.staged.StagedFolder;

/**
 * The files written by {@link RowScatter}s, read as one file of all rows in their final order. An
 * open file keeps the last bucket in memory, so rows should be read in ascending order.
 */
final class ScatteredRows {
  private final StagedFolder folder;
  private final List<String> files;
  private final RowFormat format;

  /**
   * Buffers of closed files, which are reused because a direct buffer is freed only some time after
   * its last use.
   */
  private final Queue<Memory> unused = new ConcurrentLinkedQueue<>();

  /** Buffers for the rows of a bucket and for a chunk. */
  private record Memory(ByteBuffer rows, ByteBuffer chunk) {
    static Memory of(RowFormat format) {
      return new Memory(
          Input.buffer(format.buckets().bucketRows() * format.rowBytes()),
          ByteBuffer.allocateDirect(format.chunkBytes()).order(ByteOrder.LITTLE_ENDIAN));
    }
  }

  ScatteredRows(StagedFolder folder, List<String> files, RowFormat format) {
    this.folder = folder;
    this.files = files;
    this.format = format;
  }

  /**
   * Opens the rows as a file.
   *
   * @param path the path of the file, for messages
   */
  Input open(String path) {
    return new RowsInput(path);
  }

  /** Returns the name of one of the files; empty if there are no files. */
  String firstFile() {
    return files.isEmpty() ? "" : files.get(0);
  }

  long length() {
    return format.buckets().rows() * format.rowBytes();
  }

  private final class RowsInput implements Input {
    private final String path;
    private final Buckets buckets = format.buckets();
    private final int rowBytes = format.rowBytes();
    private @Nullable Memory memory;
    private int loaded = -1;

    RowsInput(String path) {
      this.path = path;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long length() {
      return ScatteredRows.this.length();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      FileError.checkRead(this, position, dst);
      long at = position;
      while (dst.hasRemaining()) {
        int bucket = buckets.of(at / rowBytes);
        ByteBuffer bytes = bucket(bucket);
        int offset = (int) (at - buckets.first(bucket) * rowBytes);
        int some = Math.min(dst.remaining(), bytes.limit() - offset);
        dst.put(bytes.slice(offset, some));
        at += some;
      }
    }

    private ByteBuffer bucket(int bucket) throws IOException {
      if (memory == null) {
        Memory found = unused.poll();
        memory = found == null ? Memory.of(format) : found;
      }
      ByteBuffer rows = memory.rows;
      if (loaded != bucket) {
        loaded = -1;
        load(bucket, rows.clear().limit(buckets.rows(bucket) * rowBytes), memory.chunk);
        loaded = bucket;
      }
      return rows;
    }

    @Override
    public void close() {
      if (memory != null) {
        unused.add(memory);
        memory = null;
      }
    }
  }

  private void load(int bucket, ByteBuffer into, ByteBuffer chunk) throws IOException {
    int rows = format.buckets().rows(bucket);
    BitSet found = new BitSet(rows);
    for (String name : files) {
      try (Input file = folder.openRaw(name)) {
        load(bucket, name, file, into, chunk, found);
      }
    }
    StagedError.DAMAGED.check(
        found.cardinality() == rows,
        folder.path(),
        "has %d rows of bucket %d (expected %d)",
        found.cardinality(),
        bucket,
        rows);
  }

  private void load(
      int bucket, String name, Input file, ByteBuffer into, ByteBuffer chunk, BitSet found)
      throws IOException {
    long end = file.length() - RowScatter.endBytes(format.buckets());
    long entry = end + (long) bucket * RowScatter.ENTRY_BYTES;
    read(name, file, entry, chunk.clear().limit(RowScatter.ENTRY_BYTES));
    long offset = chunk.getLong(0);
    if (chunk.getInt(Long.BYTES) != RowScatter.crc(bucket, offset)) {
      throw folder.damaged(name, entry);
    }
    int rows = format.buckets().rows(bucket);
    while (offset != RowScatter.NONE) {
      int count = readChunk(name, file, offset, end, chunk);
      long previous = chunk.getLong(0);
      int start = RowScatter.rowsAt(format.chunkRows());
      for (int i = 0; i < count; i++) {
        int index = chunk.getInt(RowScatter.HEAD_BYTES + i * Integer.BYTES);
        mark(index, rows, file, found);
        into.put(
            index * format.rowBytes(), chunk, start + i * format.rowBytes(), format.rowBytes());
      }
      offset = previous;
    }
  }

  /** Reads a chunk, positions its rows as in a full chunk, and returns their number. */
  private int readChunk(String name, Input file, long offset, long end, ByteBuffer chunk)
      throws IOException {
    int head = (int) Math.min(RowScatter.rowsAt(format.chunkRows()), end - offset);
    read(name, file, offset, chunk.clear().limit(Math.max(0, head)));
    int count = chunk.clear().getInt(RowScatter.COUNT_AT);
    if (chunk.getLong(0) >= offset || count <= 0 || count > format.chunkRows()) {
      throw folder.damaged(name, offset);
    }
    int start = RowScatter.rowsAt(format.chunkRows());
    int length = count * format.rowBytes();
    read(
        name, file, offset + RowScatter.rowsAt(count), chunk.position(start).limit(start + length));
    chunk.clear();
    int crc = RowScatter.crc(chunk.slice(0, RowScatter.rowsAt(count)), chunk.slice(start, length));
    if (chunk.getInt(RowScatter.CRC_AT) != crc) {
      throw folder.damaged(name, offset);
    }
    return count;
  }

  private void read(String name, Input file, long position, ByteBuffer dst) throws IOException {
    if (position < 0 || dst.remaining() > file.length() - position) {
      throw folder.damaged(name, Math.max(0, position));
    }
    file.readFully(position, dst);
  }

  private static void mark(int index, int rows, Input file, BitSet found) throws IOException {
    DatasetError.BLOCK_REPEATED.check(
        index >= 0 && index < rows && !found.get(index),
        file.path(),
        "contains row %d of its bucket twice, or the bucket has no such row",
        index);
    found.set(index);
  }
}
