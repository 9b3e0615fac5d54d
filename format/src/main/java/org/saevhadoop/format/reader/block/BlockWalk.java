package org.saevhadoop.format.reader.block;

import org.saevhadoop.format.dataset.BlockOrder;

/** Iteration over the coordinates of a selection, in its order. */
final class BlockWalk {
  private final BlockOrder order;
  private final long group;
  private final long end;
  private long groupStart;
  private long groupEnd;
  private long example;
  private int position;

  BlockWalk(RecordSelection selection, long first, long count) {
    this.order = selection.order();
    this.group = selection.group();
    this.end = Math.addExact(first, count);
    startGroup(first);
    // One step before the first block.
    if (order.byLayer()) {
      example = first - 1;
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
      example++;
    }
    return example < end;
  }

  private boolean nextByLayer() {
    if (++example == groupEnd) {
      example = groupStart;
      if (++position == order.columns().size()) {
        startGroup(groupEnd);
      }
    }
    return example < end;
  }

  private void startGroup(long first) {
    groupStart = first;
    long left = group - first % group;
    groupEnd = left < end - first ? first + left : end;
    example = first;
    position = 0;
  }
}
