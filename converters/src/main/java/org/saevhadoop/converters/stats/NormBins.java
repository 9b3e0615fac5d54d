package org.saevhadoop.converters.stats;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/**
 * Bins of histograms, merged to fewer ones with exact counts. The histograms of several layers are
 * merged at the same borders, so that their curves can be compared.
 */
final class NormBins {
  private NormBins() {}

  /**
   * Returns the bins to which histograms are merged, in ascending order, with counts of 0. Each
   * consists of the same number of bins, or of fewer before a gap between two histograms.
   *
   * @param histograms histograms whose bins have the same borders where they overlap
   * @param most the largest number of merged bins, if there are no gaps
   */
  static SortedMap<Double, Bin> merged(List<List<Bin>> histograms, int most) {
    TreeMap<Double, Double> all = new TreeMap<>();
    histograms.forEach(bins -> bins.forEach(bin -> all.put(bin.from(), bin.to())));
    int members = (all.size() + most - 1) / most;
    TreeMap<Double, Bin> merged = new TreeMap<>();
    int count = members;
    for (var bin : all.entrySet()) {
      Bin last = merged.isEmpty() ? null : merged.lastEntry().getValue();
      boolean first = last == null || count == members || bin.getKey() > last.to();
      count = first ? 1 : count + 1;
      double from = first ? bin.getKey() : last.from();
      merged.put(from, new Bin(from, bin.getValue(), 0));
    }
    return merged;
  }

  /** Returns the counts of a histogram in such bins, without those below and above its own. */
  static SortedMap<Double, Bin> counted(List<Bin> histogram, SortedMap<Double, Bin> merged) {
    TreeMap<Double, Bin> counted = new TreeMap<>();
    TreeMap<Double, Bin> empty = new TreeMap<>(merged);
    for (Bin bin : histogram) {
      Bin into = empty.floorEntry(bin.from()).getValue();
      counted.merge(
          into.from(),
          new Bin(into.from(), into.to(), bin.vectors()),
          (a, b) -> new Bin(a.from(), a.to(), a.vectors() + b.vectors()));
    }
    return counted;
  }
}
