package org.saevhadoop.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;

/** Datasets as a program opens them that has this module and not Hadoop. */
class DatasetsTest {
  private static final Path FIXTURES = Path.of("../fixtures");

  @TempDir Path unpacked;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          saev/shards/64988989              | 7 [13, 23] 10 8 F32  | c4bf5d7f98a2a1d031f64edd86b7da49
          samediff/sdnb                     | 7 [13, 23] 10 8 F32  | c4bf5d7f98a2a1d031f64edd86b7da49
          samediff/sdz/activations.sdz      | 7 [13, 23] 10 8 F32  | c4bf5d7f98a2a1d031f64edd86b7da49
          pickle/spec                       | 12 [15, 16] 6 16 F32 | 42153812e87fce3c381f050a4653ba86
          arrays/scripts/hooks.npz          | 4 [3, 11] 5 8 F32    | ca6a0407f02ebbff7d65311d34638aa2
          arrays/scripts/hooks.safetensors  | 4 [3, 11] 5 8 F32    | ca6a0407f02ebbff7d65311d34638aa2
          arrays/scripts/bf16.pt            | 4 [0, 1] 5 8 BF16    | 1a76e1d5001cba269341daca5d305cc3
          """)
  void aDatasetOfAnyFormatIsOpened(String path, String shape, String digest) throws IOException {
    TableDataset dataset = Datasets.open(FIXTURES.resolve(path), unpacked);
    Geometry geometry = dataset.requireActivations().geometry();
    assertThat(
            "%d %s %d %d %s"
                .formatted(
                    geometry.examples(),
                    geometry.layers(),
                    geometry.tokens(),
                    geometry.dim(),
                    geometry.dtype()))
        .isEqualTo(shape);
    assertThat(digest(dataset)).startsWith(digest);
  }

  /** Returns what {@code saev-hadoop digest} prints. */
  private static String digest(TableDataset dataset) throws IOException {
    MessageDigest blocks = Sha256.digest();
    MessageDigest values = Sha256.digest();
    RecordSelection inOrder = RecordSelection.blocks(BlockOrder.byExample(dataset.table()), 1);
    try (BlockCursor cursor = new BlockCursor(dataset, inOrder, 0, dataset.table().examples())) {
      while (cursor.next()) {
        values.update(cursor.bytes());
        blocks.update(values.digest());
      }
    }
    return HexFormat.of().formatHex(blocks.digest());
  }

  @Test
  void aStreamNeedsAFolder() {
    Path path = FIXTURES.resolve("pickle/spec").toAbsolutePath();
    ErrorAssertions.assertFails(DatasetError.UNSUPPORTED, path, () -> Datasets.open(path));
  }

  @ParameterizedTest
  @CsvSource({"arrays, contains 15 datasets", "samediff, samediff/sdnb or "})
  void aFolderOfDatasetsNamesTheFirstOnes(String folder, String named) {
    Path path = FIXTURES.resolve(folder).toAbsolutePath();
    assertThat(
            ErrorAssertions.assertFails(
                DatasetError.UNKNOWN_FORMAT, path, () -> Datasets.open(path)))
        .hasMessageContaining(named);
  }

  @Test
  void aPathThatIsMissingIsNamed() {
    Path missing = unpacked.resolve("missing");
    ErrorAssertions.assertFails(FileError.NOT_FOUND, missing, () -> Datasets.open(missing));
  }
}
