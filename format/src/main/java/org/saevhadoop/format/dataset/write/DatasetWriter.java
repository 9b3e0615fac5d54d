package org.saevhadoop.format.dataset.write;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.tensor.DType;

/** Writes each block, or example, to the file to which it belongs, one file after another. */
public final class DatasetWriter implements Closeable {
  /** Whether blocks may be spooled on the local disk to bring them into the order of their file. */
  public enum Spool {
    AUTO,
    TRUE,
    FALSE
  }

  private final Io.Action creator;
  private final Folder folder;
  private final WritePlan plan;
  private final ShardSinks sinks;
  private final TableShape table;
  private final BlockOrder order;
  private final Map<Integer, Integer> columns;
  private final Spool spool;
  private final boolean runs;
  private final Path localFolder;
  private final Set<Long> finished = new HashSet<>();
  private @Nullable BlockSink sink;
  private long sinkIndex = -1;
  private long sinkExamples;

  /**
   * Creates a writer.
   *
   * @param creator the action that creates the folder before the first file; a task without blocks
   *     creates no folder and has nothing to commit
   * @param folder the folder in which the files are created
   * @param spool whether blocks may arrive in any order
   * @param runs whether several blocks may be written together, in the order of the plan
   * @param localFolder a folder on the local disk for temporary files
   */
  public DatasetWriter(
      Io.Action creator,
      Folder folder,
      DatasetWrite write,
      Spool spool,
      boolean runs,
      Path localFolder) {
    this.creator = creator;
    this.folder = folder;
    this.localFolder = localFolder;
    this.plan = write.plan();
    this.sinks = write.sinks();
    this.table = plan.table();
    this.order = plan.order();
    this.columns = TableShape.positions(table.columnIds());
    this.spool = spool;
    this.runs = runs;
  }

  /**
   * Writes a block, a run of blocks or an example.
   *
   * @param example the example of the first block
   * @param columnId the id of the column of the first block, or {@link TableShape#ALL_COLUMNS}
   * @param bytes the values, between position and limit
   * @throws FormatException if the values do not belong to the dataset, or do not belong at this
   *     position
   */
  public void write(long example, int columnId, DType dtype, ByteBuffer bytes) throws IOException {
    DatasetError.FOREIGN_RECORD.check(
        example >= 0 && example < table.examples(),
        folder.path(),
        "example %d does not belong to the dataset (expected 0 to %d)",
        example,
        table.examples() - 1);
    long index = example / plan.examplesPerShard();
    if (index != sinkIndex) {
      finishFile();
      startFile(index, example, columnId);
    }
    if (columnId == TableShape.ALL_COLUMNS) {
      checkType(dtype, 0);
      writeExample(example, bytes);
      return;
    }
    int column = columns.getOrDefault(columnId, -1);
    DatasetError.FOREIGN_RECORD.check(
        column >= 0,
        folder.path(),
        "layer %d does not belong to the dataset (expected one of %s)",
        columnId,
        table.columnIds());
    checkType(dtype, column);
    if (runs && bytes.remaining() > table.blockBytes(column)) {
      writeRun(index, example, column, bytes);
    } else {
      Objects.requireNonNull(sink).write(example, column, bytes);
    }
  }

  private void writeRun(long index, long example, int column, ByteBuffer run) throws IOException {
    BlockSink blocks = Objects.requireNonNull(sink);
    if (blocks.writeRun(example, column, run)) {
      return;
    }
    long examples = sinkExamples;
    long first = index * plan.examplesPerShard();
    long ordinal = order.ordinal(example - first, column, examples);
    for (int from = run.position(); from < run.limit(); ordinal++) {
      int next = order.column(ordinal, examples);
      int length = (int) Math.min(table.blockBytes(next), run.limit() - from);
      blocks.write(first + order.indexInGroup(ordinal, examples), next, run.slice(from, length));
      from += length;
    }
  }

  private void checkType(DType dtype, int column) throws FormatException {
    DType expected = table.columns().get(column).dtype();
    if (dtype != expected) {
      throw DatasetError.BLOCK_SIZE.in(
          folder.path(), "a record is %s (expected %s)", dtype, expected);
    }
  }

  private void writeExample(long example, ByteBuffer bytes) throws IOException {
    DatasetError.BLOCK_SIZE.check(
        bytes.remaining() == table.exampleBytes(),
        folder.path(),
        "example %d has %d bytes (expected %d)",
        example,
        bytes.remaining(),
        table.exampleBytes());
    int start = bytes.position();
    for (int i = 0; i < table.columns().size(); i++) {
      int length = (int) table.blockBytes(i);
      Objects.requireNonNull(sink).write(example, i, bytes.slice(start, length));
      start += length;
    }
  }

  private void startFile(long index, long example, int columnId) throws IOException {
    if (finished.isEmpty()) {
      creator.run();
    }
    boolean whole = columnId == TableShape.ALL_COLUMNS;
    DatasetError.BLOCK_OUT_OF_ORDER.check(
        finished.add(index),
        folder.path(plan.shardName(index)),
        "example %d%s arrived after another file was begun (expected one file after another)",
        example,
        whole ? "" : " layer " + columnId);
    boolean anyOrder = spool == Spool.TRUE || spool == Spool.AUTO && whole && order.byLayer();
    sink = sinks.open(index, anyOrder, folder, localFolder);
    sinkIndex = index;
    sinkExamples = plan.examples(index);
  }

  private void finishFile() throws IOException {
    if (sink != null) {
      BlockSink closing = sink;
      sink = null;
      closing.close();
    }
  }

  /**
   * Completes the last file.
   *
   * @throws FormatException if blocks are missing
   */
  @Override
  public void close() throws IOException {
    try (sinks) {
      finishFile();
      folder.awaitForced();
    }
  }
}
