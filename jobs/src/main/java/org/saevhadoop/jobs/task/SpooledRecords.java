package org.saevhadoop.jobs.task;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.LocalSpool;

/**
 * The output of a task in this process, which is held in memory or, once it is too large for
 * memory, in a temporary file that all tasks of a job share. One thread writes the output;
 * afterwards, one thread at a time reads it.
 */
public final class SpooledRecords implements TaskOutput {
  private static final int MEMORY_BYTES = 1 << 20;
  private static final int FIRST_BYTES = 1 << 12;
  private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

  /**
   * The temporary file of a job, and the memory that the output of its finished tasks may occupy.
   */
  public static final class Spool implements Closeable {
    private static final int KEPT_BYTES = 16 << 20;

    private final Io.Supplier<Path> scratch;
    private @Nullable LocalSpool file;
    private long kept;

    public Spool(Io.Supplier<Path> scratch) {
      this.scratch = scratch;
    }

    private synchronized long append(byte[] bytes, int length) throws IOException {
      if (file == null) {
        file = LocalSpool.temporary(scratch.get());
      }
      long position = file.length();
      file.append(ByteBuffer.wrap(bytes, 0, length));
      return position;
    }

    private synchronized void read(long position, ByteBuffer dst) throws IOException {
      Objects.requireNonNull(file).read(position, dst);
    }

    private synchronized boolean keeps(int bytes) {
      boolean keeps = kept + bytes <= KEPT_BYTES;
      kept += keeps ? bytes : 0;
      return keeps;
    }

    @Override
    public synchronized void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }

  private final Spool spool;

  /** The file positions of spooled pieces, by the output position of their first byte. */
  private final NavigableMap<Long, Long> pieces = new TreeMap<>();

  private byte[] memory = {};

  /** The number of bytes in the file, and the number of later bytes in memory. */
  private long spooled;

  private int kept;

  public SpooledRecords(Spool spool) {
    this.spool = spool;
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
    if (length > 0) {
      pieces.put(spooled, spool.append(bytes, length));
      spooled += length;
    }
  }

  /** Ends the records. The last records stay in memory if the job has room for them. */
  public void end() throws IOException {
    if (spool.keeps(kept)) {
      memory = Arrays.copyOf(memory, kept);
    } else {
      spool(memory, kept);
      kept = 0;
      memory = new byte[0];
    }
  }

  private void read(long position, ByteBuffer dst) throws IOException {
    int end = dst.limit();
    long at = position;
    while (at < spooled && dst.position() < end) {
      Map.Entry<Long, Long> piece = Objects.requireNonNull(pieces.floorEntry(at));
      Long next = pieces.higherKey(at);
      long left = (next == null ? spooled : next) - at;
      int some = (int) Math.min(left, end - dst.position());
      spool.read(piece.getValue() + at - piece.getKey(), dst.limit(dst.position() + some));
      at += some;
    }
    dst.limit(end);
    if (dst.hasRemaining()) {
      dst.put(memory, (int) (at - spooled), dst.remaining());
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
      // the file belongs to the job
    }
  }
}
