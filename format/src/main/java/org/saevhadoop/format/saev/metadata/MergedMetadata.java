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
 * Metadata of several datasets as one (a rule of this project: saev merges no datasets). Their
 * {@code data} is an object {@code {"sources": [{"hash", "examples", "data"}, ...]}}, so that equal
 * sources in the same order, and no others, have the same hash.
 */
public final class MergedMetadata {
  /** The fields in which the sources may differ, if they have equal numbers of examples a shard. */
  private static final Set<MetadataField> FREE =
      EnumSet.of(
          MetadataField.EXAMPLES,
          MetadataField.TOKENS_PER_SHARD,
          MetadataField.DATA,
          MetadataField.DATASET);

  private MergedMetadata() {}

  /** Returns the key in which another dataset differs so that it has metadata of its own. */
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
   * Returns the metadata of all examples.
   *
   * @param hashes the hashes of the sources
   */
  public static SaevMetadata of(List<SaevMetadata> sources, List<String> hashes)
      throws FormatException {
    SaevMetadata first = sources.get(0);
    if (sources.size() == 1) {
      return first;
    }
    List<Object> origins = new ArrayList<>();
    long examples = 0;
    boolean sameSet = true;
    for (int i = 0; i < sources.size(); i++) {
      SaevMetadata source = sources.get(i);
      Map<String, @Nullable Object> origin = new LinkedHashMap<>();
      origin.put("hash", hashes.get(i));
      origin.put("examples", JsonNumber.of(source.geometry().examples()));
      origin.put("data", source.value(MetadataField.DATA));
      origins.add(origin);
      examples += source.geometry().examples();
      sameSet &= json(dataset(source)).equals(json(dataset(first)));
    }
    Geometry all = first.geometry().withExamples(examples);
    Map<String, Object> values = MetadataValues.reshape(first, all, first.clsToken());
    Object data = DataField.represent(Map.of("sources", origins), first.generation().data());
    values.put(first.key(MetadataField.DATA), Objects.requireNonNull(data));
    if (!sameSet) {
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
