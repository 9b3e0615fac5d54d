package org.saevhadoop.format.pickleshards.unpacked;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hash table from sample ids to example numbers. It takes 24 to 48 bytes per id, because there may
 * be millions.
 */
final class SampleNumbers {
  private static final int FIRST_CAPACITY = 64;

  /** Odd random multiplier, so that an attacker cannot choose ids that all map to the same slot. */
  private final long spread = ThreadLocalRandom.current().nextLong() | 1;

  private long[] ids = new long[FIRST_CAPACITY];
  private int[] numbers = new int[FIRST_CAPACITY];
  private int size;

  SampleNumbers() {
    Arrays.fill(numbers, -1);
  }

  /** Returns the number of an id; -1 if it has none. */
  int get(long id) {
    return numbers[slot(id)];
  }

  /** Assigns a number to an id that has none. */
  void put(long id, int number) {
    if (size >= ids.length / 2) {
      grow();
    }
    int slot = slot(id);
    ids[slot] = id;
    numbers[slot] = number;
    size++;
  }

  private int slot(long id) {
    // The highest bits of the product depend on all bits of the id.
    int slot = (int) (id * spread >>> 33 + Integer.numberOfLeadingZeros(ids.length));
    while (numbers[slot] >= 0 && ids[slot] != id) {
      slot = slot + 1 & ids.length - 1;
    }
    return slot;
  }

  private void grow() {
    long[] oldIds = ids;
    int[] oldNumbers = numbers;
    ids = new long[oldIds.length * 2];
    numbers = new int[oldIds.length * 2];
    Arrays.fill(numbers, -1);
    for (int i = 0; i < oldIds.length; i++) {
      if (oldNumbers[i] >= 0) {
        int slot = slot(oldIds[i]);
        ids[slot] = oldIds[i];
        numbers[slot] = oldNumbers[i];
      }
    }
  }
}
