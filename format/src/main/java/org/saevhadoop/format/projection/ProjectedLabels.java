package org.saevhadoop.format.projection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.PatchLabels;

/** Labels of a subset of the examples and of their patches. */
final class ProjectedLabels implements PatchLabels {
  private static final int READ_BYTES = 1 << 20;

  private final PatchLabels source;
  private final IndexRanges examples;
  private final List<IndexRange> ranges;
  private final int patches;
  private final ByteBuffer stored;

  /**
   * Creates the labels of a subset.
   *
   * @param examples the selected examples, which are renumbered from 0
   * @param ranges the selected patches in ascending order; patches for which the source has no
   *     label are ignored
   */
  ProjectedLabels(PatchLabels source, List<IndexRange> examples, List<IndexRange> ranges) {
    this.source = source;
    this.examples = new IndexRanges(examples);
    this.ranges =
        ranges.stream()
            .filter(range -> range.start() < source.patches())
            .map(range -> new IndexRange(range.start(), Math.min(range.stop(), source.patches())))
            .toList();
    this.patches = (int) this.ranges.stream().mapToLong(IndexRange::length).sum();
    int atOnce = Math.max(1, READ_BYTES / source.patches());
    this.stored = ByteBuffer.allocate(atOnce * source.patches());
  }

  @Override
  public int patches() {
    return patches;
  }

  @Override
  public void read(long first, ByteBuffer dst) throws IOException {
    long count = dst.remaining() / patches;
    if (first < 0 || first + count > examples.length()) {
      throw new IndexOutOfBoundsException(first + " + " + count);
    }
    for (IndexRange range : examples.slice(first, count)) {
      for (long example = range.start(); example < range.stop(); ) {
        example += read(example, range.stop() - example, dst);
      }
    }
  }

  /** Reads the labels of consecutive stored examples and returns the number of examples read. */
  private long read(long sourceExample, long count, ByteBuffer dst) throws IOException {
    int read = (int) Math.min(count, stored.capacity() / source.patches());
    source.read(sourceExample, stored.clear().limit(read * source.patches()));
    for (int i = 0; i < read; i++) {
      for (IndexRange range : ranges) {
        int from = i * source.patches() + (int) range.start();
        dst.put(stored.array(), from, (int) range.length());
      }
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
