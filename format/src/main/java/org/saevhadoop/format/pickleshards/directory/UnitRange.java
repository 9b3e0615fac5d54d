package org.saevhadoop.format.pickleshards.directory;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

/**
 * The range of sample ids in a shard.
 *
 * @param unit the index of the directory that contains the shard
 */
record UnitRange(int unit, IdRange ids) {
  /** Returns two overlapping ranges from different directories, if there are any. */
  static Optional<List<UnitRange>> firstOverlap(List<UnitRange> ranges) {
    List<UnitRange> ascending =
        ranges.stream().sorted(Comparator.comparingLong(range -> range.ids.least())).toList();
    UnitRange last = null; // the range that ends last
    UnitRange other = null; // the range that ends last in the other directories
    for (UnitRange range : ascending) {
      UnitRange before = last != null && last.unit != range.unit ? last : other;
      if (before != null && before.ids.greatest() >= range.ids.least()) {
        return Optional.of(List.of(before, range));
      }
      if (last == null || ends(range) >= ends(last)) {
        other = last != null && last.unit != range.unit ? last : other;
        last = range;
      } else if (range.unit != last.unit && ends(range) >= ends(other)) {
        other = range;
      }
    }
    return Optional.empty();
  }

  private static long ends(@Nullable UnitRange range) {
    return range == null ? Long.MIN_VALUE : range.ids.greatest();
  }
}
