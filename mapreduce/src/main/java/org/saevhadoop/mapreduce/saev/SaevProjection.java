package org.saevhadoop.mapreduce.saev;

import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.saev.metadata.SaevSelection;

/** Derives the metadata of a part of a dataset. */
final class SaevProjection {
  private SaevProjection() {}

  /** Returns provenance with the metadata of a part; unchanged if it contains no metadata. */
  static Provenance select(ActivationDataset whole, Projection part, Provenance provenance)
      throws FormatException {
    Optional<String> text = provenance.document(SaevMetadata.DOCUMENT);
    if (text.isEmpty()) {
      return provenance;
    }
    SaevMetadata metadata = SaevMetadataText.parse(text.get());
    String parent = hash(provenance, metadata);
    return SaevMetadataText.put(provenance, metadata.select(selection(whole, part, parent)));
  }

  /**
   * Returns the hash that identifies a dataset: the recorded name of its folder, or the hash of its
   * metadata.
   */
  static String hash(Provenance provenance, SaevMetadata metadata) {
    return provenance.document(SaevMetadata.DIRECTORY_DOCUMENT).orElse(metadata.hash());
  }

  /** Returns the selection in the form in which metadata records it. */
  static SaevSelection selection(ActivationDataset whole, Projection part, String parent) {
    List<Integer> layers = part.columns().stream().map(whole.geometry().layers()::get).toList();
    return new SaevSelection(layers, part.examples(), part.tokens(), parent);
  }
}
