package org.saevhadoop.mapreduce.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.json.JacksonLimits;

/** Provenance as the text of a setting: an ASCII JSON object whose values are strings. */
final class ProvenanceText {
  private static final ObjectMapper JSON =
      new ObjectMapper(JacksonLimits.none().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build());

  private ProvenanceText() {}

  static String of(Provenance provenance) {
    try {
      return JSON.writeValueAsString(provenance.documents());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Parses provenance.
   *
   * @throws IllegalArgumentException if the text is not such an object
   */
  static Provenance parse(String text) {
    try {
      Map<String, String> documents = JSON.readValue(text, new TypeReference<>() {});
      if (documents == null || documents.containsValue(null)) {
        throw new IllegalArgumentException("a document is null");
      }
      return new Provenance(new TreeMap<>(documents));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }
}
