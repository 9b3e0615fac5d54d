package org.saevhadoop.format.samediff.dataset;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;

/**
 * The metadata entries of the SDNB files of a dataset: the entries that the real writer writes
 * (SameDiffSerializer of deeplearning4j master 0db14318), and documents under keys with the prefix
 * {@code saev.}.
 */
public final class DatasetMetadata {
  private static final String PREFIX = "saev.";
  private static final Set<String> OWN_KEYS = Set.of(ActivationColumns.LAYERS_KEY);

  private DatasetMetadata() {}

  /** Returns the documents contained in metadata entries. */
  public static Provenance provenance(Map<String, String> metadata) {
    SortedMap<String, String> documents = new TreeMap<>(metadata);
    documents.keySet().removeIf(key -> !key.startsWith(PREFIX) || OWN_KEYS.contains(key));
    return new Provenance(documents);
  }

  /** Returns the metadata entries that every SDNB file has. */
  private static SortedMap<String, String> common(@Nullable Long created) {
    SortedMap<String, String> metadata = new TreeMap<>();
    metadata.put("nd4j.format.version", "1");
    metadata.put("nd4j.format.type", "APPENDED_BLOB");
    if (created != null) {
      metadata.put("creation.time", created.toString());
    }
    return metadata;
  }

  /**
   * Returns the metadata entries of the file that describes the dataset, which is the only file or
   * shard 0.
   */
  static SortedMap<String, String> describing(WrittenArrays arrays) {
    TableShape table = arrays.table();
    SortedMap<String, String> metadata = common(arrays.created());
    metadata.putAll(arrays.provenance().documents());
    if (IntStream.range(0, table.columns().size()).allMatch(table::isLayer)) {
      metadata.put(
          ActivationColumns.LAYERS_KEY,
          table.columnIds().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    return metadata;
  }

  static SortedMap<String, String> shard(WrittenArrays arrays, long index) {
    SortedMap<String, String> shard = index == 0 ? describing(arrays) : common(arrays.created());
    shard.put("shard.index", Long.toString(index));
    shard.put("shard.type", index == 0 ? "graph" : "weights");
    return shard;
  }
}
