package org.saevhadoop.format.pickleshards.write;

import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.ShardSpool;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * Write plan of a dataset of pickled shards. A shard contains all layers of its examples.
 *
 * @param geometry the shape and the dtype of the input blocks
 * @param shardBytes the maximum size of a shard in bytes of input blocks, unless a single example
 *     is larger
 * @param directory the final path of the dataset, for the metadata.json of the real writers
 */
public record PickleWritePlan(Geometry geometry, long shardBytes, ShardForm form, String directory)
    implements WritePlan {
  /**
   * Maximum size of an example with all its layers in bytes: the specification limits a shard to 2
   * GB.
   */
  public static final long MAX_EXAMPLE_BYTES = 2_000_000_000;

  /** Maximum size in bytes of an entry in metadata.json, without its layers and its directory. */
  private static final long ENTRY_BYTES = 500;

  private static final long LAYER_BYTES = 48;

  /**
   * Checks that the dataset can be written.
   *
   * @throws IllegalArgumentException if an example is too large, numpy does not have the dtype, or
   *     there would be too many shards
   */
  public PickleWritePlan {
    if (geometry.exampleBytes() > MAX_EXAMPLE_BYTES) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "an example has %d bytes, which is too much for a shard (expected at most %d)",
              geometry.exampleBytes(), MAX_EXAMPLE_BYTES));
    }
    if (!PickleWriter.holds(geometry.dtype())) {
      throw new IllegalArgumentException(
          "numpy has no %s (expected another --dtype)".formatted(geometry.dtype()));
    }
    long entry = ENTRY_BYTES + LAYER_BYTES * geometry.layers().size() + 2L * directory.length();
    long most = Math.min(ShardFiles.MAX_SHARDS, ActivationManifest.MAX_BYTES / entry);
    long perShard = Math.max(1, shardBytes / geometry.exampleBytes());
    if ((geometry.examples() - 1) / perShard >= most) {
      throw new IllegalArgumentException(
          Quote.sentence(
              "%d examples per shard make too many shards (expected at most %d: choose larger"
                  + " ones)",
              perShard, most));
    }
  }

  /** Returns the complete description of the write. */
  public DatasetWrite write(
      SampleMetadata sampleMetadata, SampleOrigin origin, ExtractionConfig extraction) {
    ShardSinks sinks =
        (index, anyOrder, folder, localFolder) -> {
          ShardPlan shard = shard(index);
          Io.Supplier<BlockSink> file =
              () -> new ShardSink(this, sampleMetadata, origin, shard, folder);
          return anyOrder ? new ShardSpool(shard, this, folder, localFolder, file) : file.get();
        };
    return new DatasetWrite(this, sinks, new PickleFinisher(this, extraction));
  }

  @Override
  public TableShape table() {
    return geometry.table();
  }

  @Override
  public BlockOrder order() {
    return BlockOrder.byColumn(table());
  }

  @Override
  public long examplesPerShard() {
    return Math.max(1, shardBytes / geometry.exampleBytes());
  }

  /**
   * Returns at least 1: even a dataset without examples has one shard, because the keys of the
   * shard define the layers.
   */
  @Override
  public long shardCount() {
    return Math.max(1, WritePlan.super.shardCount());
  }

  @Override
  public boolean isCompressed() {
    return form.gzip() != null;
  }

  @Override
  public ShardPlan shard(long index) {
    return new ShardPlan(
        shardName(index),
        index * examplesPerShard(),
        examples(index),
        new byte[0],
        ShardPlan.UNKNOWN);
  }

  @Override
  public String shardName(long index) {
    return form.fileName(index);
  }
}
