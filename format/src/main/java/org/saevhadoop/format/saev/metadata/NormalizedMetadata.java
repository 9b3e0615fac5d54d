package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration.Data;

/**
 * Metadata of datasets whose values are normalized (a rule of this project: saev normalizes when it
 * reads). The {@code data} of such metadata is an object {@code {"normalization": how, "data": the
 * former data}}, so that the hash differs from the hash of the dataset with the extracted values.
 */
public final class NormalizedMetadata {
  private static final String NORMALIZATION = "normalization";
  private static final String DATA = "data";

  /** The keys of the former data in other envelopes of this project. */
  private static final List<String> FORMER = List.of(DATA, "repr", "base64");

  /** Keys that mark an object as one of these envelopes. */
  private static final Set<String> MARKS = Set.of("shuffle", "selection", "__class__", "sources");

  private NormalizedMetadata() {}

  /**
   * Returns the metadata of a dataset with normalized values.
   *
   * @param source the metadata of the dataset with the former values
   * @param normalization the JSON object that records how the values were normalized
   */
  public static SaevMetadata of(SaevMetadata source, String normalization) throws FormatException {
    Map<String, Object> values = new LinkedHashMap<>(source.values());
    ProtocolGeneration generation = source.generation();
    Object former = source.value(MetadataField.DATA);
    Object object = object(former);
    Object data = envelope(normalization, object == null ? former : object);
    values.put(source.key(MetadataField.DATA), DataField.represent(data, generation.data()));
    return SaevMetadata.parse(
        SaevMetadata.FILE, MetadataValues.text(values, generation.hashRules().get(0).fileStyle()));
  }

  /**
   * Returns a description of data, extended with a normalization.
   *
   * @param data the text of a JSON object that describes the origin of the examples
   */
  public static byte[] describe(String normalization, byte[] data) throws FormatException {
    Object envelope = envelope(normalization, PythonJson.parseAnew(DATA, data));
    return PythonJson.dumps(envelope, JsonStyle.VERBATIM).getBytes(StandardCharsets.UTF_8);
  }

  private static Object envelope(String normalization, @Nullable Object data)
      throws FormatException {
    Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
    byte[] text = normalization.getBytes(StandardCharsets.UTF_8);
    envelope.put(NORMALIZATION, PythonJson.parseAnew(NORMALIZATION, text));
    envelope.put(DATA, data);
    return envelope;
  }

  /** Returns the JSON object that records the last normalization, if there was one. */
  public static Optional<String> normalization(SaevMetadata metadata) {
    Object data = metadata.value(MetadataField.DATA);
    while (object(data) instanceof Map<?, ?> object) {
      if (List.copyOf(object.keySet()).equals(List.of(NORMALIZATION, DATA))) {
        return Optional.of(PythonJson.dumps(object.get(NORMALIZATION), JsonStyle.COMPACT));
      }
      data = former(object);
    }
    return Optional.empty();
  }

  /**
   * Returns the original data in an envelope of this project; for several datasets, the data of the
   * first, because all were normalized in the same way. Returns null for any other object.
   */
  private static @Nullable Object former(Map<?, ?> object) {
    Optional<String> key = FORMER.stream().filter(object::containsKey).findFirst();
    if (key.isEmpty() && object.get("sources") instanceof List<?> sources) {
      return !sources.isEmpty() && sources.get(0) instanceof Map<?, ?> first
          ? first.get(DATA)
          : null;
    }
    boolean isEnvelope = object.keySet().stream().anyMatch(MARKS::contains);
    return isEnvelope && key.isPresent() ? object.get(key.get()) : null;
  }

  /**
   * Returns the JSON object that data represents in any generation; null if it represents no
   * object.
   */
  private static @Nullable Object object(@Nullable Object data) {
    if (!(data instanceof String text)) {
      return data;
    }
    Object object = DataField.objectIn(text, Data.TEXT);
    return object == null ? DataField.objectIn(text, Data.PICKLE) : object;
  }
}
