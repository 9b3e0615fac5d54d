package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;

/** A file that records how far it has been read, in compressed bytes, for progress reports. */
public final class CountedInput implements Input.Filter {
  private final Input file;
  private final long length;
  private volatile long reached;
  private @Nullable ByteMeter meter;

  private CountedInput(Input file, long length) {
    this.file = file;
    this.length = length;
  }

  /** Returns a view of an open file; closing the view closes the file. */
  public static CountedInput of(Input file) throws IOException {
    return new CountedInput(file, file.length());
  }

  /**
   * Opens a shard.
   *
   * @param dataset the path of the dataset, or of a single shard
   * @param name the path of the shard relative to the dataset; ignored for a single shard
   */
  public static CountedInput open(Path dataset, String name, Configuration conf)
      throws IOException {
    boolean single = dataset.getFileSystem(conf).getFileStatus(dataset).isFile();
    Path path = single ? dataset : PathArgument.child(dataset, name);
    return of(HadoopFolder.of(path.getParent(), conf).open(path.getName()));
  }

  /**
   * Sets the meter for all bytes read from now on. The meter counts the bytes of the file, which
   * may be read more than once.
   */
  public void meter(ByteMeter bytes) {
    meter = bytes;
  }

  /** Returns the fraction that has been read, from 0 to 1. */
  public float progress() {
    return length == 0 ? 1 : Math.min(1, (float) reached / length);
  }

  @Override
  public Input file() {
    return file;
  }

  /** {@inheritDoc} The length at the time of opening, which takes no system call. */
  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    int n = dst.remaining();
    file.readFully(position, dst);
    reached = position + n;
    if (meter != null) {
      meter.add(n);
    }
  }

  @Override
  public void close() throws IOException {
    if (meter != null) {
      meter.flush();
    }
    file.close();
  }
}
