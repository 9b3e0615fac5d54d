package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * Labels to be copied from one dataset to another. The labels are opened before each copy and
 * closed after it.
 */
public record LabelSource(ActivationDataset dataset, int patches) {
  /** The number of bytes per read, large enough to make the cost of a call negligible. */
  private static final int COPY_BYTES = 1 << 20;

  /**
   * Returns the labels of {@code dataset} for a dataset of shape {@code written}.
   *
   * @throws FormatException if the dataset has no labels, has a different number of examples, or
   *     has more labels per example than a written example has tokens
   */
  public static LabelSource of(ActivationDataset dataset, Geometry written) throws IOException {
    String path = dataset.path();
    DatasetError.NO_LABELS.check(
        dataset.hasLabels(), path, "has no labels (expected labels of the examples to be written)");
    DatasetError.LABELS_MISMATCH.check(
        dataset.geometry().examples() == written.examples(),
        path,
        "has labels for %d examples (expected %d, the number of examples to be written)",
        dataset.geometry().examples(),
        written.examples());
    try (PatchLabels labels = dataset.openLabels()) {
      DatasetError.LABELS_MISMATCH.check(
          labels.patches() <= written.tokens(),
          path,
          "has labels for %d patches per example (expected at most %d, its tokens)",
          labels.patches(),
          written.tokens());
      return new LabelSource(dataset, labels.patches());
    }
  }

  /** Appends the labels of consecutive examples as uint8 {@code [examples, patches]}. */
  public void copy(long first, long examples, Output out) throws IOException {
    try (PatchLabels labels = dataset.openLabels()) {
      long atOnce = Math.max(1, Math.min(examples, COPY_BYTES / patches));
      ByteBuffer buffer = Input.buffer(Math.toIntExact(atOnce * patches));
      for (long done = 0; done < examples; done += atOnce) {
        long count = Math.min(atOnce, examples - done);
        buffer.clear().limit((int) count * patches);
        labels.read(first + done, buffer);
        out.write(buffer.flip());
      }
    }
  }
}
