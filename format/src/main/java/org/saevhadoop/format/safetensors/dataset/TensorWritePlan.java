package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.safetensors.header.TensorInfo;
import org.saevhadoop.format.tokens.TokenArrays;

/** File names and manifest of a dataset of safetensors files, in either layout. */
interface TensorWritePlan extends WritePlan, DatasetFinisher {
  /** Returns the alignment of the data in a file, in bytes. */
  int alignment();

  /** Returns the documents for the metadata of the files. */
  Provenance provenance();

  /** Returns the patch labels; null if there are none. */
  @Nullable LabelSource labels();

  /** Returns the per-token integers that are written as tensors. */
  default TokenArrays tokens() {
    return TokenArrays.NONE;
  }

  /** Returns the additional properties from which {@link #shardName} is derived. */
  List<Object> identity();

  /** Returns the number of examples in a file, including padding. */
  long rows(long index);

  /** Returns the tensors for the schema of the manifest; null to omit it. */
  @Nullable List<TensorInfo> schema();

  /**
   * Derives the name from the properties of the dataset, so that identical conversions use
   * identical file names.
   */
  @Override
  default String shardName(long index) {
    LabelSource labels = labels();
    Stream<Object> common =
        Stream.of(
            alignment(),
            FileMetadata.identity(provenance()),
            (labels == null ? "" : "labels " + labels.patches())
                + (tokens().isEmpty() ? "" : "tokens " + tokens().names()));
    String identity =
        Stream.concat(identity().stream(), common)
            .map(Object::toString)
            .collect(Collectors.joining("|"));
    UUID uuid = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    return "part-%05d-0000-%s%s".formatted(index, uuid, SafetensorsTable.SUFFIX);
  }

  @Override
  default boolean isPlain() {
    return true;
  }

  /** Copies the labels of some examples; the plan must have labels. */
  default void copyLabels(long first, long count, Output out) throws IOException {
    Objects.requireNonNull(labels()).copy(first, count, out);
  }

  @Override
  default List<Document> documents(Folder written) throws IOException {
    List<DatasetManifest.Entry> shards = new ArrayList<>();
    for (long i = 0; i < shardCount(); i++) {
      ShardPlan plan = shard(i);
      shards.add(new DatasetManifest.Entry(plan.name(), rows(i), plan.length()));
    }
    byte[] text = new DatasetManifest(shards).text(schema());
    return List.of(new Document(DatasetManifest.FILE, text));
  }
}
