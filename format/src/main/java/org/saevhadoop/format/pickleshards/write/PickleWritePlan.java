package org.saevhadoop.format.pickleshards.write;

import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * A dataset of pickled shards to be written. A shard has all layers of its examples.
 *
 * @param geometry the shape and the type of the blocks that come
 * @param shardBytes how much of them a shard has at most, unless one example has more
 * @param form how shards are written
 * @param directory where the dataset will be seen, as the real writers' metadata.json has it
 */
public record PickleWritePlan(Geometry geometry, long shardBytes, ShardForm form, String directory)
    implements WritePlan {
  /** Of one example with all its layers: a shard has at most 2 GB, says the specification. */
  public static final long MOST_EXAMPLE_BYTES = 2_000_000_000;

  /** Bytes of a shard's entry in metadata.json, at most, without its layers and directory. */
  private static final long ENTRY_BYTES = 500;

  private static final long LAYER_BYTES = 48;

  /**
   * Checks what can be written.
   *
   * @throws IllegalArgumentException where this can not
   */
  public PickleWritePlan {
    if (geometry.exampleBytes() > MOST_EXAMPLE_BYTES) {
      throw new IllegalArgumentException(
          "an example has %d bytes, which is too much for a shard (expected at most %d)"
              .formatted(geometry.exampleBytes(), MOST_EXAMPLE_BYTES));
    }
    if (!PickleWriter.holds(geometry.dtype())) {
      throw new IllegalArgumentException(
          "numpy has no %s (expected another --dtype)".formatted(geometry.dtype()));
    }
    long entry = ENTRY_BYTES + LAYER_BYTES * geometry.layers().size() + 2L * directory.length();
    long most = Math.min(ShardFiles.MOST_SHARDS, ActivationManifest.MOST_BYTES / entry);
    long perShard = Math.max(1, shardBytes / geometry.exampleBytes());
    if ((geometry.examples() - 1) / perShard >= most) {
      throw new IllegalArgumentException(
          "%d examples a shard make too many shards (expected at most %d: ask for larger ones)"
              .formatted(perShard, most));
    }
  }

  /**
   * Returns everything that is needed to write the dataset.
   *
   * @param attributes of the examples; those of examples without say where they come from
   * @param origin where that is
   * @param extraction what metadata.json says of the dataset's making
   */
  public DatasetWrite write(
      SampleMetadata attributes, SampleOrigin origin, ExtractionConfig extraction) {
    return new DatasetWrite(
        this, new PickleShardSinks(this, attributes, origin), new PickleFinisher(this, extraction));
  }

  @Override
  public TableShape table() {
    return geometry.table();
  }

  @Override
  public BlockOrder order() {
    return new BlockOrder(true, IntStream.range(0, geometry.layers().size()).boxed().toList());
  }

  @Override
  public long examplesPerShard() {
    return Math.max(1, shardBytes / geometry.exampleBytes());
  }

  /** A dataset without examples has a shard all the same, whose keys tell the layers. */
  @Override
  public long shardCount() {
    return Math.max(1, WritePlan.super.shardCount());
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
