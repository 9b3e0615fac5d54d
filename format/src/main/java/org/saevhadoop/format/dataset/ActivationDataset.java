package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.Optional;

/** A dataset whose columns are layers: activations of {@code [example, layer, token, dim]}. */
public interface ActivationDataset extends TableDataset {
  /** The dataset's shape. */
  Geometry geometry();

  @Override
  default Table table() {
    return geometry().table();
  }

  /** The SAEV metadata.json that belongs to these activations, byte for byte, if one is known. */
  Optional<String> saevMetadata();

  /**
   * The name of the SAEV directory that these activations came in, where it looks like a hash: it
   * can not always be computed from the metadata again.
   */
  default Optional<String> saevDirectory() {
    return Optional.empty();
  }

  /** Whether the patches are labelled. */
  default boolean hasLabels() {
    return false;
  }

  /**
   * Opens the labels, to be closed by the caller.
   *
   * @throws IllegalStateException where there are none
   */
  default PatchLabels openLabels() throws IOException {
    throw new IllegalStateException(folder().path() + ": has no labels");
  }
}
