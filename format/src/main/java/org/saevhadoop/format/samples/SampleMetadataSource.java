package org.saevhadoop.format.samples;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;

/**
 * Source of the sample metadata for data files to be written. The metadata is read once if the
 * files are written in ascending order.
 */
public final class SampleMetadataSource implements Closeable {
  private final SampleMetadata sampleMetadata;
  private @Nullable SampleMetadataCursor cursor;
  private @Nullable ExampleMetadata pending;
  private long reached;

  /** Creates a source that copies the metadata of a dataset. */
  public SampleMetadataSource(SampleMetadata sampleMetadata) {
    this.sampleMetadata = sampleMetadata;
  }

  /**
   * Writes the sidecar of a data file, unless none of its examples has metadata.
   *
   * @param first the number of the first example of the file
   * @param readOrder returns, in the order in which readers find the examples in the file, the
   *     index of each example in numerical order; returns null if the two orders are the same;
   *     called only if there is metadata
   * @param localFolder a folder on the local disk
   */
  public void write(
      Folder folder,
      String dataFile,
      long first,
      long examples,
      Supplier<int @Nullable []> readOrder,
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
      cursor = sampleMetadata.cursor(first, Long.MAX_VALUE - first);
      pending = cursor.next();
    }
    while (pending != null && pending.end() <= first) {
      pending = cursor.next();
    }
    pending = pending == null ? null : pending.part(first, pending.end());
  }

  /**
   * Returns the next metadata of the examples before {@link #reached}, or null if there is none.
   */
  private @Nullable ExampleMetadata next() throws IOException {
    if (pending == null || pending.first() >= reached) {
      return null;
    }
    ExampleMetadata taken = pending.part(0, reached);
    pending =
        pending.end() > reached
            ? pending.part(reached, pending.end())
            : Objects.requireNonNull(cursor).next();
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
