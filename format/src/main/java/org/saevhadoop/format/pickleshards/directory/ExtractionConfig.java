package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * What is known of where the activations of a dataset come from; null for each thing that is not.
 *
 * @param config the {@code extraction_config} of the manifest that they come from
 * @param distributed its {@code distributed_config}
 * @param model name of the model, where there is no config
 * @param dataset name of the dataset, where there is no config
 * @param seconds that the extraction took
 * @param written when the manifest is written; never null
 */
public record ExtractionConfig(
    ObjectNode config,
    ObjectNode distributed,
    String model,
    String dataset,
    Double seconds,
    Instant written) {
  /** Of shards that come from a dataset with a manifest: what this one says. */
  public static ExtractionConfig of(ActivationManifest source, Instant written) {
    JsonNode seconds = source.document().path("statistics").path("extraction_duration_seconds");
    return new ExtractionConfig(
        source.extractionConfig().orElse(null),
        source.distributedConfig().orElse(null),
        null,
        null,
        seconds.isNumber() ? (Double) seconds.doubleValue() : null,
        written);
  }
}
