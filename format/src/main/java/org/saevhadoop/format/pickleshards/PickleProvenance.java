package org.saevhadoop.format.pickleshards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.spi.ModelName;
import org.saevhadoop.format.spi.ProvenanceDocuments;

/** Interprets the extraction facts in the provenance. */
final class PickleProvenance implements ProvenanceDocuments {
  @Override
  public ModelName model(Provenance provenance) {
    return provenance
        .document(ExtractionText.DOCUMENT)
        .flatMap(ExtractionText::config)
        .map(
            config -> new ModelName(text(config, "model_architecture"), text(config, "model_name")))
        .orElse(ModelName.UNKNOWN);
  }

  private static @Nullable String text(ObjectNode config, String field) {
    JsonNode value = config.path(field);
    return value.isTextual() && !value.asText().isEmpty() ? value.asText() : null;
  }
}
