package org.saevhadoop.format.activations;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.activations.ActivationManifest.Form;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.BlockSink;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Document;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ShardPlan;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.PickleWriter;

/**
 * A dataset of pickled shards to be written. A shard has all layers of its examples; their
 * attributes are inside.
 *
 * @param geometry the shape and the type of the blocks that come
 * @param shardBytes how much of them a shard has at most, unless one example has more
 * @param form how shards are written
 * @param attributes of the examples; those of examples without say where they come from
 * @param origin where that is
 * @param extraction what metadata.json says of the dataset's making
 * @param directory where the dataset will be seen, as the real writers' metadata.json has it
 */
public record PickleTarget(
    Geometry geometry,
    long shardBytes,
    ShardForm form,
    Attributes attributes,
    Origin origin,
    Extraction extraction,
    String directory)
    implements DatasetTarget {
  /** Of one example with all its layers: a shard has at most 2 GB, says the specification. */
  public static final long MOST_EXAMPLE_BYTES = 2_000_000_000;

  private static final String FACTS = ".facts";
  private static final int MOST_FACTS_BYTES = 1 << 20;

  /** Bytes of a shard's entry in metadata.json, at most, without its layers and directory. */
  private static final long ENTRY_BYTES = 500;

  private static final long LAYER_BYTES = 48;

  /**
   * Checks what can be written.
   *
   * @throws IllegalArgumentException where this can not
   */
  public PickleTarget {
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

  @Override
  public Table table() {
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

  /** Not hidden by an underscore: there are committers that leave such files behind. */
  @Override
  public String factsName(long index) {
    return factsName(shardName(index));
  }

  static String factsName(String shard) {
    return shard + FACTS;
  }

  @Override
  public boolean hasSidecars() {
    return false;
  }

  @Override
  public BlockSink sink(ShardPlan plan, Folder folder) throws IOException {
    return new ShardSink(this, plan, folder);
  }

  @Override
  public List<Document> documents(Folder written) throws IOException {
    List<ShardFacts> shards = new ArrayList<>();
    for (long i = 0; i < shardCount(); i++) {
      String name = factsName(i);
      ShardFacts facts =
          ShardFacts.parse(written.path(name), written.readSmall(name, MOST_FACTS_BYTES));
      FormatException.check(
          facts.name().equals(shardName(i)),
          written.path(name),
          "is of %s (expected %s)",
          facts.name(),
          shardName(i));
      shards.add(facts);
    }
    long samples = geometry.examples();
    String name = directory.substring(directory.lastIndexOf('/') + 1);
    return List.of(
        form.dialect() == Form.SPEC
            ? ManifestWriter.spec(shards, samples, extraction)
            : ManifestWriter.real(shards, samples, directory, name, shardBytes));
  }
}
