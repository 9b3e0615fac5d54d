package org.saevhadoop.format.pickleshards;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;

/**
 * The facts about an extraction that a manifest records, as JSON text in a setting or in the
 * provenance.
 */
public final class ExtractionText {
  /** The name of the document in the provenance. */
  static final String DOCUMENT = "saev.pickle.extraction";

  private static final String EXTRACTION = "extraction_config";
  private static final String DISTRIBUTED = "distributed_config";
  private static final String SECONDS = "extraction_duration_seconds";
  private static final String CREATED = "created_at";
  private static final String NORMALIZATION = "normalization";

  /**
   * Mapper that preserves NaN, as Python's json module does, and writes only ASCII, so that all
   * characters survive the XML of a job's configuration.
   */
  private static final ObjectMapper JSON =
      JsonMapper.builder(Jackson.unlimited().build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private ExtractionText() {}

  static String of(ExtractionConfig known) {
    ObjectNode config = JSON.createObjectNode();
    if (known.config() != null) {
      config.set(EXTRACTION, known.config());
    }
    if (known.distributed() != null) {
      config.set(DISTRIBUTED, known.distributed());
    }
    if (known.seconds() != null) {
      config.put(SECONDS, known.seconds());
    }
    if (known.created() != null) {
      config.put(CREATED, known.created());
    }
    try {
      return JSON.writeValueAsString(config);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /**
   * Returns facts as JSON text; the first two arguments are also JSON text.
   *
   * @throws IllegalArgumentException if one of these arguments is not a JSON object
   */
  public static String of(String extraction, String distributed, Double seconds) {
    return of(
        new ExtractionConfig(
            extraction == null ? null : parseObject(extraction),
            distributed == null ? null : parseObject(distributed),
            seconds,
            null));
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
   * Returns the facts that JSON text contains.
   *
   * @param text the JSON text; null if nothing is known
   * @param created the time of creation; null to use the one in the text
   */
  public static ExtractionConfig parse(@Nullable String text, @Nullable Instant created) {
    JsonNode known = tree(text == null ? "{}" : text);
    JsonNode seconds = known.path(SECONDS);
    return new ExtractionConfig(
        object(known, EXTRACTION).orElse(null),
        object(known, DISTRIBUTED).orElse(null),
        seconds.isNumber() ? (Double) seconds.doubleValue() : null,
        created == null
            ? known.path(CREATED).textValue()
            : created.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** Returns JSON text whose extraction_config also records the normalization of the values. */
  static String normalized(@Nullable String text, String normalization) {
    ExtractionConfig known = parse(text, null);
    ObjectNode config = known.config() == null ? JSON.createObjectNode() : known.config();
    config.set(NORMALIZATION, tree(normalization));
    return of(new ExtractionConfig(config, known.distributed(), known.seconds(), known.created()));
  }

  /** Returns the normalization recorded in an extraction_config, if there is one. */
  static Optional<String> normalization(ExtractionConfig known) {
    return known.config() != null && known.config().get(NORMALIZATION) instanceof ObjectNode how
        ? Optional.of(how.toString())
        : Optional.empty();
  }

  /** Returns the extraction_config in JSON text, if there is one. */
  static Optional<ObjectNode> config(String text) {
    return object(tree(text), EXTRACTION);
  }

  private static Optional<ObjectNode> object(JsonNode node, String key) {
    return node.get(key) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }
}
