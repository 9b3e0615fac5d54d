package org.saevhadoop.converters.storage;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** HDFS behind a client that changes a bit of each data file on the way. */
public final class FlippingFileSystem extends FilterFileSystem {
  public FlippingFileSystem() {
    super(new DistributedFileSystem());
  }

  @Override
  @SuppressWarnings("rawtypes")
  public FSDataOutputStreamBuilder createFile(Path path) {
    FSDataOutputStreamBuilder<?, ?> created = fs.createFile(path).overwrite(false);
    return path.getName().startsWith("part-") ? new Flipped(this, path, created) : created;
  }

  private static final class Flipped
      extends FSDataOutputStreamBuilder<FSDataOutputStream, Flipped> {
    private final FSDataOutputStreamBuilder<?, ?> created;

    Flipped(FileSystem fs, Path path, FSDataOutputStreamBuilder<?, ?> created) {
      super(fs, path);
      this.created = created;
    }

    @Override
    public Flipped getThisBuilder() {
      return this;
    }

    @Override
    public FSDataOutputStream build() throws IOException {
      return new FSDataOutputStream(new FlippingStream(created.build()), null);
    }
  }

  private static final class FlippingStream extends FilterOutputStream {
    /**
     * The minimum length of a write that holds values: a header that is damaged would not parse.
     */
    private static final int VALUES = 1 << 12;

    private boolean flipped;

    FlippingStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
      if (!flipped && length >= VALUES) {
        copy[length - 1] ^= 1;
        flipped = true;
      }
      out.write(copy, 0, length);
    }
  }
}
