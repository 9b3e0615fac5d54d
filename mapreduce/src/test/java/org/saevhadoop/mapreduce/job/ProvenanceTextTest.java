package org.saevhadoop.mapreduce.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Provenance;

class ProvenanceTextTest {
  /** By default, Jackson reads no text of more than 20,000,000 characters. */
  @Test
  void aDocumentOfAnyLengthIsReadAsItWasWritten() {
    String text = "x".repeat(20_000_001);
    Provenance provenance = Provenance.NONE.with("document", text);
    assertThat(ProvenanceText.parse(ProvenanceText.of(provenance)).document("document").get())
        .isEqualTo(text);
  }
}
