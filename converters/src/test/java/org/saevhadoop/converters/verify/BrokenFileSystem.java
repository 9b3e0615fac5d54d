package org.saevhadoop.converters.verify;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BufferedFSInputStream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.impl.FutureDataInputStreamBuilderImpl;

/**
 * The local disk under the scheme {@code broken:}, on which a byte of a file has a bad checksum.
 */
public final class BrokenFileSystem extends FilterFileSystem {
  private static final URI ROOT = URI.create("broken:///");
  private static final String FILE = "broken.file";
  private static final String BYTE = "broken.byte";

  public BrokenFileSystem() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return ROOT;
          }
        });
  }

  static Configuration conf(String file, long position) {
    Configuration conf = new Configuration();
    conf.setClass("fs.broken.impl", BrokenFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.broken.impl.disable.cache", true);
    conf.set(FILE, file);
    conf.setLong(BYTE, position);
    return conf;
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    FSDataInputStream in = super.open(path, bufferSize);
    return path.getName().equals(getConf().get(FILE))
        ? new FSDataInputStream(
            new BufferedFSInputStream(new Broken(in, getConf().getLong(BYTE, 0)), 1))
        : in;
  }

  @Override
  public FutureDataInputStreamBuilder openFile(Path path) {
    return new FutureDataInputStreamBuilderImpl(this, path) {
      @Override
      public CompletableFuture<FSDataInputStream> build() throws IOException {
        return CompletableFuture.completedFuture(open(path, 1));
      }

      @Override
      public FutureDataInputStreamBuilderImpl getThisBuilder() {
        return this;
      }
    };
  }

  private static final class Broken extends FSInputStream {
    private final FSDataInputStream in;
    private final long bad;

    Broken(FSDataInputStream in, long bad) {
      this.in = in;
      this.bad = bad;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      long at = in.getPos();
      if (at <= bad && bad < at + length) {
        throw new ChecksumException("Checksum error: block at " + bad, bad);
      }
      return in.read(bytes, offset, length);
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
