package org.saevhadoop.jobs.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.saevhadoop.format.shuffle.RowScatter;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.staged.StagedFolder;

/**
 * The row files of a split: one for each dataset, and another one for the side data of its rows, if
 * there is any. The files are complete when they are closed.
 */
final class SplitFiles implements Closeable {
  private final List<ShufflePlan> plans;
  private final List<RowScatter> rows = new ArrayList<>();
  private final List<RowScatter> sides = new ArrayList<>();
  private final Deque<Closeable> open = new ArrayDeque<>();
  private final ByteBuffer sideRow;

  SplitFiles(List<ShufflePlan> plans, String part, StagedFolder target) throws IOException {
    this.plans = plans;
    this.sideRow = plans.get(0).side().buffer();
    try {
      for (ShufflePlan plan : plans) {
        String name = ShuffledDataset.file(ShuffledDataset.PREFIX, part, plan.number());
        rows.add(opened(new RowScatter(plan.format(), target.create(name))));
        if (plan.side().bytes() > 0) {
          String side = ShuffledDataset.file(ShuffledDataset.SIDE, part, plan.number());
          sides.add(opened(new RowScatter(plan.sideFormat(), target.create(side))));
        }
      }
    } catch (IOException | RuntimeException e) {
      try {
        close();
      } catch (IOException other) {
        e.addSuppressed(other);
      }
      throw e;
    }
  }

  private RowScatter opened(RowScatter file) {
    open.push(file);
    return file;
  }

  /** Adds a row, as {@link SplitRows.Sink#add} accepts it. */
  void add(int dataset, long row, long example, int token, ByteBuffer bytes, ByteBuffer side)
      throws IOException {
    rows.get(dataset).add(row, bytes);
    if (!sides.isEmpty()) {
      plans.get(dataset).side().put(example, token, side, sideRow);
      sides.get(dataset).add(row, sideRow);
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
