package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samediff.container.ArrayReader;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.SameDiffContainer;

/** The values of several arrays, in C order and one after another, as a file. */
final class GatheredInput implements Input {
  private final String path;
  private final ArrayReader reader;
  private final List<ContainerArray> arrays;
  private final long[] begins;
  private final long length;

  /**
   * Opens arrays.
   *
   * @param path the path for messages
   */
  GatheredInput(String path, SameDiffContainer container, List<ContainerArray> arrays) {
    this.path = path;
    long alternating = arrays.stream().filter(array -> !array.array().isContiguous()).count();
    this.reader = new ArrayReader(container, (int) alternating);
    this.arrays = arrays;
    this.begins = new long[arrays.size()];
    long next = 0;
    for (int i = 0; i < begins.length; i++) {
      begins[i] = next;
      next += arrays.get(i).array().length();
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
    FileError.TRUNCATED.check(
        position >= 0 && dst.remaining() <= length - position,
        path,
        "ends at byte %d (expected %d bytes or more)",
        length,
        position + dst.remaining());
    int limit = dst.limit();
    long at = position;
    while (dst.position() < limit) {
      int index = AscendingSearch.lastAtMost(begins.length, i -> begins[i], at);
      long offset = at - begins[index];
      long left = arrays.get(index).array().length() - offset;
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
