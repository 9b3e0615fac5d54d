package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataSource;

/**
 * Writes data files whose layout is fixed by the plan, and beside each of them a file with the
 * sample metadata of its examples.
 */
public final class PlainShardSinks implements ShardSinks {
  private final WritePlan plan;
  private final LongFunction<int @Nullable []> readOrder;
  private final SampleMetadataSource sampleMetadata;

  /** Creates sinks for files whose readers number the examples as the plan does. */
  public PlainShardSinks(WritePlan plan, SampleMetadata sampleMetadata) {
    this(plan, sampleMetadata, index -> null);
  }

  /**
   * Creates sinks for files whose readers may number the examples in an order other than that of
   * the plan.
   *
   * @param readOrder returns for the index of a file the position, in the plan, of the example that
   *     readers find first, second and so on; null if they number the examples as the plan does
   */
  public PlainShardSinks(
      WritePlan plan, SampleMetadata sampleMetadata, LongFunction<int @Nullable []> readOrder) {
    this.plan = plan;
    this.readOrder = readOrder;
    this.sampleMetadata = new SampleMetadataSource(sampleMetadata);
  }

  @Override
  public BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder)
      throws IOException {
    ShardPlan shard = plan.shard(index);
    BlockSink blocks =
        anyOrder || shard.scattered() != null
            ? new ShardSpool(shard, plan, folder, localFolder, null)
            : new ShardWriter(folder.create(shard.name()), shard, plan);
    return new BlockSink() {
      @Override
      public void write(long example, int column, ByteBuffer block) throws IOException {
        blocks.write(example, column, block);
      }

      @Override
      public void close() throws IOException {
        blocks.close();
        sampleMetadata.write(
            folder,
            shard.name(),
            shard.first(),
            shard.examples(),
            () -> readOrder.apply(index),
            localFolder);
      }
    };
  }

  @Override
  public void close() throws IOException {
    sampleMetadata.close();
  }
}
