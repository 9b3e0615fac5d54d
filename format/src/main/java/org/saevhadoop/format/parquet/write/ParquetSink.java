package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.BlockSequence;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;

/**
 * Writes a file from blocks that arrive in the order of the file: all examples layer by layer, or
 * example by example if rows are examples. In the second case, layers are buffered on the local
 * disk until their row group is complete, because a row group holds one layer after the other.
 */
final class ParquetSink implements BlockSink {
  private static final int BUFFER_BYTES = 1 << 20;

  private final ParquetWritePlan plan;
  private final ShardPlan shard;
  private final Output out;
  private final Path localFolder;
  private final BlockSequence sequence;
  private final RowColumns columns;
  private final @Nullable IdColumn ids;
  private final @Nullable SampleColumns samples;
  private final VectorPages vectors;
  private final int lastColumn;
  private final List<FileFooter.Group> groups = new ArrayList<>();
  private List<WrittenChunk> chunks = new ArrayList<>();
  private @Nullable LocalSpool waiting;

  ParquetSink(ParquetWritePlan plan, ShardPlan shard, Output out, Path localFolder)
      throws IOException {
    this.plan = plan;
    this.shard = shard;
    this.out = out;
    this.localFolder = localFolder;
    this.sequence = new BlockSequence(out.path(), shard, plan);
    this.columns = new RowColumns(plan);
    this.ids = plan.ids() == null ? null : new IdColumn(plan.ids(), plan.exampleRows());
    this.samples = plan.hasSamples() ? new SampleColumns(plan, localFolder) : null;
    this.vectors =
        new VectorPages(out, plan.vector(0), plan.geometry().vectorBytes(), plan.compression());
    this.lastColumn = plan.geometry().layers().size() - 1;
    out.write(ByteBuffer.wrap(FileFooter.MAGIC));
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    sequence.check(example, column, block);
    long index = example - shard.first();
    long first = example - index % plan.groupExamples();
    long examples = Math.min(plan.groupExamples(), shard.first() + shard.examples() - first);
    boolean isLast = example == first + examples - 1;
    if (plan.unit() == RowUnit.EXAMPLE && examples > 1 && lastColumn > 0) {
      long bytes = block.remaining();
      waiting().write((column * examples + example - first) * bytes, block);
      if (isLast && column == lastColumn) {
        writeWaiting(first, examples, examples * bytes);
      }
    } else {
      if (example == first) {
        begin(column, first, examples);
      }
      vectors.write(block);
      if (isLast) {
        end(column, first, examples);
      }
    }
    sequence.advance();
  }

  private LocalSpool waiting() throws IOException {
    LocalSpool spool = waiting;
    if (spool == null) {
      spool = LocalSpool.temporary(localFolder);
      waiting = spool;
    }
    return spool;
  }

  private void writeWaiting(long first, long examples, long columnBytes) throws IOException {
    ByteBuffer some = Input.buffer((int) Math.min(BUFFER_BYTES, columnBytes));
    for (int column = 0; column <= lastColumn; column++) {
      begin(column, first, examples);
      for (long done = 0; done < columnBytes; done += some.limit()) {
        some.clear().limit((int) Math.min(some.capacity(), columnBytes - done));
        waiting().read(column * columnBytes + done, some);
        vectors.write(some.flip());
      }
      end(column, first, examples);
    }
  }

  private boolean isRowGroup(int column, int edge) {
    return plan.unit() == RowUnit.VECTOR || column == edge;
  }

  private void begin(int column, long first, long examples) throws IOException {
    if (isRowGroup(column, 0)) {
      writeIntegers(columns.keys(), column, first, examples, plan.exampleRows());
    }
    vectors.begin(out, plan.vector(column), examples * plan.geometry().tokens());
  }

  private void end(int column, long first, long examples) throws IOException {
    chunks.add(vectors.end());
    if (!isRowGroup(column, lastColumn)) {
      return;
    }
    writeIntegers(columns.others(), column, first, examples, plan.geometry().tokens());
    if (ids != null) {
      chunks.add(ids.write(out, plan.compression(), first, examples));
    }
    if (samples != null) {
      chunks.addAll(samples.write(out, plan.compression(), first, examples));
    }
    groups.add(new FileFooter.Group(examples * plan.exampleRows(), chunks));
    chunks = new ArrayList<>();
  }

  /** Writes columns with a fixed number of values for each example. */
  private void writeIntegers(
      List<IntegerColumn> some, int column, long first, long examples, int values)
      throws IOException {
    int layer = plan.geometry().layers().get(column);
    for (IntegerColumn each : some) {
      chunks.add(each.write(out, plan.compression(), layer, first * values, examples * values));
    }
  }

  @Override
  public void close() throws IOException {
    LocalSpool spool = waiting;
    try (out;
        columns;
        spool) {
      sequence.checkComplete();
      plan.footer().write(groups, out);
    }
  }
}
