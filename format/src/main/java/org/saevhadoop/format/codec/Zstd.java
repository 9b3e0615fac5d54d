package org.saevhadoop.format.codec;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** ZSTD, which zstd-jni decodes if it is on the class path. */
public final class Zstd {
  /** A block of 4 bytes can represent 128 KiB of one repeated byte (RFC 8878, 3.1.1.2). */
  public static final int BEST_RATIO = 1 << 15;

  /** The library that ZSTD needs, for messages. */
  public static final String NEEDED =
      "zstd-jni, the jar of com.github.luben, in HADOOP_CLASSPATH, and in -libjars for tasks on"
          + " YARN";

  private Zstd() {}

  /** Loads the library once. */
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
   * Returns the reason why ZSTD cannot be read, namely that the library is not on the class path or
   * that its native code cannot be loaded; empty if ZSTD can be read.
   */
  public static Optional<LinkageError> problem() {
    return Library.PROBLEM;
  }

  /**
   * Returns the content of frames; the library must be available.
   *
   * @param in the frames, which are closed with the stream
   */
  public static InputStream open(InputStream in) throws IOException {
    return new ZstdFrames(in);
  }
}
