package org.saevhadoop.format.parquet.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;

/** File that is read in windows, so that small adjacent reads become one read of the file. */
public final class ByteWindows {
  private record Window(long start, ByteBuffer bytes) {
    boolean covers(long position, int length) {
      return start <= position && position + length <= start + bytes.limit();
    }
  }

  private final Input in;
  private final long length;
  private final int before;
  private final int windowBytes;
  private final Window[] kept;
  private int next;
  private @Nullable Window last;

  /**
   * Creates windows over a file.
   *
   * @param before the number of bytes that a window includes before the requested ones
   * @param windowBytes the size of a window for smaller requests
   * @param kept the maximum number of cached windows
   */
  public ByteWindows(Input in, int before, int windowBytes, int kept) throws IOException {
    this.in = in;
    this.length = in.length();
    this.before = before;
    this.windowBytes = windowBytes;
    this.kept = new Window[kept];
  }

  public String path() {
    return in.path();
  }

  public long length() {
    return length;
  }

  /** Reads the file from {@code position} to its end, and caches this part permanently. */
  public void keepFrom(long position) throws IOException {
    last = new Window(position, fill(position, Math.toIntExact(length - position)));
  }

  /** Returns bytes of the file, which remain valid as long as they are referenced. */
  public ByteBuffer read(long position, int size) throws IOException {
    ParquetError.BAD_PARQUET.check(
        position >= 0 && size >= 0 && position <= length - size,
        path(),
        "refers to bytes %d to %d (expected at most %d, the end of the file)",
        position,
        position + size,
        length);
    if (last != null && last.covers(position, size)) {
      return slice(last, position, size);
    }
    for (Window window : kept) {
      if (window != null && window.covers(position, size)) {
        return slice(window, position, size);
      }
    }
    if (size >= windowBytes - before) {
      return fill(position, size);
    }
    long start = Math.max(0, position - before);
    Window window = new Window(start, fill(start, (int) Math.min(windowBytes, length - start)));
    kept[next] = window;
    next = (next + 1) % kept.length;
    return slice(window, position, size);
  }

  /** Drops the cached windows, except for the end of the file. */
  public void forget() {
    Arrays.fill(kept, null);
  }

  private static ByteBuffer slice(Window window, long position, int size) {
    return window
        .bytes()
        .slice((int) (position - window.start()), size)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer fill(long position, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    in.readFully(position, bytes);
    return bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
  }
}
