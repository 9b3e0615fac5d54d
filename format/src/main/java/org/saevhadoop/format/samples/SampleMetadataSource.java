package org.saevhadoop.format.samples;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.saevhadoop.format.io.Folder;

/**
 * The attributes for data files that are written. They are read once as long as the files ascend.
 */
public final class SampleMetadataSource implements Closeable {
  private final SampleMetadata attributes;
  private SampleMetadataCursor cursor;
  private ExampleMetadata pending;
  private long reached;

  /** The attributes of a dataset, as those of another one that is written. */
  public SampleMetadataSource(SampleMetadata attributes) {
    this.attributes = attributes;
  }

  /**
   * Writes the sidecar of a data file, where one of its examples has attributes.
   *
   * @param first number of its first example
   * @param readOrder the place, in the order of their numbers, of the example that readers find
   *     first, second, ... in the file; gives null where that order is the same. Asked only where
   *     there are attributes
   * @param localFolder a folder of the local disk
   */
  public void write(
      Folder folder,
      String dataFile,
      long first,
      long examples,
      Supplier<int[]> readOrder,
      Path localFolder)
      throws IOException {
    seek(first);
    reached = first + examples;
    if (pending == null || pending.first() >= reached) {
      return;
    }
    int[] order = readOrder.get();
    try (SidecarWriter writer = new SidecarWriter(folder, dataFile, first, examples)) {
      if (order == null) {
        for (ExampleMetadata next = next(); next != null; next = next()) {
          writer.write(next);
        }
        return;
      }
      try (SampleMetadataSpool spool = new SampleMetadataSpool(first, order.length, localFolder)) {
        for (ExampleMetadata next = next(); next != null; next = next()) {
          spool.add(next);
        }
        spool.writeTo(writer, order);
      }
    }
  }

  private void seek(long first) throws IOException {
    if (cursor == null || first < reached) {
      close();
      cursor = attributes.cursor(first, Long.MAX_VALUE - first);
      pending = cursor.next();
    }
    while (pending != null && pending.end() <= first) {
      pending = cursor.next();
    }
    pending = pending == null ? null : pending.part(first, pending.end());
  }

  /** The next attributes of examples before {@link #reached}; null where there are none. */
  private ExampleMetadata next() throws IOException {
    if (pending == null || pending.first() >= reached) {
      return null;
    }
    ExampleMetadata taken = pending.part(0, reached);
    pending = pending.end() > reached ? pending.part(reached, pending.end()) : cursor.next();
    return taken;
  }

  @Override
  public void close() throws IOException {
    if (cursor != null) {
      SampleMetadataCursor closing = cursor;
      cursor = null;
      closing.close();
    }
  }
}
