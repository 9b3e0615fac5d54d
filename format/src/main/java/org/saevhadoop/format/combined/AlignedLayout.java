package org.saevhadoop.format.combined;

import java.util.List;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.AscendingSearch;

/** Blocks of consecutive examples without gaps, in the order in which a source stores them. */
final class AlignedLayout {
  private final TableShape table;
  private final BlockOrder order;
  private final long examples;

  /** Offset of the first block of each column, in the order of the columns. */
  private final long[] begins;

  /** A position within a block. */
  record Place(long example, int column, long offset) {}

  /**
   * Creates a layout.
   *
   * @param table the columns of the source, in the types of the combined dataset
   * @param stored the order in which the source stores the blocks
   */
  AlignedLayout(TableShape table, BlockOrder stored, long examples) {
    this.table = table;
    this.order = stored;
    this.examples = examples;
    List<Integer> columns = order.columns();
    this.begins = new long[columns.size()];
    for (int i = 1; i < begins.length; i++) {
      long bytes = table.blockBytes(columns.get(i - 1));
      begins[i] = begins[i - 1] + (order.byLayer() ? bytes * examples : bytes);
    }
  }

  BlockOffsets offsets() {
    return BlockOffsets.contiguous(table, order, examples, 0);
  }

  long length() {
    return table.exampleBytes() * examples;
  }

  TableShape table() {
    return table;
  }

  /** Returns the block that contains a byte of the file, and the position within the block. */
  Place at(long position) {
    long bytes = table.exampleBytes();
    long inGroup = order.byLayer() ? position : position % bytes;
    int rank = AscendingSearch.lastAtMost(begins.length, i -> begins[i], inGroup);
    int column = order.columns().get(rank);
    long inColumn = inGroup - begins[rank];
    return order.byLayer()
        ? new Place(
            inColumn / table.blockBytes(column), column, inColumn % table.blockBytes(column))
        : new Place(position / bytes, column, inColumn);
  }
}
