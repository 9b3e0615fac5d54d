package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.BlockSequence;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.Output;

/** Writes a file from blocks that arrive in its order: layer by layer, with all their examples. */
final class ParquetSink implements BlockSink {
  private final ParquetWritePlan plan;
  private final ShardPlan shard;
  private final Output out;
  private final BlockSequence sequence;
  private final RowColumns columns;
  private final @Nullable IdColumn ids;
  private final @Nullable SampleColumns samples;
  private final VectorPages vectors;
  private final List<FileFooter.Group> groups = new ArrayList<>();
  private List<WrittenChunk> chunks = new ArrayList<>();

  ParquetSink(ParquetWritePlan plan, ShardPlan shard, Output out, Path localFolder)
      throws IOException {
    this.plan = plan;
    this.shard = shard;
    this.out = out;
    this.sequence = new BlockSequence(out.path(), shard, plan);
    this.columns = new RowColumns(plan);
    int tokens = plan.geometry().tokens();
    this.ids = plan.ids() == null ? null : new IdColumn(plan.ids(), tokens);
    this.samples =
        plan.hasSamples() ? new SampleColumns(plan.sampleMetadata(), tokens, localFolder) : null;
    this.vectors =
        new VectorPages(out, plan.vector(), plan.geometry().vectorBytes(), plan.compression());
    out.write(ByteBuffer.wrap(FileFooter.MAGIC));
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    sequence.check(example, column, block);
    long index = example - shard.first();
    long first = example - index % plan.groupExamples();
    long examples = Math.min(plan.groupExamples(), shard.first() + shard.examples() - first);
    if (example == first) {
      begin(column, first, examples);
    }
    vectors.write(block);
    if (example == first + examples - 1) {
      end(column, first, examples);
    }
    sequence.advance();
  }

  private void begin(int column, long first, long examples) throws IOException {
    writeIntegers(columns.keys(), column, first, examples);
    vectors.begin(out, examples * plan.geometry().tokens());
  }

  private void end(int column, long first, long examples) throws IOException {
    chunks.add(vectors.end());
    writeIntegers(columns.others(), column, first, examples);
    if (ids != null) {
      chunks.add(ids.write(out, plan.compression(), first, examples));
    }
    if (samples != null) {
      chunks.addAll(samples.write(out, plan.compression(), first, examples));
    }
    groups.add(new FileFooter.Group(examples * plan.geometry().tokens(), chunks));
    chunks = new ArrayList<>();
  }

  private void writeIntegers(List<IntegerColumn> some, int column, long first, long examples)
      throws IOException {
    int tokens = plan.geometry().tokens();
    int layer = plan.geometry().layers().get(column);
    for (IntegerColumn each : some) {
      chunks.add(each.write(out, plan.compression(), layer, first * tokens, examples * tokens));
    }
  }

  @Override
  public void close() throws IOException {
    try (out;
        columns) {
      sequence.checkComplete();
      plan.footer().write(groups, out);
    }
  }
}
