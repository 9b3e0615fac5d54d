package org.saevhadoop.format.gather;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;

/**
 * Reads an array with any strides, such as an array in F order, as if it were in C order. One pass
 * over the stored bytes fills a window of the array in memory; reading in ascending order therefore
 * takes one pass for each window.
 */
final class StridedWindow {
  /** Minimum number of bytes that are skipped; fewer bytes are read and ignored instead. */
  private static final int MIN_SKIPPED = 64 << 10;

  /** Maximum number of elements that are read individually. */
  private static final int MAX_GATHERED = 4096;

  private final Io.Supplier<Input> file;
  private final StridedLayout layout;
  private final int width;
  private final long length;

  /** Number of elements along each dimension, in ascending order of strides. */
  private final long[] sizes;

  /** Distance in bytes, in the file, between adjacent elements along each of these dimensions. */
  private final long[] strides;

  /** Distance in bytes, in C order, between adjacent elements along each of these dimensions. */
  private final long[] steps;

  /** Number of runs of elements along the first of these dimensions. */
  private final long columns;

  /** Offset in the file after the last element. */
  private final long storedEnd;

  private final byte[] window;
  private final ByteBuffer buffer;

  /** Range of the bytes in the window, as offsets in C order. */
  private long windowBegin;

  private long windowEnd;

  /** Offset in C order after the last byte that was read. */
  private long reached;

  /** Offset in the file of the first byte of the buffer. */
  private long bufferBegin;

  /**
   * Creates a reader.
   *
   * @param layout the positions of the elements in the file; at least one element
   * @param maxWindowBytes the maximum size of the window in bytes, at least the size of an element
   * @param buffer the buffer for stored bytes during a pass; other arrays may use it afterward
   */
  StridedWindow(
      Io.Supplier<Input> file, StridedLayout layout, int maxWindowBytes, ByteBuffer buffer) {
    this.file = file;
    this.layout = layout;
    this.width = layout.width();
    this.length = layout.length();
    int[] order =
        IntStream.range(0, layout.shape().size())
            .boxed()
            .sorted(Comparator.comparing(layout.strides()::get))
            .mapToInt(Integer::intValue)
            .toArray();
    long[] rowMajor = layout.rowMajor();
    this.sizes = IntStream.of(order).mapToLong(layout.shape()::get).toArray();
    this.strides = IntStream.of(order).mapToLong(layout.strides()::get).toArray();
    this.steps = IntStream.of(order).mapToLong(i -> rowMajor[i]).toArray();
    this.columns = length / width / sizes[0];
    this.storedEnd = stored(length / width - 1) + width;
    this.window = new byte[(int) Math.min(length, maxWindowBytes / width * width)];
    this.buffer = buffer;
  }

  /** Fills a buffer with bytes of the array in C order, starting at an offset. */
  void read(long offset, ByteBuffer dst) throws IOException {
    boolean known = offset >= windowBegin && offset + dst.remaining() <= windowEnd;
    boolean follows = offset == reached;
    reached = offset + dst.remaining();
    boolean few = dst.remaining() <= MAX_GATHERED * width && window.length < length;
    if (few && !known && !follows) {
      gather(offset, dst);
    } else {
      readWindows(offset, dst);
    }
  }

  /** Reads elements one by one, because random access to a few elements does not justify a pass. */
  private void gather(long offset, ByteBuffer dst) throws IOException {
    Input open = file.get();
    ByteBuffer element = ByteBuffer.allocate(width);
    long at = offset;
    while (dst.hasRemaining()) {
      open.readFully(stored(at / width), element.clear());
      int skipped = (int) (at % width);
      int some = Math.min(dst.remaining(), width - skipped);
      dst.put(element.array(), skipped, some);
      at += some;
    }
  }

  /** Returns the file offset of an element, given its index in C order. */
  private long stored(long element) {
    long at = layout.offset();
    for (int i = 0; i < sizes.length; i++) {
      at += element / (steps[i] / width) % sizes[i] * strides[i];
    }
    return at;
  }

  private void readWindows(long offset, ByteBuffer dst) throws IOException {
    long at = offset;
    while (dst.hasRemaining()) {
      if (at < windowBegin || at >= windowEnd) {
        fill(at - at % width);
      }
      int some = (int) Math.min(dst.remaining(), windowEnd - at);
      dst.put(window, (int) (at - windowBegin), some);
      at += some;
    }
  }

  /** Fills the window with elements, starting at an offset in C order. */
  private void fill(long begin) throws IOException {
    windowEnd = windowBegin; // nothing is valid if reading fails
    windowBegin = begin;
    long end = Math.min(length, begin + window.length);
    Input open = file.get();
    buffer.limit(0);
    long[] index = new long[sizes.length];
    long first = 0;
    long at = layout.offset();
    for (long column = 0; column < columns; column++) {
      long from = Math.max(0, rowsBefore(begin - first));
      long to = Math.min(sizes[0], rowsBefore(end - first));
      boolean skips = (sizes[0] - to + from) * strides[0] >= MIN_SKIPPED;
      long readEnd = skips ? at + (to - 1) * strides[0] + width : storedEnd;
      for (long row = from; row < to; row++) {
        copy(open, at + row * strides[0], first + row * steps[0] - begin, readEnd);
      }
      int changed = next(index);
      first += distance(steps, changed);
      at += distance(strides, changed);
    }
    windowEnd = end;
  }

  /**
   * Returns the number of elements of a column that begin before an offset, which is relative to
   * the first element.
   */
  private long rowsBefore(long offset) {
    return -Math.floorDiv(-offset, steps[0]);
  }

  /** Advances to the next column, and returns the last dimension whose index has changed. */
  private int next(long[] index) {
    int i = 1;
    while (i < index.length - 1 && index[i] + 1 == sizes[i]) {
      index[i++] = 0;
    }
    if (i < index.length) {
      index[i]++;
    }
    return i;
  }

  /** Returns the distance to the next column, given the last dimension whose index has changed. */
  private long distance(long[] distances, int changed) {
    long distance = changed < distances.length ? distances[changed] : 0;
    for (int i = 1; i < changed; i++) {
      distance -= (sizes[i] - 1) * distances[i];
    }
    return distance;
  }

  /**
   * Copies a stored element into the window.
   *
   * @param at the offset of the element in the file
   * @param readEnd the file offset up to which bytes may be needed next and are therefore read
   *     ahead
   */
  private void copy(Input open, long at, long target, long readEnd) throws IOException {
    if (at < bufferBegin || at + width > bufferBegin + buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), readEnd - at));
      open.readFully(at, buffer);
      buffer.flip();
      bufferBegin = at;
    }
    buffer.get((int) (at - bufferBegin), window, (int) target, width);
  }
}
