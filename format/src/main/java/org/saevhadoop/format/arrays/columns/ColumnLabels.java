package org.saevhadoop.format.arrays.columns;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Input;

/**
 * Labels in a column of a table, in the order of the examples. One file of the table is open at a
 * time.
 */
final class ColumnLabels implements PatchLabels {
  private final TableDataset table;
  private final Shards shards;
  private final int column;
  private final int patches;
  private @Nullable Input file;
  private @Nullable Part part;

  /** The open data file. */
  private record Part(Shard shard, Input file, BlockOffsets placement) {}

  /**
   * Creates a reader of labels.
   *
   * @param column the index of a U8 column with shape {@code [patch]}
   */
  ColumnLabels(TableDataset table, int column) {
    this.table = table;
    this.shards = table.shards();
    this.column = column;
    this.patches = (int) table.table().blockBytes(column);
  }

  @Override
  public int patches() {
    return patches;
  }

  @Override
  public void read(long first, ByteBuffer dst) throws IOException {
    int limit = dst.limit();
    long example = first;
    while (dst.hasRemaining()) {
      Part found = partOf(example);
      BlockOffsets placement = found.placement;
      long index = example - found.shard.first();
      long start = placement.offset(index, column);
      long left = Math.min(found.shard.examples() - index, dst.remaining() / patches);
      long run = 1;
      while (run < left && placement.offset(index + run, column) == start + run * patches) {
        run++;
      }
      dst.limit((int) (dst.position() + run * patches));
      found.file.readFully(start, dst);
      dst.limit(limit);
      example += run;
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  private Part partOf(long example) throws IOException {
    if (part != null && part.shard.holds(example)) {
      return part;
    }
    int index = shards.indexOf(example);
    DatasetError.NO_LABELS.check(
        index >= 0,
        table.path(),
        "has no labels of example %d (expected 0 to %d)",
        example,
        table.table().examples() - 1);
    close();
    part = null;
    Input opened = table.folder().open(shards.get(index).name());
    file = opened;
    part = new Part(shards.get(index), opened, table.placement(index, opened));
    return part;
  }
}
