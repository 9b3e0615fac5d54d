package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * Metadata of datasets in a random order, and of combined datasets (a rule of this project: saev
 * has no such datasets). The {@code data} of such metadata is an object {@code {"shuffle": the
 * order, "data": the former data}}, or {@code {"sources": their identities, "data": the former data
 * of the first one}}, so that equal orders of equal sources, and no others, have the same hash.
 */
public final class ShuffledMetadata {
  /** The key for the order of the rows. */
  public static final String SHUFFLE = "shuffle";

  /** The key for the list of the combined datasets. */
  public static final String SOURCES = "sources";

  private static final String DATA = "data";

  private ShuffledMetadata() {}

  /**
   * Returns the metadata of a dataset with rows taken from another dataset, in the fields of the
   * current generation.
   *
   * @param whole the metadata of the dataset from which the rows were taken
   * @param shuffled the shape of the dataset
   * @param clsToken whether token 0 of each example is [CLS]
   * @param order the JSON object that records the order
   * @param tokensPerShard the budget of tokens times layers per shard
   */
  public static SaevMetadata of(
      SaevMetadata whole, Geometry shuffled, boolean clsToken, String order, long tokensPerShard)
      throws FormatException {
    SaevMetadata current = whole.to(ProtocolGeneration.DEFAULT);
    Map<String, Object> values = MetadataValues.reshape(current, shuffled, clsToken);
    values.put(current.key(MetadataField.TOKENS_PER_SHARD), JsonNumber.of(tokensPerShard));
    Object data = envelope(SHUFFLE, order, current.value(MetadataField.DATA));
    ProtocolGeneration generation = current.generation();
    values.put(current.key(MetadataField.DATA), DataField.represent(data, generation.data()));
    return SaevMetadata.parse(
        SaevMetadata.FILE, MetadataValues.text(values, generation.hashRules().get(0).fileStyle()));
  }

  /**
   * Returns a description of data, extended with a record of how a dataset was derived from it.
   *
   * @param key {@link #SHUFFLE} or {@link #SOURCES}
   * @param made that record as JSON text
   * @param data the text of a JSON object that describes the origin of the examples
   */
  public static byte[] describe(String key, String made, byte[] data) throws FormatException {
    Object envelope = envelope(key, made, PythonJson.parseAnew(DATA, data));
    return PythonJson.dumps(envelope, JsonStyle.VERBATIM).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a list of datasets without the names of their folders. */
  private static List<Object> unnamed(List<?> sources) {
    List<Object> unnamed = new ArrayList<>();
    for (Object source : sources) {
      if (source instanceof Map<?, ?> fields) {
        Map<Object, Object> rest = new LinkedHashMap<>(fields);
        rest.remove("name");
        unnamed.add(rest);
      }
    }
    return unnamed;
  }

  private static Object envelope(String key, String made, @Nullable Object data)
      throws FormatException {
    Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
    Object parsed = PythonJson.parseAnew(key, made.getBytes(StandardCharsets.UTF_8));
    envelope.put(key, parsed instanceof List<?> sources ? unnamed(sources) : parsed);
    envelope.put(DATA, data);
    return envelope;
  }
}
