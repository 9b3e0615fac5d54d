package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/**
 * Metadata of datasets in a random order (a rule of this project: saev has no such datasets). Their
 * {@code data} is an object {@code {"shuffle": the order, "data": the former data}}, so that equal
 * orders of equal sources, and no others, have the same hash.
 */
public final class ShuffledMetadata {
  private static final String SHUFFLE = "shuffle";
  private static final String DATA = "data";

  private ShuffledMetadata() {}

  /**
   * Returns the metadata of a dataset whose rows are those of another one, in the fields of the
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
    Object data = envelope(order, current.value(MetadataField.DATA));
    ProtocolGeneration generation = current.generation();
    values.put(current.key(MetadataField.DATA), DataField.represent(data, generation.data()));
    values.put(current.key(MetadataField.TOKENS_PER_SHARD), JsonNumber.of(tokensPerShard));
    return SaevMetadata.parse(
        SaevMetadata.FILE, MetadataValues.text(values, generation.hashRules().get(0).fileStyle()));
  }

  /**
   * Returns a description of data to which an order is added.
   *
   * @param data the text of a JSON object that describes the origin of the examples
   */
  public static byte[] describe(String order, byte[] data) throws FormatException {
    Object envelope = envelope(order, PythonJson.parseAnew(DATA, data));
    return PythonJson.dumps(envelope, JsonStyle.VERBATIM).getBytes(StandardCharsets.UTF_8);
  }

  private static Object envelope(String order, @Nullable Object data) throws FormatException {
    Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
    byte[] text = order.getBytes(StandardCharsets.UTF_8);
    envelope.put(SHUFFLE, PythonJson.parseAnew(SHUFFLE, text));
    envelope.put(DATA, data);
    return envelope;
  }
}
