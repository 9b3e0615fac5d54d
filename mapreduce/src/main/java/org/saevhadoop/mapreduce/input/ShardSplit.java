package org.saevhadoop.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.saevhadoop.format.spi.StreamAccess.Part;

/** A split that consists of one part of a stream. */
public final class ShardSplit extends LocatedSplit {
  @SuppressWarnings("NullAway.Init") // set by readFields
  private Part part;

  /** Creates a split that Hadoop fills in. */
  public ShardSplit() {}

  /**
   * Creates the split for a part of a stream.
   *
   * @param hosts the hosts that store the beginning of the part
   */
  ShardSplit(Part part, String[] hosts) {
    super(hosts);
    this.part = part;
  }

  public Part part() {
    return part;
  }

  @Override
  public long getLength() {
    return part.bytes();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(part.number());
    out.writeInt(part.files().size());
    for (String file : part.files()) {
      Text.writeString(out, file);
    }
    out.writeInt(part.firstEntry());
    out.writeInt(part.endEntry());
    out.writeLong(part.bytes());
    super.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    int number = in.readInt();
    List<String> files = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      files.add(Text.readString(in));
    }
    part = new Part(number, files, in.readInt(), in.readInt(), in.readLong());
    super.readFields(in);
  }

  @Override
  public String toString() {
    List<String> files = part.files();
    return files.size() < 3
        ? String.join(" and ", files)
        : "%s and %d others".formatted(files.get(0), files.size() - 1);
  }
}
