package org.saevhadoop.jobs.verify;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Writable;

/** The findings in some values of one column. Those of other values can be added. */
final class ColumnFindings implements Writable {
  /** How many findings of a kind are listed. */
  static final int LISTED = 20;

  private static final ContentError[] KINDS = ContentError.values();

  /**
   * The vector of a finding.
   *
   * @param vector the number of the vector in the column
   * @param detail the index of the value, or the number of the vector that it repeats; else 0
   */
  record Place(long vector, long detail) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return Long.compare(vector, other.vector);
    }
  }

  /** The number of vectors that were checked. */
  long vectors;

  private final long[] counts = new long[KINDS.length];

  /** The places with the smallest numbers, in their order, by kind. */
  private final List<List<Place>> places = new ArrayList<>();

  /** Creates the findings in no values. */
  ColumnFindings() {
    for (int i = 0; i < KINDS.length; i++) {
      places.add(new ArrayList<>());
    }
  }

  long count(ContentError kind) {
    return counts[kind.ordinal()];
  }

  List<Place> places(ContentError kind) {
    return places.get(kind.ordinal());
  }

  void add(ContentError kind, long vector, long detail) {
    count(kind, 1);
    list(kind, new Place(vector, detail));
  }

  void count(ContentError kind, long more) {
    counts[kind.ordinal()] += more;
  }

  /** Lists a finding that has been counted. */
  void list(ContentError kind, Place place) {
    List<Place> into = places(kind);
    int size = into.size();
    if (size == LISTED && place.compareTo(into.get(LISTED - 1)) >= 0) {
      return;
    }
    into.add(place);
    if (size > 0 && place.compareTo(into.get(size - 1)) < 0) {
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
      other.places(kind).forEach(place -> list(kind, place));
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(vectors);
    for (ContentError kind : KINDS) {
      out.writeLong(count(kind));
      out.writeInt(places(kind).size());
      for (Place place : places(kind)) {
        out.writeLong(place.vector());
        out.writeLong(place.detail());
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    vectors = in.readLong();
    for (ContentError kind : KINDS) {
      counts[kind.ordinal()] = in.readLong();
      places(kind).clear();
      for (int left = in.readInt(); left > 0; left--) {
        places(kind).add(new Place(in.readLong(), in.readLong()));
      }
    }
  }
}
