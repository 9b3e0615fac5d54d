package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * Metadata of several datasets as one (a rule of this project: saev does not merge datasets). The
 * {@code data} of merged metadata is an object {@code {"sources": [{"hash", "examples", "data"},
 * ...]}}, so that equal sources in the same order, and no others, have the same hash.
 */
public final class MergedMetadata {
  /** The fields in which sources may differ if they have equal numbers of examples per shard. */
  private static final Set<MetadataField> FREE =
      EnumSet.of(
          MetadataField.EXAMPLES,
          MetadataField.TOKENS_PER_SHARD,
          MetadataField.DATA,
          MetadataField.DATASET);

  private MergedMetadata() {}

  /** Returns the first key whose values in the two datasets must be equal but differ. */
  public static Optional<String> difference(SaevMetadata first, SaevMetadata other) {
    if (first.generation() != other.generation()) {
      return Optional.of("protocol");
    }
    List<String> keys = new ArrayList<>(first.values().keySet());
    other.values().keySet().stream().filter(key -> !keys.contains(key)).forEach(keys::add);
    FREE.forEach(
        field -> {
          if (first.generation().fields().contains(field)) {
            keys.remove(first.key(field));
          }
        });
    return keys.stream()
        .filter(key -> !json(first.values().get(key)).equals(json(other.values().get(key))))
        .findFirst();
  }

  /**
   * One of the merged datasets.
   *
   * @param metadata the metadata of the dataset; null if it is not a SAEV dataset
   */
  public record Source(String hash, long examples, @Nullable SaevMetadata metadata) {}

  /**
   * Returns the metadata of several datasets as one. The budget per shard is the budget of the
   * first dataset, or the size of one example if its layers need more.
   *
   * @param first the metadata of the first dataset, which provides all other fields
   * @param combined the shape of the merged dataset
   */
  public static SaevMetadata of(SaevMetadata first, Geometry combined, List<Source> sources)
      throws FormatException {
    List<Object> origins = new ArrayList<>();
    boolean sameSet = true;
    for (Source source : sources) {
      Map<String, @Nullable Object> origin = new LinkedHashMap<>();
      origin.put("hash", source.hash);
      origin.put("examples", JsonNumber.of(source.examples));
      SaevMetadata metadata = source.metadata;
      if (metadata != null) {
        origin.put("data", metadata.value(MetadataField.DATA));
        sameSet &= json(dataset(metadata)).equals(json(dataset(first)));
      }
      origins.add(origin);
    }
    Map<String, Object> values = MetadataValues.reshape(first, combined, first.clsToken());
    long vectors = (long) combined.layers().size() * combined.tokens();
    values.put(
        first.key(MetadataField.TOKENS_PER_SHARD),
        JsonNumber.of(Math.max(first.tokensPerShard(), vectors)));
    Object data = DataField.represent(Map.of("sources", origins), first.generation().data());
    values.put(first.key(MetadataField.DATA), Objects.requireNonNull(data));
    if (!sameSet && first.has(MetadataField.DATASET)) {
      values.put(first.key(MetadataField.DATASET), DataField.datasetIn(null));
    }
    return SaevMetadata.parse(
        SaevMetadata.FILE,
        MetadataValues.text(values, first.generation().hashRules().get(0).fileStyle()));
  }

  private static @Nullable Object dataset(SaevMetadata metadata) {
    return metadata.has(MetadataField.DATASET) ? metadata.value(MetadataField.DATASET) : null;
  }

  private static String json(@Nullable Object value) {
    return PythonJson.dumps(value, JsonStyle.COMPACT);
  }
}
