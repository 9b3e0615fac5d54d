package org.saevhadoop.jobs.stats;

import java.util.HashMap;
import java.util.Map;
import org.saevhadoop.format.permutation.Permutation;

/**
 * Random pairs of vectors in a layer, the same in every layer: the first vectors in a random order,
 * paired consecutively.
 */
final class VectorPairs {
  /** The number of pairs, unless it is limited by the size of the vectors. */
  private static final int MAX_PAIRS = 4096;

  /** The maximum size of the vectors of all pairs and layers. */
  private static final long MAX_BYTES = 64 << 20;

  /** The slots of the vectors, by their numbers. */
  private final Map<Long, Integer> slots = new HashMap<>();

  /**
   * Returns the number of pairs that are drawn.
   *
   * @param vectors the number of vectors of a layer
   * @param bytes the total size of one vector of each layer
   */
  static int count(long vectors, long bytes) {
    return (int) Math.min(MAX_PAIRS, Math.min(vectors / 2, MAX_BYTES / (2 * bytes)));
  }

  static VectorPairs draw(int pairs, long vectors, long seed) {
    Permutation order = Permutation.of(vectors, seed, "pairs");
    VectorPairs drawn = new VectorPairs();
    for (int slot = 0; slot < 2 * pairs; slot++) {
      drawn.slots.put(order.at(slot), slot);
    }
    return drawn;
  }

  /**
   * Returns the slot of a vector: twice the number of its pair, plus 0 or 1; -1 if the vector is
   * not in any pair.
   */
  int slot(long number) {
    return slots.getOrDefault(number, -1);
  }
}
