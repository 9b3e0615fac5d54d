package org.saevhadoop.converters.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The local disk under another scheme, which is full after a number of bytes. */
public final class FullFileSystem extends FilterFileSystem {
  /** The scheme. Its state is static, so classes that use it must not run at once. */
  public static final String SCHEME = "full";

  private static final URI ROOT = URI.create(SCHEME + ":///");
  private static final AtomicLong FREE = new AtomicLong();
  private static volatile boolean onlyAtClose;

  public FullFileSystem() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return ROOT;
          }
        });
  }

  /** Returns a configuration that knows the scheme. */
  public static Configuration conf() {
    Configuration conf = new Configuration();
    conf.setClass("fs.full.impl", FullFileSystem.class, FilterFileSystem.class);
    return conf;
  }

  /**
   * Sets the space that is left.
   *
   * @param atClose whether an excess is reported only when the file is closed, as storages with
   *     delayed allocation and quotas do
   */
  public static void setFree(long bytes, boolean atClose) {
    FREE.set(bytes);
    onlyAtClose = atClose;
  }

  /** Returns the space that is left; negative for an excess. */
  public static long free() {
    return FREE.get();
  }

  /** Returns the path under this scheme of a path of the local disk. */
  public static String path(java.nio.file.Path local) {
    return SCHEME + "://" + local.toAbsolutePath();
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    FSDataOutputStream out =
        super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
    return new FSDataOutputStream(new CountedStream(out), null);
  }

  private static final class CountedStream extends OutputStream {
    private final OutputStream out;
    private boolean exceeded;

    CountedStream(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (FREE.addAndGet(-length) < 0) {
        exceeded = true;
        if (!onlyAtClose) {
          throw new IOException("No space left on device");
        }
      }
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      out.close();
      if (exceeded) {
        throw new IOException("Disk quota exceeded");
      }
    }
  }
}
