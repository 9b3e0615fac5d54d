package org.saevhadoop.jobs.verify;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.jobs.task.Streamed;

/** The findings in some values of one column. Findings in other values can be added. */
final class ColumnFindings implements Streamed {
  /** The maximum number of listed findings of each kind. */
  static final int LISTED = 20;

  private static final ContentError[] KINDS = ContentError.values();

  /**
   * The vector of a finding.
   *
   * @param vector the number of the vector in the column
   * @param detail the index of the value, or the number of the earlier vector that this vector
   *     repeats; otherwise 0
   */
  record FoundVector(long vector, long detail) implements Comparable<FoundVector> {
    @Override
    public int compareTo(FoundVector other) {
      return Long.compare(vector, other.vector);
    }
  }

  /** The number of vectors that were checked. */
  long vectors;

  private final long[] counts = new long[KINDS.length];

  /** For each kind, the findings with the smallest vector numbers, in ascending order. */
  private final List<List<FoundVector>> listed = new ArrayList<>();

  /** Creates an instance without findings. */
  ColumnFindings() {
    for (int i = 0; i < KINDS.length; i++) {
      listed.add(new ArrayList<>());
    }
  }

  long count(ContentError kind) {
    return counts[kind.ordinal()];
  }

  List<FoundVector> listed(ContentError kind) {
    return listed.get(kind.ordinal());
  }

  void add(ContentError kind, long vector, long detail) {
    count(kind, 1);
    list(kind, new FoundVector(vector, detail));
  }

  void count(ContentError kind, long more) {
    counts[kind.ordinal()] += more;
  }

  /** Lists a finding that has been counted. */
  void list(ContentError kind, FoundVector found) {
    List<FoundVector> into = listed(kind);
    int size = into.size();
    if (size == LISTED && found.compareTo(into.get(LISTED - 1)) >= 0) {
      return;
    }
    into.add(found);
    if (size > 0 && found.compareTo(into.get(size - 1)) < 0) {
      into.sort(null);
    }
    if (size == LISTED) {
      into.remove(LISTED);
    }
  }

  void add(ColumnFindings other) {
    vectors += other.vectors;
    for (ContentError kind : KINDS) {
      count(kind, other.count(kind));
      other.listed(kind).forEach(found -> list(kind, found));
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(vectors);
    for (ContentError kind : KINDS) {
      out.writeLong(count(kind));
      out.writeInt(listed(kind).size());
      for (FoundVector found : listed(kind)) {
        out.writeLong(found.vector());
        out.writeLong(found.detail());
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    vectors = in.readLong();
    for (ContentError kind : KINDS) {
      counts[kind.ordinal()] = in.readLong();
      listed(kind).clear();
      for (int left = in.readInt(); left > 0; left--) {
        listed(kind).add(new FoundVector(in.readLong(), in.readLong()));
      }
    }
  }
}
