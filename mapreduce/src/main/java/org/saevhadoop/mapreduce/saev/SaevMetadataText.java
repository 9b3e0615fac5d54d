package org.saevhadoop.mapreduce.saev;

import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** Converts metadata.json to and from a document of the provenance. */
final class SaevMetadataText {
  private SaevMetadataText() {}

  static SaevMetadata parse(String text) throws FormatException {
    return SaevMetadata.parse("SAEV metadata", text.getBytes(StandardCharsets.UTF_8));
  }

  static String of(SaevMetadata metadata) {
    return new String(metadata.text(), StandardCharsets.UTF_8);
  }

  /**
   * Returns provenance with the given metadata and without a recorded name of the folder, so that
   * the folder is named by the hash of the metadata.
   */
  static Provenance put(Provenance provenance, SaevMetadata metadata) {
    return provenance
        .with(SaevMetadata.DOCUMENT, of(metadata))
        .without(SaevMetadata.DIRECTORY_DOCUMENT);
  }
}
