package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.file.Path;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.ShardSpool;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * Opens sinks for pickled shards, which contain the metadata of their examples.
 *
 * @param sampleMetadata the sample metadata of the examples
 * @param origin the origin of examples without metadata
 */
record PickleShardSinks(PickleWritePlan plan, SampleMetadata sampleMetadata, SampleOrigin origin)
    implements ShardSinks {
  @Override
  public BlockSink open(long index, boolean anyOrder, Folder folder, Path localFolder)
      throws IOException {
    ShardPlan shard = plan.shard(index);
    return anyOrder
        ? new ShardSpool(shard, plan, folder, localFolder, () -> new ShardSink(this, shard, folder))
        : new ShardSink(this, shard, folder);
  }

  @Override
  public void close() {
    // each sink closes its own resources
  }
}
