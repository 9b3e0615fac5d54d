package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.tokens.TokenArrays;

/** Activations of several datasets, presented as one dataset. */
final class CombinedActivations extends CombinedTable implements ActivationDataset {
  private final Activations activations;

  CombinedActivations(Combination combination, Activations activations) {
    super(combination);
    this.activations = activations;
  }

  @Override
  public Activations activations() {
    return activations;
  }

  @Override
  public TableShape table() {
    return super.table();
  }

  @Override
  public ActivationDataset requireActivations() {
    return this;
  }

  @Override
  public boolean hasLabels() {
    return having(SourceFacts::patches, 0).isPresent();
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    Optional<SourceExamples> labelled = having(SourceFacts::patches, 0);
    return labelled.isPresent() ? labelled.get().labels() : ActivationDataset.super.openLabels();
  }

  /**
   * {@inheritDoc} If the sources have different integers, the integers are sample metadata, and a
   * mask marks the padding.
   */
  @Override
  public TokenArrays tokenArrays() {
    return having(SourceFacts::tokenArrays, List.of())
        .<TokenArrays>map(tokens -> tokens)
        .or(() -> marking().map(SourceExamples::paddingMask))
        .orElse(TokenArrays.NONE);
  }
}
