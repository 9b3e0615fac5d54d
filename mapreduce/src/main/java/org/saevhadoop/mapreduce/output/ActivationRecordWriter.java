package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.OutputKeys.Spool;

/** Writes each record to the file to which it belongs, one file after another. */
public final class ActivationRecordWriter extends RecordWriter<ActivationKey, ActivationWritable> {
  private final InvocationRaisingIOE creator;
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
   * @param creator creates the folder before the first file; a task without records has none, and
   *     nothing to commit
   * @param folder the folder in which the files are created
   * @param spool whether blocks may arrive in any order
   * @param runs whether a record may hold several blocks, in the order of the plan
   * @param localFolder a folder on the local disk for temporary files
   */
  public ActivationRecordWriter(
      InvocationRaisingIOE creator,
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

  @Override
  public void write(ActivationKey key, ActivationWritable value) throws IOException {
    DatasetError.FOREIGN_RECORD.check(
        key.example() >= 0 && key.example() < table.examples(),
        folder.path(),
        "example %d does not belong to the dataset (expected 0 to %d)",
        key.example(),
        table.examples() - 1);
    long index = key.example() / plan.examplesPerShard();
    if (index != sinkIndex) {
      finishFile();
      startFile(index, key);
    }
    ByteBuffer bytes = value.bytes();
    if (key.layer() == ActivationKey.ALL) {
      checkNumbers(value, 0);
      writeExample(key.example(), bytes);
      return;
    }
    int column = columns.getOrDefault(key.layer(), -1);
    DatasetError.FOREIGN_RECORD.check(
        column >= 0,
        folder.path(),
        "layer %d does not belong to the dataset (expected one of %s)",
        key.layer(),
        table.columnIds());
    checkNumbers(value, column);
    if (runs && bytes.remaining() > table.blockBytes(column)) {
      writeRun(index, key.example(), column, bytes);
    } else {
      Objects.requireNonNull(sink).write(key.example(), column, bytes);
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

  private void checkNumbers(ActivationWritable value, int column) throws FormatException {
    if (value.dtype() != table.columns().get(column).dtype()) {
      throw DatasetError.BLOCK_SIZE.in(
          folder.path(),
          "a record is %s (expected %s)",
          value.dtype(),
          table.columns().get(column).dtype());
    }
  }

  @Override
  public void close(TaskAttemptContext context) throws IOException {
    try (sinks) {
      finishFile();
      folder.awaitForced();
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
    int start = 0;
    for (int i = 0; i < table.columns().size(); i++) {
      int length = (int) table.blockBytes(i);
      Objects.requireNonNull(sink).write(example, i, bytes.slice(start, length));
      start += length;
    }
  }

  private void startFile(long index, ActivationKey first) throws IOException {
    if (finished.isEmpty()) {
      creator.apply();
    }
    DatasetError.BLOCK_OUT_OF_ORDER.check(
        finished.add(index),
        folder.path(plan.shardName(index)),
        "%s arrived after another file was begun (expected one file after another)",
        first);
    boolean anyOrder =
        spool == Spool.TRUE
            || spool == Spool.AUTO && first.layer() == ActivationKey.ALL && order.byLayer();
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
}
