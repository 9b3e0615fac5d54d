package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.BlockLocation;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.mapreduce.job.ExampleRange;

/**
 * Determines the hosts that store most of a split's bytes. Splits are looked up in batches that
 * read a limited number of file parts. Each file is then requested once for all splits of a batch,
 * and the locations of its blocks are discarded as soon as their bytes are added up.
 */
final class SplitHosts {
  private static final int MAX_HOSTS = 3;

  /** The number of file parts at which a batch of splits is complete. */
  private static final int MANY_PARTS = 10_000;

  /** The maximum number of blocks in one request. */
  private static final int MAX_BLOCKS = 128;

  /** Locates the storage blocks of a part of a file. */
  interface Locations {
    List<BlockLocation> of(Shard shard, long offset, long length) throws IOException;
  }

  /** A part of a file that a split reads, and the number of the split's bytes on each host. */
  private record Part(long offset, long end, Map<String, Long> hosts) {}

  private final TableDataset dataset;
  private final List<Integer> columns;
  private final long blockSize;
  private final Locations locations;

  /** Host names, which are shared because each response contains its own copies. */
  private final Map<String, String> names = new ConcurrentHashMap<>();

  /**
   * Creates a lookup for the ranges of a dataset.
   *
   * @param columns the columns that are read
   * @param blockSize the block size of the files in bytes, which determines the size of requests
   */
  SplitHosts(TableDataset dataset, List<Integer> columns, long blockSize, Locations locations) {
    this.dataset = dataset;
    this.columns = columns;
    this.blockSize = blockSize;
    this.locations = locations;
  }

  /**
   * Returns the hosts of each range, in descending order of bytes. Hosts with equal bytes are
   * sorted by name, so that plans are reproducible.
   */
  List<String[]> of(List<ExampleRange> ranges) throws IOException {
    List<String[]> hosts = new ArrayList<>(ranges.size());
    try (ParallelRequests requests = new ParallelRequests()) {
      while (hosts.size() < ranges.size()) {
        Map<Integer, List<Part>> parts = new TreeMap<>();
        List<Map<String, Long>> tallies = new ArrayList<>();
        int count = 0;
        while (count < MANY_PARTS && hosts.size() + tallies.size() < ranges.size()) {
          Map<String, Long> tally = new ConcurrentHashMap<>();
          count += addParts(ranges.get(hosts.size() + tallies.size()), tally, parts);
          tallies.add(tally);
        }
        requests.run(requests(parts));
        tallies.forEach(tally -> hosts.add(most(tally)));
      }
    }
    return hosts;
  }

  private int addParts(
      ExampleRange range, Map<String, Long> tally, Map<Integer, List<Part>> parts) {
    int count = 0;
    for (ShardSlice slice : dataset.shards().slices(range.first(), range.count())) {
      for (ByteRange bytes :
          dataset.expectedRanges(slice.index(), slice.start(), slice.examples(), columns)) {
        if (bytes.length() > 0) {
          parts
              .computeIfAbsent(slice.index(), shard -> new ArrayList<>())
              .add(new Part(bytes.offset(), bytes.offset() + bytes.length(), tally));
          count++;
        }
      }
    }
    return count;
  }

  /** Returns requests for the parts; parts of a file that are near each other share requests. */
  private List<Callable<Void>> requests(Map<Integer, List<Part>> parts) {
    List<Callable<Void>> requests = new ArrayList<>();
    parts.forEach(
        (index, ofFile) -> {
          ofFile.sort(Comparator.comparingLong(Part::offset));
          int first = 0;
          long end = 0;
          for (int i = 0; i < ofFile.size(); i++) {
            if (i > first && ofFile.get(i).offset() > end + blockSize) {
              addRequests(index, ofFile.subList(first, i), end, requests);
              first = i;
            }
            end = i == first ? ofFile.get(i).end() : Math.max(end, ofFile.get(i).end());
          }
          addRequests(index, ofFile.subList(first, ofFile.size()), end, requests);
        });
    return requests;
  }

  private void addRequests(int index, List<Part> parts, long end, List<Callable<Void>> requests) {
    Shard shard = dataset.shards().get(index);
    long length = MAX_BLOCKS * blockSize;
    for (long from = parts.get(0).offset(); from < end; from += length) {
      long start = from;
      long stop = Math.min(from + length, end);
      requests.add(
          () -> {
            List<Part> near =
                parts.stream().filter(part -> part.offset() < stop && part.end() > start).toList();
            for (BlockLocation block : locations.of(shard, start, stop - start)) {
              add(block, start, stop, near);
            }
            return null;
          });
    }
  }

  /** Adds the bytes of a block that belong to parts and lie between two offsets. */
  private void add(BlockLocation block, long start, long stop, List<Part> parts)
      throws IOException {
    long first = Math.max(start, block.getOffset());
    long end = Math.min(stop, block.getOffset() + block.getLength());
    for (Part part : parts) {
      long bytes = Math.min(end, part.end()) - Math.max(first, part.offset());
      if (bytes > 0) {
        for (String host : block.getHosts()) {
          part.hosts().merge(names.computeIfAbsent(host, name -> name), bytes, Long::sum);
        }
      }
    }
  }

  private static String[] most(Map<String, Long> bytes) {
    return bytes.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MAX_HOSTS)
        .map(Map.Entry::getKey)
        .toArray(String[]::new);
  }
}
