package org.saevhadoop.jobs.verify;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * The hashes of one bucket, each with the smallest number of a vector with this hash: a table with
 * open addressing and three longs per hash.
 */
final class HashTable {
  private static final int FIELDS = 3;

  /**
   * Slots, each with the two longs of a hash and the number of the vector plus one, which is 0 if
   * the slot is free.
   */
  private long[] slots = new long[FIELDS << 10];

  private int size;
  private final ColumnFindings found = new ColumnFindings();

  /** The slots of the duplicates with the smallest vector numbers, by vector number. */
  private final TreeMap<Long, long[]> listed = new TreeMap<>();

  /** Adds the vectors of a record of {@link VectorHashes}. */
  void add(ByteBuffer record) {
    while (record.hasRemaining()) {
      add(record.getLong(), record.getLong(), record.getLong());
    }
  }

  private void add(long hash1, long hash2, long vector) {
    int slot = slot(hash1, hash2);
    long known = slots[slot + 2] - 1;
    if (known < 0) {
      slots[slot] = hash1;
      slots[slot + 1] = hash2;
      slots[slot + 2] = vector + 1;
      size++;
      if (size > slots.length / FIELDS / 2) {
        grow();
      }
      return;
    }
    slots[slot + 2] = Math.min(known, vector) + 1;
    found.count(ContentError.DUPLICATE_VECTOR, 1);
    listed.put(Math.max(known, vector), new long[] {hash1, hash2});
    if (listed.size() > ColumnFindings.LISTED) {
      listed.pollLastEntry();
    }
  }

  /** Returns the index of the slot of a hash, or of the free slot for it. */
  private int slot(long hash1, long hash2) {
    int count = slots.length / FIELDS;
    int slot = (int) hash2 & count - 1;
    while (slots[slot * FIELDS + 2] != 0
        && (slots[slot * FIELDS] != hash1 || slots[slot * FIELDS + 1] != hash2)) {
      slot = slot + 1 & count - 1;
    }
    return slot * FIELDS;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    for (int i = 0; i < old.length; i += FIELDS) {
      if (old[i + 2] != 0) {
        System.arraycopy(old, i, slots, slot(old[i], old[i + 1]), FIELDS);
      }
    }
  }

  /** Returns the duplicates: all vectors of each hash except the first one. */
  ColumnFindings duplicates() {
    for (Map.Entry<Long, long[]> duplicate : listed.entrySet()) {
      long[] hash = duplicate.getValue();
      found.list(
          ContentError.DUPLICATE_VECTOR,
          new ColumnFindings.FoundVector(
              duplicate.getKey(), slots[slot(hash[0], hash[1]) + 2] - 1));
    }
    return found;
  }
}
