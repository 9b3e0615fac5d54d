package org.saevhadoop.format.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;

/**
 * Opens a file that may be compressed; compression is detected from the first bytes, regardless of
 * the name.
 */
public final class PlainOrGzip {
  private PlainOrGzip() {}

  /** Opens a file with as many threads as there are processors; see {@link #open(Input, int)}. */
  public static ByteSource open(Input file) throws IOException {
    return open(file, CompressionWorkers.MAX_THREADS);
  }

  /**
   * Returns the content of {@code file}, inflated if it begins with the gzip magic number. Closing
   * the result closes the file, and so does an error in this method.
   *
   * @param threads the maximum number of threads for BGZF blocks; 1 inflates in the calling thread
   * @throws org.saevhadoop.format.io.FormatException {@link GzipError#TRUNCATED} for an empty file,
   *     {@link GzipError#BAD_GZIP} if the name ends in .gz and only the first byte matches the
   *     magic number
   */
  public static ByteSource open(Input file, int threads) throws IOException {
    try {
      return sniff(file, threads);
    } catch (IOException | RuntimeException e) {
      try (file) {
        throw e;
      }
    }
  }

  private static ByteSource sniff(Input file, int threads) throws IOException {
    long length = file.length();
    GzipError.TRUNCATED.check(length > 0, file.path(), "the file is empty");
    ByteBuffer first = ByteBuffer.allocate((int) Math.min(2, length));
    file.readFully(0, first);
    boolean startsAsMagic = first.get(0) == MemberHeader.MAGIC_1;
    boolean isMagic = startsAsMagic && length > 1 && first.get(1) == MemberHeader.MAGIC_2;
    return isMagic || startsAsMagic && file.path().endsWith(".gz")
        ? new GzipSource(file, threads)
        : new ByteSource.OfFile(file, file.path(), 0);
  }
}
