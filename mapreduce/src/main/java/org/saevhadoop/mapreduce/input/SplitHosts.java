package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.mapreduce.job.ExampleRange;

/** Determines the hosts that store most of a split's bytes. */
final class SplitHosts {
  private static final int MAX_HOSTS = 3;

  /** Locates the storage blocks of a file; there are none in a storage without locality. */
  interface Locations {
    BlockLocation[] of(Shard shard) throws IOException;
  }

  private final TableDataset dataset;
  private final List<Integer> columns;
  private final Locations locations;
  private final Map<Integer, BlockLocation[]> known = new HashMap<>();

  /**
   * Creates a lookup for the ranges of a dataset.
   *
   * @param columns the columns that are read
   */
  SplitHosts(TableDataset dataset, List<Integer> columns, Locations locations) {
    this.dataset = dataset;
    this.columns = columns;
    this.locations = locations;
  }

  /**
   * Returns the hosts of a range, in descending order of bytes. Hosts with equal bytes are sorted
   * by name, so that plans are reproducible.
   */
  String[] of(ExampleRange range) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (ShardSlice slice : dataset.shards().slices(range.first(), range.count())) {
      BlockLocation[] blocks = locationsOf(slice.index(), slice.shard());
      for (ByteRange part :
          dataset.expectedRanges(slice.index(), slice.start(), slice.examples(), columns)) {
        add(blocks, part, bytes);
      }
    }
    return bytes.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MAX_HOSTS)
        .map(Map.Entry::getKey)
        .toArray(String[]::new);
  }

  private BlockLocation[] locationsOf(int index, Shard shard) throws IOException {
    BlockLocation[] found = known.get(index);
    if (found == null) {
      found = locations.of(shard);
      known.put(index, found);
    }
    return found;
  }

  private static void add(BlockLocation[] blocks, ByteRange part, Map<String, Long> bytes)
      throws IOException {
    for (BlockLocation block : blocks) {
      long from = Math.max(part.offset(), block.getOffset());
      long to = Math.min(part.offset() + part.length(), block.getOffset() + block.getLength());
      if (from < to) {
        Arrays.stream(block.getHosts()).forEach(host -> bytes.merge(host, to - from, Long::sum));
      }
    }
  }
}
