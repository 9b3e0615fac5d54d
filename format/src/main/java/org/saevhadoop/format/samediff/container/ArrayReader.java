package org.saevhadoop.format.samediff.container;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.Input;

/**
 * Reads the values of the arrays of a container, in C order and little-endian. The most recently
 * used files stay open. One thread at a time.
 */
public final class ArrayReader implements Closeable {
  private static final int MAX_OPEN = 16;

  private final SameDiffContainer container;
  private final Map<ContainerPart, Input> open = new LinkedHashMap<>(16, 0.75f, true);
  private ContainerArray current;
  private TransposedArray transposed;

  /** Creates a reader; files are opened when they are needed. */
  public ArrayReader(SameDiffContainer container) {
    this.container = container;
  }

  /**
   * Fills a buffer with bytes of an array.
   *
   * @param offset the offset of the first byte in the array
   */
  public void read(ContainerArray array, long offset, ByteBuffer dst) throws IOException {
    if (array.array().isContiguous()) {
      input(array.part()).readFully(array.array().offset() + offset, dst);
      return;
    }
    if (!array.equals(current)) {
      current = null;
      transposed =
          new TransposedArray(input(array.part()), array.array(), TransposedArray.WINDOW_BYTES);
      current = array;
    }
    transposed.read(offset, dst);
  }

  private Input input(ContainerPart part) throws IOException {
    Input known = open.get(part);
    if (known != null) {
      return known;
    }
    if (open.size() == MAX_OPEN) {
      close(); // a transposed array may use any of the files
    }
    Input opened = container.open(part);
    open.put(part, opened);
    return opened;
  }

  @Override
  public void close() throws IOException {
    current = null;
    for (Input input : open.values()) {
      input.close();
    }
    open.clear();
  }
}
