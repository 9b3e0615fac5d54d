package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.Output;

/** Writes one data file from blocks that arrive in the order of the file. */
public final class ShardWriter implements BlockSink {
  private final Output out;
  private final ShardPlan shard;
  private final BlockSequence sequence;

  /** Creates the writer and writes the content before the blocks. */
  public ShardWriter(Output out, ShardPlan shard, WritePlan plan) throws IOException {
    this.out = out;
    this.shard = shard;
    this.sequence = new BlockSequence(out.path(), shard, plan);
    shard.writeHead(out);
  }

  @Override
  public void write(long example, int column, ByteBuffer block) throws IOException {
    sequence.check(example, column, block);
    out.write(block);
    sequence.advance();
  }

  @Override
  public boolean writeRun(long example, int column, ByteBuffer blocks) throws IOException {
    long count = sequence.checkRun(example, column, blocks);
    out.write(blocks);
    sequence.advance(count);
    return true;
  }

  @Override
  public void close() throws IOException {
    try (Output closing = out) {
      sequence.checkComplete();
      shard.writeTail(closing);
    }
  }
}
