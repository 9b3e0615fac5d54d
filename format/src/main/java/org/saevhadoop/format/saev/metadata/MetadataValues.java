package org.saevhadoop.format.saev.metadata;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.json.JsonNumber;
import org.saevhadoop.format.json.JsonStyle;
import org.saevhadoop.format.json.PythonJson;

/** Fields of new and of changed metadata, and their text. */
final class MetadataValues {
  private MetadataValues() {}

  /** Returns the fields for activations without metadata. */
  static Map<String, Object> create(
      ProtocolGeneration generation,
      Geometry geometry,
      boolean clsToken,
      String family,
      String ckpt,
      @Nullable Object data) {
    long least = (long) geometry.tokens() * geometry.layers().size();
    long budget = Math.max(SaevMetadata.DEFAULT_TOKENS_PER_SHARD, least);
    Map<String, Object> values = new LinkedHashMap<>();
    for (MetadataField field : generation.fields()) {
      Object value =
          switch (field) {
            case FAMILY -> family;
            case CKPT -> ckpt;
            case LAYERS -> numbers(geometry.layers());
            case PATCHES -> JsonNumber.of(geometry.tokens() - (clsToken ? 1 : 0));
            case CLS_TOKEN -> clsToken;
            case DIM -> JsonNumber.of(geometry.dim());
            case EXAMPLES -> JsonNumber.of(geometry.examples());
            case TOKENS_PER_SHARD -> JsonNumber.of(budget);
            case DATA -> DataField.represent(data, generation.data());
            default -> MetadataMigration.defaultOf(field, generation, data);
          };
      values.put(generation.key(field, Map.of()), value);
    }
    return values;
  }

  /**
   * Returns the fields of the same dataset with a different shape. All fields change together,
   * because a partial change might not fit the budget.
   *
   * @param clsToken whether token 0 of the new shape is [CLS]
   */
  static Map<String, Object> reshape(SaevMetadata metadata, Geometry changed, boolean clsToken)
      throws FormatException {
    boolean sameLayers = changed.layers().equals(metadata.geometry().layers());
    SaevError.NOT_REPRESENTABLE.check(
        sameLayers || metadata.key(MetadataField.LAYERS).equals("layers"),
        SaevMetadata.FILE,
        "n_layers cannot name the layers %s (expected a later --protocol)",
        changed.layers());
    JsonNumber patches = JsonNumber.of(changed.tokens() - (clsToken ? 1 : 0));
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Object> field : metadata.values().entrySet()) {
      values.put(field.getKey(), field.getValue());
      if (field.getKey().equals(metadata.key(MetadataField.PATCHES))
          && !metadata.has(MetadataField.CLS_TOKEN)
          && !clsToken) {
        // Without this field [CLS] is stored.
        values.put(metadata.key(MetadataField.CLS_TOKEN), false);
      }
    }
    values.put(metadata.key(MetadataField.EXAMPLES), JsonNumber.of(changed.examples()));
    if (!sameLayers) {
      values.put(metadata.key(MetadataField.LAYERS), numbers(changed.layers()));
    }
    if (metadata.has(MetadataField.CLS_TOKEN)) {
      values.put(metadata.key(MetadataField.CLS_TOKEN), clsToken);
    }
    values.put(metadata.key(MetadataField.PATCHES), patches);
    values.put(metadata.key(MetadataField.DIM), JsonNumber.of(changed.dim()));
    return values;
  }

  static byte[] text(Map<String, Object> values, JsonStyle style) throws FormatException {
    for (Map.Entry<String, Object> field : values.entrySet()) {
      SaevError.NOT_REPRESENTABLE.check(
          PythonJson.depth(field.getValue()) < PythonJson.MAX_DEPTH,
          SaevMetadata.FILE,
          "field %s would be nested too deeply (expected at most %d levels)",
          field.getKey(),
          PythonJson.MAX_DEPTH);
      SaevError.NOT_REPRESENTABLE.check(
          PythonJson.isUnicode(field.getKey() + PythonJson.dumps(field.getValue(), style)),
          SaevMetadata.FILE,
          "field %s contains a lone surrogate (expected UTF-8 in this protocol)",
          field.getKey());
    }
    byte[] text = PythonJson.dumps(values, style).getBytes(StandardCharsets.UTF_8);
    SaevError.NOT_REPRESENTABLE.check(
        text.length <= SaevMetadata.MAX_BYTES,
        SaevMetadata.FILE,
        "would have %d bytes (expected at most %d)",
        text.length,
        SaevMetadata.MAX_BYTES);
    return text;
  }

  private static List<JsonNumber> numbers(List<Integer> values) {
    return values.stream().map(JsonNumber::of).toList();
  }
}
