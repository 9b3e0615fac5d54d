package org.saevhadoop.format.samples;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.OutputBytes;

/**
 * Writes the sidecar of one data file; no sidecar is created if nothing is written. Equal metadata
 * results in equal bytes, regardless of how the tokens of a sample are distributed over calls.
 */
public final class SidecarWriter implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Folder folder;
  private final String name;
  private final long first;
  private final long end;
  private long next;
  private @Nullable ExampleMetadata pending;
  private @Nullable Writer out;

  /**
   * Creates a writer for a file in a folder.
   *
   * @param first the number, in the dataset, of the first example of the file
   * @param examples the number of examples in the file
   */
  public SidecarWriter(Folder folder, String dataFile, long first, long examples) {
    this.folder = folder;
    this.name = Sidecar.name(dataFile);
    this.first = first;
    this.end = first + examples;
    this.next = first;
  }

  /**
   * Writes the metadata of the next examples.
   *
   * @param sampleMetadata the metadata, with the numbers of the dataset
   * @throws FormatException if the metadata exceeds the limit of the reader
   * @throws IllegalArgumentException if the examples do not belong to the file or are out of order
   */
  public void write(ExampleMetadata sampleMetadata) throws IOException {
    if (sampleMetadata.first() < next || sampleMetadata.end() > end) {
      throw new IllegalArgumentException(
          "%s: examples %d to %d (expected of %d to %d)"
              .formatted(name, sampleMetadata.first(), sampleMetadata.end() - 1, next, end - 1));
    }
    next = sampleMetadata.end();
    String sample = Sidecar.oneLine(sampleMetadata.sample());
    SidecarError.TOO_LARGE.check(
        sample.length() <= Sidecar.MAX_SAMPLE,
        folder.path(name),
        "example %d has sample metadata of %d characters (expected at most %d)",
        sampleMetadata.first(),
        sample.length(),
        Sidecar.MAX_SAMPLE);
    SidecarError.TOO_LARGE.check(
        sampleMetadata.tokens().size() <= Sidecar.MAX_RANGES,
        folder.path(name),
        "example %d has %d ranges of tokens (expected at most %d)",
        sampleMetadata.first(),
        sampleMetadata.tokens().size(),
        Sidecar.MAX_RANGES);
    ExampleMetadata line =
        new ExampleMetadata(
            sampleMetadata.first() - first,
            sampleMetadata.count(),
            sampleMetadata.position(),
            sampleMetadata.tokens(),
            sample);
    ExampleMetadata joined = pending == null ? null : pending.with(line);
    if (joined == null) {
      writePending();
    }
    pending = joined == null ? line : joined;
  }

  /** Returns whether nothing was written, so that there is no sidecar. */
  public boolean isEmpty() {
    return pending == null && out == null;
  }

  private void writePending() throws IOException {
    if (pending == null) {
      return;
    }
    if (out == null) {
      out =
          new OutputStreamWriter(
              new GZIPOutputStream(new OutputBytes(folder.create(name)), BUFFER_BYTES),
              StandardCharsets.UTF_8.newEncoder());
    }
    out.write(Sidecar.start(pending));
    out.write(pending.sample());
    out.write("}\n");
  }

  @Override
  public void close() throws IOException {
    try {
      writePending();
    } finally {
      if (out != null) {
        out.close();
      }
    }
  }
}
