package org.saevhadoop.format.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.Output;

class LabelSourceTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(1), 4, 1);

  @TempDir Path folder;

  @Test
  void theLabelsOfSomeExamplesAreAppendedAndNothingIsLeftOpen() throws IOException {
    InventedDataset dataset = new InventedDataset(GEOMETRY, false, 5).withLabels(3);
    LabelSource source = LabelSource.of(dataset, GEOMETRY);
    assertThat(source.patches()).isEqualTo(3);
    assertThat(copied(source, 1, 3)).hasBinaryContent(dataset.labels(1, 3));
    assertThat(copied(source, 0, 0)).isEmptyFile();
    assertThat(dataset.labelsOpen()).isZero();
  }

  @Test
  void labelsAreCopiedInPiecesOfAtMostAMebibyte() throws IOException {
    Geometry wide = new Geometry(10, List.of(1), 400_000, 1);
    InventedDataset dataset = new InventedDataset(wide, false, 10).withLabels(300_000);
    assertThat(copied(LabelSource.of(dataset, wide), 0, 10))
        .hasBinaryContent(dataset.labels(0, 10));
    assertThat(dataset.mostLabelsAtOnce()).isEqualTo(900_000);
  }

  @Test
  void labelsThatCanNotBelongToTheExamplesAreRefused() {
    InventedDataset without = new InventedDataset(GEOMETRY, false, 5);
    assertFails(DatasetError.NO_LABELS, "invented", () -> LabelSource.of(without, GEOMETRY));
    InventedDataset dataset = new InventedDataset(GEOMETRY, false, 5).withLabels(4);
    assertFails(
        DatasetError.LABELS_MISMATCH,
        "invented",
        () -> LabelSource.of(dataset, new Geometry(6, List.of(1), 4, 1)));
    assertFails(
        DatasetError.LABELS_MISMATCH,
        "invented",
        () -> LabelSource.of(dataset, new Geometry(5, List.of(1), 3, 1)));
    assertThat(dataset.labelsOpen()).isZero();
  }

  private Path copied(LabelSource source, long first, long examples) throws IOException {
    Path file = folder.resolve("labels" + first);
    try (Output out = LocalFile.create(file)) {
      source.copy(first, examples, out);
    }
    return file;
  }
}
