package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.dataset.write.BlockSequence;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.Output;

/** Writes an SDNB file from the blocks of a group of examples, column by column. */
final class SdnbSink implements BlockSink {
  private final Output out;
  private final WrittenArrays arrays;
  private final long group;
  private final SdnbSection section;
  private final BlockSequence sequence;

  SdnbSink(Output out, SdnbWritePlan plan, long group, ShardPlan shard) throws IOException {
    this.out = out;
    this.arrays = plan.arrays();
    this.group = group;
    this.section = new SdnbSection(out, plan.layout(group));
    this.sequence = new BlockSequence(out.path(), shard, plan);
    section.begin();
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    sequence.check(example, column, block);
    if (example == arrays.first(group) && block.hasRemaining()) {
      section.advanceTo(column);
    }
    out.write(block);
    sequence.advance();
  }

  @Override
  public void close() throws IOException {
    try (Output closing = out) {
      sequence.checkComplete();
      if (arrays.labels() != null && arrays.examples(group) > 0) {
        section.advanceTo(arrays.table().columns().size());
        arrays.labels().copy(arrays.first(group), arrays.examples(group), closing);
      }
      section.end();
    }
  }
}
