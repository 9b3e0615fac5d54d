package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Document;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.ShardPlan;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.tensor.DType;

/**
 * A dataset of safetensors files to be written, in the batch layout of safetensors-spark.
 *
 * @param geometry shape of the dataset
 * @param columns which tensors hold it
 * @param examplesPerShard examples a file
 * @param saevMetadata the SAEV metadata.json that travels with the activations; null without
 * @param saevDirectory the name of its directory, where that can not be computed; null where it can
 * @param labels the patches' labels, which go to each file's tensor {@code labels} of {@code [n,
 *     patch]}; null without
 */
public record SafetensorsTarget(
    Geometry geometry,
    Columns columns,
    long examplesPerShard,
    String saevMetadata,
    String saevDirectory,
    LabelSource labels)
    implements DatasetTarget {
  /** Which tensors hold the activations. */
  public enum Columns {
    /** One tensor {@code layer_<l>} of {@code [n, token, dim]} for each layer. */
    LAYERS,
    /** One tensor {@code acts} of {@code [n, layer, token, dim]}. */
    ACTS
  }

  /** About how many bytes a file has where its user does not say how many examples. */
  private static final long DEFAULT_SHARD_BYTES = 1L << 30;

  /** A dataset without labels whose SAEV directory, if any, bears the hash of its metadata. */
  public SafetensorsTarget(
      Geometry geometry, Columns columns, long examplesPerShard, String saevMetadata) {
    this(geometry, columns, examplesPerShard, saevMetadata, null, null);
  }

  /** As many examples as make about 1 GiB. */
  public static long defaultExamplesPerShard(Geometry geometry) {
    return Math.max(1, DEFAULT_SHARD_BYTES / geometry.exampleBytes());
  }

  @Override
  public BlockOrder order() {
    if (columns == Columns.ACTS) {
      return BlockOrder.byExample(geometry);
    }
    List<Integer> layerIndexes =
        header(0).tensors().stream()
            .filter(tensor -> !tensor.name().equals(ActivationColumns.LABELS_NAME))
            .map(tensor -> tensor.name().substring(ActivationColumns.LAYER_PREFIX.length()))
            .map(layer -> geometry.layerIndex(Integer.parseInt(layer)))
            .toList();
    return new BlockOrder(true, layerIndexes);
  }

  @Override
  public ShardPlan shard(long index) {
    ByteBuffer encoded = header(index).bytes();
    byte[] header = new byte[encoded.remaining()];
    encoded.get(header);
    long examples = examples(index);
    return new ShardPlan(
        // one part a task, as the reader of safetensors-spark sorts them by name
        "part-%05d-0000-%s%s".formatted(index, uuid(), SafetensorsDataset.SUFFIX),
        index * examplesPerShard,
        examples,
        header,
        header.length + examples * (geometry.exampleBytes() + patches()));
  }

  @Override
  public void finish(ShardPlan plan, Output out) throws IOException {
    if (labels != null) {
      labels.copy(plan.first(), plan.examples(), out);
    }
    DatasetTarget.super.finish(plan, out);
  }

  @Override
  public List<Document> documents() {
    List<DatasetManifest.Entry> shards = new ArrayList<>();
    for (long i = 0; i < shardCount(); i++) {
      ShardPlan plan = shard(i);
      shards.add(new DatasetManifest.Entry(plan.name(), plan.examples(), plan.length()));
    }
    try {
      byte[] text =
          new DatasetManifest(shards).text(shards.isEmpty() ? List.of() : header(0).tensors());
      return List.of(new Document(DatasetManifest.FILE, text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EncodedHeader header(long index) {
    long n = Math.max(0, examples(index));
    List<TensorSpec> tensors = new ArrayList<>();
    long tokens = geometry.tokens();
    long dim = geometry.dim();
    if (columns == Columns.ACTS) {
      List<Long> shape = List.of(n, (long) geometry.layers().size(), tokens, dim);
      tensors.add(new TensorSpec(ActivationColumns.ACTS_NAME, DType.F32, shape));
    } else {
      for (int layer : geometry.layers()) {
        String name = ActivationColumns.LAYER_PREFIX + layer;
        tensors.add(new TensorSpec(name, DType.F32, List.of(n, tokens, dim)));
      }
    }
    if (labels != null) {
      // behind the activations, as the encoder puts U8 behind F32
      tensors.add(
          new TensorSpec(
              ActivationColumns.LABELS_NAME, DType.U8, List.of(n, (long) labels.patches())));
    }
    Map<String, String> metadata = new TreeMap<>();
    metadata.put(ActivationColumns.LAYERS_KEY, joinedLayers());
    metadata.put(SafetensorsDataset.FIRST_EXAMPLE_KEY, Long.toString(index * examplesPerShard));
    metadata.put(SafetensorsDataset.EXAMPLES_KEY, Long.toString(geometry.examples()));
    if (saevMetadata != null) {
      metadata.put(SafetensorsDataset.SAEV_METADATA_KEY, saevMetadata);
    }
    if (saevDirectory != null) {
      metadata.put(SafetensorsDataset.SAEV_DIRECTORY_KEY, saevDirectory);
    }
    return SafetensorsHeader.encode(tensors, metadata);
  }

  private int patches() {
    return labels == null ? 0 : labels.patches();
  }

  private String joinedLayers() {
    return geometry.layers().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Drawn from what the dataset is, so that the same conversion names its files the same. */
  private UUID uuid() {
    String identity = geometry + "|" + columns + "|" + examplesPerShard + "|" + saevMetadata;
    if (labels != null) {
      identity += "|labels " + labels.patches();
    }
    return UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
  }
}
