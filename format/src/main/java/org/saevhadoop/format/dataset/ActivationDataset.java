package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;

/** A dataset whose columns are layers: activations of {@code [example, layer, token, dim]}. */
public interface ActivationDataset extends TableDataset {
  /** The dataset's shape, its [CLS] token and what travels with it. */
  Activations activations();

  /** The dataset's shape. */
  default Geometry geometry() {
    return activations().geometry();
  }

  @Override
  default TableShape table() {
    return geometry().table();
  }

  @Override
  default ActivationDataset requireActivations() {
    return this;
  }

  /**
   * Returns the number of a token in the stored dataset, for messages: another one where this
   * dataset is a part of that one.
   */
  default int sourceToken(int token) {
    return token;
  }

  /**
   * Returns the tokens of a stored block that a block of this dataset has, as ascending ranges. The
   * byte at which a block begins is that of the first of them, and those of a later range lie as
   * far behind it as their numbers say. One range where blocks are contiguous: everywhere but in a
   * projection.
   */
  default List<IndexRange> tokenRuns() {
    return List.of(new IndexRange(0, geometry().tokens()));
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
