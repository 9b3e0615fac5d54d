package org.saevhadoop.format.samediff.container;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.Input;

/**
 * Reads the values of the arrays of a container, in C order and little-endian. The most recently
 * used files and arrays stay open. One thread at a time.
 */
public final class ArrayReader implements Closeable {
  private static final int MAX_OPEN = 16;
  private static final int READ_BYTES = 1 << 20;

  /** Memory for the windows of all arrays in F order, in bytes. */
  private static final int WINDOW_BYTES = 32 << 20;

  private static final int MIN_WINDOW_BYTES = 64 << 10;

  private final SameDiffContainer container;
  private final int alternating;
  private final Map<ContainerPart, Input> open = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<ContainerArray, TransposedArray> transposed =
      new LinkedHashMap<>(16, 0.75f, true);
  private ByteBuffer buffer;

  /** Creates a reader of one array after another; files are opened when they are needed. */
  public ArrayReader(SameDiffContainer container) {
    this(container, 1);
  }

  /**
   * Creates a reader.
   *
   * @param alternating the number of arrays that are read in turns: those in F order share the
   *     memory that makes their bytes contiguous
   */
  public ArrayReader(SameDiffContainer container, int alternating) {
    this.container = container;
    this.alternating = Math.max(1, Math.min(alternating, WINDOW_BYTES / MIN_WINDOW_BYTES));
  }

  /**
   * Fills a buffer with bytes of an array.
   *
   * @param offset the offset of the first byte in the array
   */
  public void read(ContainerArray array, long offset, ByteBuffer dst) throws IOException {
    if (array.array().isContiguous()) {
      input(array.part()).readFully(array.array().offset() + offset, dst);
    } else {
      transposed(array).read(offset, dst);
    }
  }

  private TransposedArray transposed(ContainerArray array) {
    TransposedArray known = transposed.get(array);
    if (known != null) {
      return known;
    }
    if (transposed.size() == alternating) {
      transposed.remove(transposed.keySet().iterator().next());
    }
    if (buffer == null) {
      buffer = ByteBuffer.allocate(READ_BYTES);
    }
    TransposedArray opened =
        new TransposedArray(
            () -> input(array.part()), array.array(), WINDOW_BYTES / alternating, buffer);
    transposed.put(array, opened);
    return opened;
  }

  private Input input(ContainerPart part) throws IOException {
    Input known = open.get(part);
    if (known != null) {
      return known;
    }
    if (open.size() == MAX_OPEN) {
      open.remove(open.keySet().iterator().next()).close();
    }
    Input opened = container.open(part);
    open.put(part, opened);
    return opened;
  }

  @Override
  public void close() throws IOException {
    transposed.clear();
    for (Input input : open.values()) {
      input.close();
    }
    open.clear();
  }
}
