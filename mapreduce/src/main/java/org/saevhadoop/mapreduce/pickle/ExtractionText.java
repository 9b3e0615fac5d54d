package org.saevhadoop.mapreduce.pickle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;

/** What a manifest says of an extraction, as the JSON text of a setting or of provenance. */
public final class ExtractionText {
  /** The key of the text in provenance. */
  static final String DOCUMENT = "saev.pickle.extraction";

  private static final String EXTRACTION = "extraction_config";
  private static final String DISTRIBUTED = "distributed_config";
  private static final String SECONDS = "extraction_duration_seconds";

  /** Python's NaN goes through, and so does every character through a job's XML. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private ExtractionText() {}

  /**
   * Returns the text.
   *
   * @param extraction null if it is not known, as the others
   */
  public static String of(ObjectNode extraction, ObjectNode distributed, Double seconds) {
    ObjectNode config = JSON.createObjectNode();
    if (extraction != null) {
      config.set(EXTRACTION, extraction);
    }
    if (distributed != null) {
      config.set(DISTRIBUTED, distributed);
    }
    if (seconds != null) {
      config.put(SECONDS, seconds);
    }
    try {
      return JSON.writeValueAsString(config);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /**
   * Returns a text that is a JSON object.
   *
   * @throws IllegalArgumentException if it is none
   */
  static String checked(String text) {
    if (!tree(text).isObject()) {
      throw new IllegalArgumentException("it is JSON of another kind");
    }
    return text;
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** Returns what a text says; {@code text} is null if nothing is known. */
  static ExtractionConfig parse(String text, Instant written) {
    JsonNode known = tree(text == null ? "{}" : text);
    JsonNode seconds = known.path(SECONDS);
    return new ExtractionConfig(
        object(known, EXTRACTION).orElse(null),
        object(known, DISTRIBUTED).orElse(null),
        null,
        null,
        seconds.isNumber() ? (Double) seconds.doubleValue() : null,
        written);
  }

  /** Returns the extraction_config of a text. */
  static Optional<ObjectNode> config(String text) {
    return object(tree(text), EXTRACTION);
  }

  private static Optional<ObjectNode> object(JsonNode node, String key) {
    return node.get(key) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }
}
