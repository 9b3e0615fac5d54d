package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samediff.sdnb.StoredArray;

/**
 * Reads an array that is stored in F order as if it were in C order. A window of the array is held
 * in memory, which one pass over the stored bytes fills; reading in ascending order therefore takes
 * one pass for each window.
 */
final class TransposedArray {
  /** Opens the file of the array, or returns the one that is still open. */
  @FunctionalInterface
  interface FileSource {
    Input open() throws IOException;
  }

  /** Number of bytes that are skipped rather than read and ignored. */
  private static final int MIN_SKIPPED = 64 << 10;

  /** Maximum number of elements that are read one by one. */
  private static final int MAX_GATHERED = 4096;

  private final FileSource file;
  private final StoredArray array;
  private final int width;
  private final long rows;
  private final long columns;
  private final long[] strides;
  private final byte[] window;
  private final ByteBuffer buffer;

  /** Offsets in C order of the bytes in the window. */
  private long windowBegin;

  private long windowEnd;

  /** Offset in C order after the last byte that was read. */
  private long reached;

  /** Offset in the file of the first byte of the buffer. */
  private long bufferBegin;

  /**
   * Creates a reader.
   *
   * @param array an array with at least one element
   * @param maxWindowBytes the maximum size of the window in bytes, at least that of an element
   * @param buffer holds stored bytes during a pass; other arrays may use it afterwards
   */
  TransposedArray(FileSource file, StoredArray array, int maxWindowBytes, ByteBuffer buffer) {
    List<Long> shape = array.shape();
    this.file = file;
    this.array = array;
    this.width = array.type().width();
    this.rows = shape.get(0);
    this.columns = array.length() / width / rows;
    this.strides = new long[shape.size()];
    long stride = width;
    for (int i = strides.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= shape.get(i);
    }
    this.window = new byte[(int) Math.min(array.length(), maxWindowBytes / width * width)];
    this.buffer = buffer;
  }

  /** Fills a buffer with bytes of the array in C order, from an offset on. */
  void read(long offset, ByteBuffer dst) throws IOException {
    boolean known = offset >= windowBegin && offset + dst.remaining() <= windowEnd;
    boolean follows = offset == reached;
    reached = offset + dst.remaining();
    boolean few = dst.remaining() <= MAX_GATHERED * width && window.length < array.length();
    if (few && !known && !follows) {
      gather(offset, dst);
    } else {
      readWindows(offset, dst);
    }
  }

  /** Reads each element by itself: a random access to a few of them is not worth a pass. */
  private void gather(long offset, ByteBuffer dst) throws IOException {
    Input open = file.open();
    ByteBuffer element = ByteBuffer.allocate(width);
    long at = offset;
    while (dst.hasRemaining()) {
      open.readFully(array.offset() + stored(at / width) * width, element.clear());
      int skipped = (int) (at % width);
      int some = Math.min(dst.remaining(), width - skipped);
      dst.put(element.array(), skipped, some);
      at += some;
    }
  }

  /** Returns the index among the stored elements of an element in C order. */
  private long stored(long element) {
    long index = 0;
    long stride = 1;
    for (int i = 0; i < strides.length; i++) {
      long size = array.shape().get(i);
      index += element / (strides[i] / width) % size * stride;
      stride *= size;
    }
    return index;
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

  /** Fills the window with the elements from an offset in C order on. */
  private void fill(long begin) throws IOException {
    windowEnd = windowBegin; // nothing is valid if reading fails
    windowBegin = begin;
    long end = Math.min(array.length(), begin + window.length);
    Input open = file.open();
    buffer.limit(0);
    long[] index = new long[strides.length];
    long first = 0;
    for (long column = 0; column < columns; column++) {
      long from = Math.max(0, rowsBefore(begin - first));
      long to = Math.min(rows, rowsBefore(end - first));
      boolean skips = (rows - to + from) * width >= MIN_SKIPPED;
      long readEnd = array.offset() + (skips ? (column * rows + to) * width : array.length());
      for (long row = from; row < to; row++) {
        copy(open, column * rows + row, first + row * strides[0] - begin, readEnd);
      }
      first = next(index, first);
    }
    windowEnd = end;
  }

  /**
   * Returns the number of rows whose element of a column begins before an offset from the first.
   */
  private long rowsBefore(long offset) {
    return -Math.floorDiv(-offset, strides[0]);
  }

  /** Advances to the next stored column, and returns the offset in C order of its first element. */
  private long next(long[] index, long first) {
    long at = first;
    for (int i = 1; i < index.length; i++) {
      at += strides[i];
      if (++index[i] < array.shape().get(i)) {
        return at;
      }
      at -= index[i] * strides[i];
      index[i] = 0;
    }
    return at;
  }

  /**
   * Copies a stored element into the window.
   *
   * @param readEnd the offset in the file up to which bytes are read that may be needed next
   */
  private void copy(Input open, long element, long target, long readEnd) throws IOException {
    long at = array.offset() + element * width;
    if (at < bufferBegin || at + width > bufferBegin + buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), readEnd - at));
      open.readFully(at, buffer);
      buffer.flip();
      bufferBegin = at;
    }
    buffer.get((int) (at - bufferBegin), window, (int) target, width);
  }
}
