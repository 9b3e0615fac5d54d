package org.saevhadoop.format.parquet.layers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.file.ParquetError;

/** The rows of a layer in the order of example and token, merged from its runs. */
final class LayerRows {
  /** The maximum number of open runs across all layers; each run takes 64 KiB. */
  private static final int MAX_OPEN = 1024;

  private static final int BUFFER_BYTES = 1 << 16;

  private final Folder staged;
  private final List<String> integers;
  private final boolean isNumbered;
  private final int maxOpen;
  private final Deque<LayerRun> pending;
  private final PriorityQueue<Cursor> open =
      new PriorityQueue<>(
          Comparator.comparingLong(Cursor::example).thenComparingLong(Cursor::token));
  private @Nullable Cursor last;

  /**
   * Creates the rows of a layer.
   *
   * @param runs the runs of the layer, in the order of the files and row groups
   * @param integers the names of the per-token integers of the dataset
   * @param isNumbered whether rows contain the numbers of their examples; otherwise runs are
   *     consecutive
   * @param layers the number of layers that are merged at the same time
   */
  LayerRows(
      Folder staged, List<LayerRun> runs, List<String> integers, boolean isNumbered, int layers) {
    this.staged = staged;
    this.integers = integers;
    this.isNumbered = isNumbered;
    this.maxOpen = Math.max(2, MAX_OPEN / layers);
    List<LayerRun> ordered = new ArrayList<>(runs);
    if (isNumbered) {
      ordered.sort(
          Comparator.comparingLong(LayerRun::firstExample).thenComparingLong(LayerRun::firstToken));
    }
    this.pending = new ArrayDeque<>(ordered);
  }

  /** A run, positioned at a row. */
  final class Cursor {
    private final LayerRun run;
    private final int bytes;
    private final ByteBuffer row;

    /** The index of each token array of the dataset in the run; -1 if the run lacks it. */
    private final int[] indexes;

    private long index = -1;
    private int at;

    private Cursor(LayerRun run) throws IOException {
      this.run = run;
      this.bytes = run.keyBytes();
      this.row = ByteBuffer.allocate(Math.max(1, BUFFER_BYTES / bytes) * bytes);
      this.row.order(ByteOrder.LITTLE_ENDIAN).limit(0);
      this.at = -bytes;
      this.indexes = integers.stream().mapToInt(run.integers()::indexOf).toArray();
      next();
    }

    /** Reads the next row; returns false if there is none. */
    private boolean next() throws IOException {
      index++;
      at += bytes;
      if (index < run.rows() && at == row.limit()) {
        long left = (run.rows() - index) * bytes;
        row.clear().limit((int) Math.min(row.capacity(), left));
        try (Input in = staged.open(run.keys())) {
          in.readFully(run.keyOffset() + index * bytes, row);
        }
        row.flip();
        at = 0;
      }
      return index < run.rows();
    }

    LayerRun run() {
      return run;
    }

    /** Returns the index of the row in the run. */
    long index() {
      return index;
    }

    long example() {
      return row.getLong(at);
    }

    long token() {
      return row.getLong(at + Long.BYTES);
    }

    /** Returns the index of the row in the Parquet file. */
    long row() {
      return row.getLong(at + 2 * Long.BYTES);
    }

    /** Returns the label; -1 if there is none. */
    long label() {
      return row.getLong(at + 3 * Long.BYTES);
    }

    /** Returns whether the file of the row has the column of a token array. */
    boolean hasInteger(int which) {
      return indexes[which] >= 0;
    }

    /** Returns the integer of a token array; -1 if there is none. */
    long integer(int which) {
      return indexes[which] < 0 ? -1 : row.getLong(at + (4 + indexes[which]) * Long.BYTES);
    }
  }

  /** Returns a cursor at the next row, which is valid until the next call; null at the end. */
  @Nullable Cursor next() throws IOException {
    if (last != null && last.next()) {
      open.add(last);
    }
    while (!pending.isEmpty() && (open.isEmpty() || isNumbered && !isBehind(pending.peek()))) {
      open.add(new Cursor(pending.remove()));
      checkOpen();
    }
    last = open.poll();
    return last;
  }

  private boolean isBehind(LayerRun run) {
    Cursor first = open.element();
    return run.firstExample() != first.example()
        ? run.firstExample() > first.example()
        : run.firstToken() > first.token();
  }

  private void checkOpen() throws FormatException {
    ParquetError.LIMIT_EXCEEDED.check(
        open.size() <= maxOpen,
        staged.path(),
        "the rows of a layer overlap in more than %d row groups (expected sorted rows: in Spark,"
            + " orderBy(\"layer\", \"example\", \"token\"))",
        maxOpen);
  }
}
