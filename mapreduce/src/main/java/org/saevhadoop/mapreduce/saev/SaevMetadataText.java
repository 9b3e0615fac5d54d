package org.saevhadoop.mapreduce.saev;

import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** The text of a metadata.json as it travels with activations. */
final class SaevMetadataText {
  private SaevMetadataText() {}

  static SaevMetadata parse(String text) throws FormatException {
    return SaevMetadata.parse("SAEV metadata", text.getBytes(StandardCharsets.UTF_8));
  }

  static String of(SaevMetadata metadata) {
    return new String(metadata.text(), StandardCharsets.UTF_8);
  }

  /** Returns provenance with metadata, and with no name of a directory that is not its hash. */
  static Provenance put(Provenance provenance, SaevMetadata metadata) {
    return provenance
        .with(SaevMetadata.DOCUMENT, of(metadata))
        .without(SaevMetadata.DIRECTORY_DOCUMENT);
  }
}
