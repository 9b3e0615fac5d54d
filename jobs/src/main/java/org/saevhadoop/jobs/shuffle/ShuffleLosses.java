package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.tokens.PaddingMarks;

/** Data of a source, other than its values, that is not kept in the rows. */
final class ShuffleLosses {
  private ShuffleLosses() {}

  /** Returns a line for each loss. */
  static List<String> of(ActivationDataset selected, RowUnit unit) throws IOException {
    List<String> losses = new ArrayList<>();
    if (selected.sampleMetadata().isPresent()) {
      losses.add("the sample metadata is left out (shuffle does not keep it)");
    }
    List<String> integers = new ArrayList<>(selected.tokenArrays().names());
    integers.remove(PaddingMarks.NAME); // vectors need none, and examples have it again
    if (!integers.isEmpty()) {
      losses.add(
          "the per-token integers %s are left out (shuffle does not keep them)"
              .formatted(integers));
    }
    Optional<ExampleIds> ids = selected.ids();
    if (ids.isPresent() && !ids.get().areNumbers()) {
      losses.add("the ids of the examples are not kept: they become numbers");
    }
    if (selected.hasLabels() && labelsOfRow(selected, unit) == 0) {
      losses.add("the labels are left out because [CLS] has none (--tokens image keeps them)");
    }
    return losses;
  }

  /**
   * Returns the number of labels of a row. Vectors have no labels if the [CLS] vectors, which have
   * no label, are among them.
   */
  static int labelsOfRow(ActivationDataset selected, RowUnit unit) throws IOException {
    if (!selected.hasLabels()) {
      return 0;
    }
    try (PatchLabels labels = selected.openLabels()) {
      if (unit == RowUnit.EXAMPLE) {
        return labels.patches();
      }
      return labels.patches() == selected.geometry().tokens() ? 1 : 0;
    }
  }
}
