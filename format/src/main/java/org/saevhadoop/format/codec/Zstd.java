package org.saevhadoop.format.codec;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The content of frames of ZSTD, decoded by zstd-jni. */
public final class Zstd extends InputStream {
  /** A block of one repeated byte is 128 KiB, and has 4 bytes (RFC 8878, 3.1.1.2). */
  public static final int BEST_RATIO = 1 << 15;

  /** What a user can do if the library is missing. */
  public static final String NEEDED =
      "zstd-jni, the jar of com.github.luben, in HADOOP_CLASSPATH, and in -libjars for tasks on"
          + " YARN";

  private final ZstdInputStreamNoFinalizer in;

  /** The library is loaded once. */
  private static final class Library {
    static final Optional<LinkageError> PROBLEM = load();

    private static Optional<LinkageError> load() {
      try {
        Native.load();
        return Optional.empty();
      } catch (LinkageError e) {
        return Optional.of(e);
      }
    }
  }

  /**
   * Creates a stream; the library must be there.
   *
   * @param in the frames, which are closed with this stream
   */
  public Zstd(InputStream in) throws IOException {
    this.in = new ZstdInputStreamNoFinalizer(in);
  }

  /**
   * Returns why ZSTD cannot be read; empty if it can be. The library is not on the class path, or
   * its native code cannot be loaded.
   */
  public static Optional<LinkageError> problem() {
    return Library.PROBLEM;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    try {
      return in.read(bytes, offset, count);
    } catch (ZstdIOException e) {
      throw new IllegalArgumentException("a zstd frame is corrupt: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
