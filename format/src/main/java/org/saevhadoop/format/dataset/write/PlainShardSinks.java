package org.saevhadoop.format.dataset.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataSource;

/**
 * Writes the data files of a plan, either byte by byte as the plan describes them or through sinks
 * of the format; next to each data file, writes a file with the sample metadata of its examples.
 */
public final class PlainShardSinks implements ShardSinks {
  /** Opens a data file for blocks in the order of the plan. */
  @FunctionalInterface
  public interface Opener {
    BlockSink open(ShardPlan shard, long index, Folder folder, Path localFolder) throws IOException;
  }

  private final WritePlan plan;
  private final LongFunction<int @Nullable []> readOrder;
  private final SampleMetadataSource sampleMetadata;
  private final @Nullable Opener opener;

  /** Creates sinks for files whose readers number the examples in the order of the plan. */
  public PlainShardSinks(WritePlan plan, SampleMetadata sampleMetadata) {
    this(plan, sampleMetadata, index -> null, null);
  }

  /**
   * Creates sinks for files whose readers may number the examples in an order other than the
   * plan's.
   *
   * @param readOrder a function that returns, for the index of a file, the positions of its
   *     examples in the plan, in the order in which readers find them, or null if that is the order
   *     of the plan
   */
  public PlainShardSinks(
      WritePlan plan, SampleMetadata sampleMetadata, LongFunction<int @Nullable []> readOrder) {
    this(plan, sampleMetadata, readOrder, null);
  }

  /** Creates sinks for files that are written by other sinks. */
  public PlainShardSinks(WritePlan plan, SampleMetadata sampleMetadata, Opener opener) {
    this(plan, sampleMetadata, index -> null, opener);
  }

  private PlainShardSinks(
      WritePlan plan,
      SampleMetadata sampleMetadata,
      LongFunction<int @Nullable []> readOrder,
      @Nullable Opener opener) {
    this.plan = plan;
    this.readOrder = readOrder;
    this.sampleMetadata = new SampleMetadataSource(sampleMetadata);
    this.opener = opener;
  }

  @Override
  public BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder)
      throws IOException {
    ShardPlan shard = plan.shard(index);
    Io.Supplier<BlockSink> ordered =
        opener == null ? null : () -> opener.open(shard, index, folder, localFolder);
    BlockSink blocks;
    if (anyOrder || ordered == null && shard.scattered() != null) {
      blocks = new ShardSpool(shard, plan, folder, localFolder, ordered);
    } else if (ordered == null) {
      blocks = new ShardWriter(folder.create(shard.name()), shard, plan);
    } else {
      blocks = ordered.get();
    }
    return new BlockSink() {
      @Override
      public void write(long example, int column, ByteBuffer block) throws IOException {
        blocks.write(example, column, block);
      }

      @Override
      public boolean writeRun(long example, int column, ByteBuffer run) throws IOException {
        return blocks.writeRun(example, column, run);
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
