package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;

/** Random selections of any shape: the same ones for the same seed. */
final class RandomSelections {
  private final Random random;

  RandomSelections(long seed) {
    random = new Random(seed);
  }

  SaevSelection of(Geometry geometry) {
    List<Integer> layers = new ArrayList<>(geometry.layers());
    Collections.shuffle(layers, random);
    List<IndexRange> examples = ranges(geometry.examples());
    Collections.shuffle(examples, random);
    return new SaevSelection(
        layers.subList(0, 1 + random.nextInt(layers.size())),
        examples,
        ranges(geometry.tokens()),
        random.nextBoolean() ? "2826ce7a" : "sha256 \"\u00e9\ud83d\ude00\u007f\"");
  }

  /** Ascending ranges of numbers below a size; one at least, where there is one. */
  private List<IndexRange> ranges(long size) {
    TreeSet<Long> bounds = new TreeSet<>();
    for (int i = 0; i < 2 + random.nextInt(5); i++) {
      bounds.add(size == 0 ? 0 : random.nextLong(size + 1));
    }
    List<Long> all = new ArrayList<>(bounds);
    List<IndexRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(2); i + 1 < all.size(); i += 1 + random.nextInt(2)) {
      ranges.add(new IndexRange(all.get(i), all.get(i + 1)));
    }
    if (ranges.isEmpty() && size > 0) {
      ranges.add(new IndexRange(0, size));
    }
    return ranges;
  }
}
