package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.util.ReflectionUtils;

/** A split of one of several sources. */
final class SourceSplit extends LocatedSplit implements Configurable {
  @SuppressWarnings("NullAway.Init") // set by setConf
  private Configuration conf;

  private int source;

  @SuppressWarnings("NullAway.Init") // set by readFields
  private InputSplit split;

  private long bytes;

  /** Creates a split that Hadoop fills in. */
  SourceSplit() {}

  SourceSplit(int source, InputSplit split) throws IOException, InterruptedException {
    super(split.getLocations());
    this.source = source;
    this.split = split;
    this.bytes = split.getLength();
  }

  /** Returns the index of the source. */
  int source() {
    return source;
  }

  /** Returns the split, as the input format of the source has made it. */
  InputSplit split() {
    return split;
  }

  @Override
  public long getLength() {
    return bytes;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    out.writeInt(source);
    out.writeLong(bytes);
    Text.writeString(out, split.getClass().getName());
    ((Writable) split).write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    source = in.readInt();
    bytes = in.readLong();
    Class<?> type = conf.getClassByNameOrNull(Text.readString(in));
    split = ReflectionUtils.newInstance(type.asSubclass(InputSplit.class), conf);
    ((Writable) split).readFields(in);
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public String toString() {
    return "source " + source + ": " + split;
  }
}
