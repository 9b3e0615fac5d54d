package org.saevhadoop.format.gather;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;

/**
 * Reads the bytes of arrays in C order, regardless of their order in files. The most recently used
 * files and arrays remain open. Not thread-safe.
 *
 * @param <F> the type that identifies a file
 */
public final class StridedReader<F> implements Closeable {
  static final int MAX_OPEN = 16;
  private static final int READ_BYTES = 1 << 20;

  /** The total memory, in bytes, for the windows of all noncontiguous arrays. */
  private static final int WINDOW_BYTES = 32 << 20;

  private static final int MIN_WINDOW_BYTES = 64 << 10;

  private final Io.Function<F, Input> opener;
  private final int alternating;
  private final int maxOpen;
  private final Map<F, Input> open = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<StoredElements<F>, StridedWindow> windows =
      new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable ByteBuffer buffer;

  /**
   * Creates a reader for reading one array after another; files are opened when they are needed.
   */
  public StridedReader(Io.Function<F, Input> opener) {
    this(opener, 1);
  }

  /**
   * Creates a reader.
   *
   * @param alternating the number of noncontiguous arrays that are read alternately; they share the
   *     memory for windows
   */
  public StridedReader(Io.Function<F, Input> opener, int alternating) {
    this(opener, alternating, MAX_OPEN);
  }

  /** Creates a reader with a given maximum number of open files. */
  StridedReader(Io.Function<F, Input> opener, int alternating, int maxOpen) {
    this.opener = opener;
    this.maxOpen = maxOpen;
    this.alternating = Math.max(1, Math.min(alternating, WINDOW_BYTES / MIN_WINDOW_BYTES));
  }

  /**
   * Fills a buffer with bytes of an array.
   *
   * @param offset the offset of the first byte, in the array in C order
   */
  public void read(StoredElements<F> array, long offset, ByteBuffer dst) throws IOException {
    if (array.layout().isContiguous()) {
      input(array.file()).readFully(array.layout().offset() + offset, dst);
    } else {
      window(array).read(offset, dst);
    }
  }

  private StridedWindow window(StoredElements<F> array) {
    StridedWindow known = windows.get(array);
    if (known != null) {
      return known;
    }
    if (windows.size() == alternating) {
      windows.remove(windows.keySet().iterator().next());
    }
    if (buffer == null) {
      buffer = ByteBuffer.allocate(READ_BYTES);
    }
    StridedWindow opened =
        new StridedWindow(
            () -> input(array.file()), array.layout(), WINDOW_BYTES / alternating, buffer);
    windows.put(array, opened);
    return opened;
  }

  private Input input(F file) throws IOException {
    Input known = open.get(file);
    if (known != null) {
      return known;
    }
    if (open.size() == maxOpen) {
      Iterator<Input> inputs = open.values().iterator();
      Input oldest = inputs.next();
      inputs.remove();
      oldest.close();
    }
    Input opened = opener.apply(file);
    open.put(file, opened);
    return opened;
  }

  @Override
  public void close() throws IOException {
    windows.clear();
    for (Input input : open.values()) {
      input.close();
    }
    open.clear();
  }
}
