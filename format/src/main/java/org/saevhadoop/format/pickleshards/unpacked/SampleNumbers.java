package org.saevhadoop.format.pickleshards.unpacked;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** From sample ids to the numbers of examples: 24 to 48 bytes each, as there may be millions. */
final class SampleNumbers {
  private static final int FIRST_CAPACITY = 64;

  /** Odd, and not to be guessed: ids that all want the same slot can not be made up. */
  private final long spread = ThreadLocalRandom.current().nextLong() | 1;

  private long[] ids = new long[FIRST_CAPACITY];
  private int[] numbers = new int[FIRST_CAPACITY];
  private int size;

  SampleNumbers() {
    Arrays.fill(numbers, -1);
  }

  /** The number of an id; -1 where it has none. */
  int get(long id) {
    return numbers[slot(id)];
  }

  /** Gives a number to an id that has none. */
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
    // the uppermost bits of the product: they depend on all bits of the id
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
