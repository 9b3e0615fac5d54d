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
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;

/**
 * The facts about an extraction that a manifest records, as the JSON text of a setting or of the
 * provenance.
 */
public final class ExtractionText {
  /** The name of the document in the provenance. */
  static final String DOCUMENT = "saev.pickle.extraction";

  private static final String EXTRACTION = "extraction_config";
  private static final String DISTRIBUTED = "distributed_config";
  private static final String SECONDS = "extraction_duration_seconds";

  /**
   * Preserves NaN, which Python's json module reads and writes, and writes ASCII only, so that all
   * characters survive the XML of a job's configuration.
   */
  private static final ObjectMapper JSON =
      JsonMapper.builder(Jackson.unlimited().build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private ExtractionText() {}

  /**
   * Returns the text.
   *
   * @param extraction the {@code extraction_config}; null, like the other arguments, if unknown
   * @param distributed the {@code distributed_config}
   * @param seconds the {@code extraction_duration_seconds}
   */
  public static String of(
      @Nullable ObjectNode extraction, @Nullable ObjectNode distributed, @Nullable Double seconds) {
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
   * Returns the text of facts of which the first two are JSON texts.
   *
   * @throws IllegalArgumentException if a text is not a JSON object
   */
  public static String of(String extraction, String distributed, Double seconds) {
    return of(
        extraction == null ? null : parseObject(extraction),
        distributed == null ? null : parseObject(distributed),
        seconds);
  }

  /**
   * Parses a JSON object.
   *
   * @throws IllegalArgumentException if the text is not a JSON object
   */
  static ObjectNode parseObject(String text) {
    if (tree(text) instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException("it is JSON of another kind");
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /**
   * Returns the facts in a text.
   *
   * @param text the text; null if nothing is known
   * @param written the time of creation that metadata.json states
   */
  static ExtractionConfig parse(String text, Instant written) {
    JsonNode known = tree(text == null ? "{}" : text);
    JsonNode seconds = known.path(SECONDS);
    return new ExtractionConfig(
        object(known, EXTRACTION).orElse(null),
        object(known, DISTRIBUTED).orElse(null),
        seconds.isNumber() ? (Double) seconds.doubleValue() : null,
        written);
  }

  /** Returns the extraction_config in a text, if there is one. */
  static Optional<ObjectNode> config(String text) {
    return object(tree(text), EXTRACTION);
  }

  private static Optional<ObjectNode> object(JsonNode node, String key) {
    return node.get(key) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }
}
