package org.saevhadoop.jobs.task;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.LocalSpool;

/**
 * What a task of this process hands over: in memory, and in a temporary file once it is more than 1
 * MiB. One thread writes, and then one thread at a time reads.
 */
public final class SpooledRecords implements TaskOutput, Closeable {
  private static final int MEMORY_BYTES = 1 << 20;
  private static final int FIRST_BYTES = 1 << 12;
  private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

  /** Returns a folder for temporary files. */
  @FunctionalInterface
  public interface Scratch {
    Path folder() throws IOException;
  }

  private final Scratch scratch;
  private @Nullable LocalSpool spool;
  private byte[] memory = {};

  /** The number of bytes in the file, and in memory behind them. */
  private long spooled;

  private int kept;

  public SpooledRecords(Scratch scratch) {
    this.scratch = scratch;
  }

  /** Returns the records of several tasks. */
  public static TaskRecords of(List<SpooledRecords> tasks) {
    return new TaskRecords() {
      @Override
      public int tasks() {
        return tasks.size();
      }

      @Override
      public Cursor open(int task) {
        return tasks.get(task).new Reader();
      }
    };
  }

  @Override
  public void write(long key, byte[] bytes, int length) throws IOException {
    byte[] header = ByteBuffer.allocate(HEADER_BYTES).putLong(key).putInt(length).array();
    append(header, HEADER_BYTES);
    append(bytes, length);
  }

  private void append(byte[] bytes, int length) throws IOException {
    if (length > MEMORY_BYTES - kept) {
      spool(memory, kept);
      kept = 0;
    }
    if (length > MEMORY_BYTES) {
      spool(bytes, length);
      return;
    }
    if (kept + length > memory.length) {
      int doubled = Math.max(FIRST_BYTES, 2 * memory.length);
      memory = Arrays.copyOf(memory, Math.min(MEMORY_BYTES, Math.max(doubled, kept + length)));
    }
    System.arraycopy(bytes, 0, memory, kept, length);
    kept += length;
  }

  private void spool(byte[] bytes, int length) throws IOException {
    if (spool == null) {
      spool = LocalSpool.temporary(scratch.folder());
    }
    spool.append(ByteBuffer.wrap(bytes, 0, length));
    spooled += length;
  }

  private void read(long position, ByteBuffer dst) throws IOException {
    long inFile = spooled - position;
    if (inFile > 0) {
      int end = dst.limit();
      dst.limit((int) Math.min(end, dst.position() + inFile));
      Objects.requireNonNull(spool).read(position, dst);
      dst.limit(end);
    }
    if (dst.hasRemaining()) {
      dst.put(memory, (int) Math.max(0, position - spooled), dst.remaining());
    }
  }

  @Override
  public void close() throws IOException {
    if (spool != null) {
      spool.close();
    }
  }

  private final class Reader implements TaskRecords.Cursor {
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    private byte[] value = {};
    private long next;
    private long key;
    private int length;

    @Override
    public long position() {
      return next;
    }

    @Override
    public void seek(long position) {
      next = position;
    }

    @Override
    public boolean next() throws IOException {
      if (next == spooled + kept) {
        return false;
      }
      read(next, header.clear());
      key = header.flip().getLong();
      length = header.getInt();
      next += HEADER_BYTES + length;
      return true;
    }

    @Override
    public long key() {
      return key;
    }

    @Override
    public ByteBuffer value() throws IOException {
      value = value.length < length ? new byte[length] : value;
      ByteBuffer bytes = ByteBuffer.wrap(value, 0, length);
      read(next - length, bytes);
      return bytes.flip();
    }

    @Override
    public void close() {
      // the file stays open for other readers
    }
  }
}
