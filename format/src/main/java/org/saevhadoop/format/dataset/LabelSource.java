package org.saevhadoop.format.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;

/**
 * The labels of a dataset, as those of another one that is written. They are opened when they are
 * copied, and closed after it.
 *
 * @param dataset whose labels they are
 * @param patches labels of one example
 */
public record LabelSource(ActivationDataset dataset, int patches) {
  /** Big enough for the cost of a call to vanish. */
  private static final int COPY_BYTES = 1 << 20;

  /**
   * The labels of {@code dataset} for a dataset of shape {@code written}.
   *
   * @throws FormatException where it has none, or they are not of so many examples, or of more
   *     patches than an example has tokens
   */
  public static LabelSource of(ActivationDataset dataset, Geometry written) throws IOException {
    String path = dataset.folder().path();
    DatasetError.NO_LABELS.check(
        dataset.hasLabels(), path, "has no labels (expected those of the examples to be written)");
    DatasetError.LABELS_MISMATCH.check(
        dataset.geometry().examples() == written.examples(),
        path,
        "has labels of %d examples (expected %d, as are to be written)",
        dataset.geometry().examples(),
        written.examples());
    try (PatchLabels labels = dataset.openLabels()) {
      DatasetError.LABELS_MISMATCH.check(
          labels.patches() <= written.tokens(),
          path,
          "has labels of %d patches an example (expected at most %d, its tokens)",
          labels.patches(),
          written.tokens());
      return new LabelSource(dataset, labels.patches());
    }
  }

  /** Appends the labels of consecutive examples, uint8 {@code [examples, patches]}. */
  public void copy(long first, long examples, Output out) throws IOException {
    try (PatchLabels labels = dataset.openLabels()) {
      long atOnce = Math.max(1, Math.min(examples, COPY_BYTES / patches));
      ByteBuffer buffer = ByteBuffer.allocateDirect(Math.toIntExact(atOnce * patches));
      for (long done = 0; done < examples; done += atOnce) {
        long count = Math.min(atOnce, examples - done);
        buffer.clear().limit((int) count * patches);
        labels.read(first + done, buffer);
        out.write(buffer.flip());
      }
    }
  }
}
