package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Known facts about the extraction of a dataset; null for each unknown fact.
 *
 * @param created the creation time of the dataset, as stated in the manifest
 */
public record ExtractionConfig(
    @Nullable ObjectNode config,
    @Nullable ObjectNode distributed,
    @Nullable Double seconds,
    @Nullable String created) {
  public static ExtractionConfig of(ActivationManifest source) {
    JsonNode seconds = source.document().path("statistics").path("extraction_duration_seconds");
    return new ExtractionConfig(
        source.extractionConfig().orElse(null),
        source.distributedConfig().orElse(null),
        seconds.isNumber() ? (Double) seconds.doubleValue() : null,
        source.document().path("created_at").textValue());
  }
}
