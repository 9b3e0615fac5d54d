package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenSampleMetadata;

/**
 * A dataset whose columns are layers; its activations have the shape {@code [example, layer, token,
 * dim]}.
 */
@PublicApi
public interface ActivationDataset extends TableDataset {
  /** Returns the shape, the presence of a [CLS] token and the provenance. */
  Activations activations();

  /** Returns the shape. */
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

  /** Returns whether the only layer has the number 0 because no name or option states a number. */
  default boolean isLayerAssumed() {
    return false;
  }

  /**
   * Returns the index of a token of this dataset in the stored dataset, for messages. The two
   * indexes differ only if this dataset is a projection.
   */
  default int sourceToken(int token) {
    return token;
  }

  /**
   * Returns the tokens of a stored block that a block of this dataset contains, as ascending
   * ranges. The offset of a block is the offset of the first token of the first range; later ranges
   * are stored at the corresponding distances from it. There is one range if blocks are contiguous,
   * as they are in every dataset except a projection.
   */
  default List<IndexRange> tokenRuns() {
    return List.of(new IndexRange(0, geometry().tokens()));
  }

  /** Returns whether the patches are labeled. */
  default boolean hasLabels() {
    return false;
  }

  /**
   * Opens the labels, which the caller must close.
   *
   * @throws IllegalStateException if there are no labels
   */
  default PatchLabels openLabels() throws IOException {
    throw new IllegalStateException(path() + ": has no labels");
  }

  /** Returns the per-token integers, such as token ids. */
  default TokenArrays tokenArrays() {
    return TokenArrays.NONE;
  }

  @Override
  default Optional<SampleMetadata> sampleMetadataWithTokens() throws IOException {
    Optional<SampleMetadata> stored = sampleMetadata();
    TokenArrays arrays = tokenArrays();
    return arrays.isEmpty()
        ? stored
        : Optional.of(
            new TokenSampleMetadata(
                stored.orElse(SampleMetadata.NONE), arrays, path(), table().examples()));
  }
}
