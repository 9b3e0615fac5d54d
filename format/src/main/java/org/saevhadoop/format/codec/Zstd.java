package org.saevhadoop.format.codec;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** ZSTD, which zstd-jni decodes if it is on the class path. */
public final class Zstd {
  /** A block of one repeated byte is 128 KiB, and has 4 bytes (RFC 8878, 3.1.1.2). */
  public static final int BEST_RATIO = 1 << 15;

  /** What a user can do if the library is missing. */
  public static final String NEEDED =
      "zstd-jni, the jar of com.github.luben, in HADOOP_CLASSPATH, and in -libjars for tasks on"
          + " YARN";

  private Zstd() {}

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
   * Returns why ZSTD cannot be read; empty if it can be. The library is not on the class path, or
   * its native code cannot be loaded.
   */
  public static Optional<LinkageError> problem() {
    return Library.PROBLEM;
  }

  /**
   * Returns the content of frames; the library must be there.
   *
   * @param in the frames, which are closed with the stream
   */
  public static InputStream open(InputStream in) throws IOException {
    return new ZstdFrames(in);
  }
}
