package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;

/** Writes one data file from blocks that arrive in the file's own order. */
public final class ShardWriter implements BlockSink {
  private final Output out;
  private final ShardPlan plan;
  private final DatasetTarget target;
  private final BlockSequence sequence;

  /** Writes the file's header at once. */
  public ShardWriter(Output out, ShardPlan plan, DatasetTarget target) throws IOException {
    this.out = out;
    this.plan = plan;
    this.target = target;
    this.sequence = new BlockSequence(out.path(), plan, target);
    out.write(ByteBuffer.wrap(plan.header()));
  }

  @Override
  public void write(long example, int layerIndex, ByteBuffer block) throws IOException {
    sequence.check(example, layerIndex, block);
    out.write(block);
    sequence.advance();
  }

  @Override
  public void close() throws IOException {
    try (Output closing = out) {
      sequence.checkComplete();
      target.finish(plan, closing);
    }
  }
}
