package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Known facts about the extraction of a dataset; null for each unknown fact.
 *
 * @param written the time at which the manifest is written; never null
 */
public record ExtractionConfig(
    @Nullable ObjectNode config,
    @Nullable ObjectNode distributed,
    @Nullable Double seconds,
    Instant written) {
  public static ExtractionConfig of(ActivationManifest source, Instant written) {
    JsonNode seconds = source.document().path("statistics").path("extraction_duration_seconds");
    return new ExtractionConfig(
        source.extractionConfig().orElse(null),
        source.distributedConfig().orElse(null),
        seconds.isNumber() ? (Double) seconds.doubleValue() : null,
        written);
  }
}
