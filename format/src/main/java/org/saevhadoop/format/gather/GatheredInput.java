package org.saevhadoop.format.gather;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Io;

/**
 * The elements of arrays, possibly from several files, presented as one file: the arrays follow one
 * another, each in C order.
 *
 * @param <F> the type that identifies a file
 */
public final class GatheredInput<F> implements Input {
  private final String path;
  private final StridedReader<F> reader;
  private final List<StoredElements<F>> arrays;
  private final long[] begins;
  private final long length;

  /**
   * Opens arrays.
   *
   * @param path the path for messages
   */
  public GatheredInput(String path, Io.Function<F, Input> opener, List<StoredElements<F>> arrays) {
    this(path, opener, arrays, StridedReader.MAX_OPEN);
  }

  /**
   * Opens arrays.
   *
   * @param path the path for messages
   * @param maxOpen the maximum number of open files
   */
  public GatheredInput(
      String path, Io.Function<F, Input> opener, List<StoredElements<F>> arrays, int maxOpen) {
    this.path = path;
    long alternating = arrays.stream().filter(array -> !array.layout().isContiguous()).count();
    this.reader = new StridedReader<>(opener, (int) alternating, maxOpen);
    this.arrays = arrays;
    this.begins = new long[arrays.size()];
    long next = 0;
    for (int i = 0; i < begins.length; i++) {
      begins[i] = next;
      next += arrays.get(i).layout().length();
    }
    this.length = next;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    int limit = dst.limit();
    long at = position;
    while (dst.position() < limit) {
      int index = AscendingSearch.lastAtMost(begins.length, i -> begins[i], at);
      long offset = at - begins[index];
      long left = arrays.get(index).layout().length() - offset;
      int some = (int) Math.min(limit - dst.position(), left);
      dst.limit(dst.position() + some);
      reader.read(arrays.get(index), offset, dst);
      dst.limit(limit);
      at += some;
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
