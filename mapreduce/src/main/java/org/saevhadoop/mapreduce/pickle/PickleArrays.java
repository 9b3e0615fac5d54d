package org.saevhadoop.mapreduce.pickle;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.pickleshards.shard.ShardBlocks;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.spi.ArrayCursor;

/** Adapts the arrays of a shard to {@link ArrayCursor}. */
record PickleArrays(ShardBlocks blocks) implements ArrayCursor {
  @Override
  public boolean next() {
    return blocks.next();
  }

  @Override
  public long sample() {
    return blocks.sampleId();
  }

  @Override
  public int layer() {
    return blocks.layerNumber();
  }

  @Override
  public DType dtype() {
    return blocks.dtype();
  }

  @Override
  public long[] shape() {
    return blocks.shape();
  }

  @Override
  public ByteBuffer bytes() throws IOException {
    return blocks.bytes();
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }
}
