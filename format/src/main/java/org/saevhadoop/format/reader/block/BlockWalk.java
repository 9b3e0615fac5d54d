package org.saevhadoop.format.reader.block;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.permutation.ExampleSample;

/** Iteration over the coordinates of a selection, in its order. */
final class BlockWalk {
  private final BlockOrder order;
  private final long group;
  private final long end;
  private final @Nullable ExampleSample sample;

  /** First example to be read in the current group. */
  private long groupStart;

  private long groupEnd;
  private long example;
  private int position;

  BlockWalk(RecordSelection selection, long first, long count) {
    this.order = selection.order();
    this.group = selection.group();
    this.sample = selection.sample();
    this.end = Math.addExact(first, count);
    startGroup(first);
    // One step before the first block.
    if (order.byLayer()) {
      example = groupStart - 1;
    } else {
      position = -1;
    }
  }

  boolean next() {
    if (groupStart >= end) {
      return false;
    }
    return order.byLayer() ? nextByLayer() : nextByExample();
  }

  long example() {
    return example;
  }

  int column() {
    return order.columns().get(position);
  }

  private boolean nextByExample() {
    if (++position == order.columns().size()) {
      position = 0;
      example = atOrAfter(example + 1);
    }
    return example < end;
  }

  private boolean nextByLayer() {
    example = atOrAfter(example + 1);
    if (example >= groupEnd) {
      example = groupStart;
      if (++position == order.columns().size()) {
        startGroup(groupEnd);
      }
    }
    return example < end;
  }

  /**
   * Starts the group that contains the first selected example with the given number or a higher
   * one.
   */
  private void startGroup(long first) {
    groupStart = atOrAfter(first);
    long left = group - groupStart % group;
    groupEnd = left < end - groupStart ? groupStart + left : end;
    example = groupStart;
    position = 0;
  }

  /**
   * Returns the first example to be read whose number is at least the given one, or a number of at
   * least {@code end} if there is none.
   */
  private long atOrAfter(long number) {
    if (sample == null) {
      return number;
    }
    long rank = sample.rank(number);
    return rank < sample.count() ? sample.example(rank) : end;
  }
}
