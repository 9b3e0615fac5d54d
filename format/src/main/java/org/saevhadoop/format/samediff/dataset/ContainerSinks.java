package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.ShardSpool;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataSource;

/** Opens the data files of a container, and writes a file with sample metadata beside each one. */
final class ContainerSinks implements ShardSinks {
  /** Opens a data file for blocks in the order of the plan. */
  @FunctionalInterface
  interface Opener {
    BlockSink open(ShardPlan shard, long index, Folder folder, Path localFolder) throws IOException;
  }

  private final WritePlan plan;
  private final SampleMetadataSource sampleMetadata;
  private final Opener opener;

  ContainerSinks(WritePlan plan, SampleMetadata sampleMetadata, Opener opener) {
    this.plan = plan;
    this.sampleMetadata = new SampleMetadataSource(sampleMetadata);
    this.opener = opener;
  }

  @Override
  public BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder)
      throws IOException {
    ShardPlan shard = plan.shard(index);
    BlockSink blocks =
        anyOrder
            ? new ShardSpool(
                shard,
                plan,
                folder,
                localFolder,
                () -> opener.open(shard, index, folder, localFolder))
            : opener.open(shard, index, folder, localFolder);
    return new BlockSink() {
      @Override
      public void write(long example, int column, ByteBuffer block) throws IOException {
        blocks.write(example, column, block);
      }

      @Override
      public void close() throws IOException {
        blocks.close();
        sampleMetadata.write(
            folder, shard.name(), shard.first(), shard.examples(), () -> null, localFolder);
      }
    };
  }

  @Override
  public void close() throws IOException {
    sampleMetadata.close();
  }
}
