package org.saevhadoop.format.pickleshards.unpacked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.padding.TokenPadding;
import org.saevhadoop.format.pickleshards.unpacked.MadeShards.Array;
import org.saevhadoop.format.projection.IndexPieces;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.projection.TokenRequest;

/** Padding of pickled samples of different lengths. */
class PickledPaddingTest {
  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    MadeShards.write(
        folder.resolve("source/shard_1.pkl"),
        Array.floats(3, 10, 3, 2),
        Array.floats(3, 11, 6, 2),
        Array.floats(7, 10, 3, 2),
        Array.floats(7, 11, 6, 2));
    MadeShards.write(
        folder.resolve("source/shard_2.pkl"),
        Array.floats(3, 12, 2, 2, 2),
        Array.floats(3, 13, 0, 2),
        Array.floats(7, 12, 2, 2, 2),
        Array.floats(7, 13, 0, 2));
  }

  private UnpackedDataset unpack(String ragged) throws IOException {
    Path target = Files.createDirectory(folder.resolve("target"));
    Path local = Files.createDirectory(folder.resolve("local"));
    return MadeShards.unpack(
        folder.resolve("source"), new LocalFolder(target), local, MadeShards.ragged(ragged));
  }

  private static String padding(ActivationDataset dataset) throws IOException {
    try (TokenPadding padding = TokenPadding.of(dataset)) {
      return padding.read(0, (int) dataset.geometry().examples()).toString();
    }
  }

  private static ActivationDataset part(ActivationDataset all, String examples, String tokens)
      throws IOException {
    return new ProjectionRequest(
            null,
            IndexPieces.parse(examples),
            ProjectionRequest.NO_LIMIT,
            TokenRequest.parse(tokens))
        .resolve(all)
        .of(all)
        .requireActivations();
  }

  @Test
  void theTokensThatASampleLacksArePadding() throws IOException {
    UnpackedDataset dataset = unpack("pad:6");
    assertThat(padding(dataset)).isEqualTo("{3, 4, 5, 16, 17, 18, 19, 20, 21, 22, 23}");
    assertThat(padding(part(dataset, "2,0", "2:5"))).isEqualTo("{2, 4, 5}");
    assertThat(padding(part(dataset, "0:", "0,3,5"))).isEqualTo("{1, 2, 8, 9, 10, 11}");
    assertThat(padding(part(dataset, "1,3", "4"))).isEqualTo("{1}");
  }

  @Test
  void tokensThatAreExamplesHaveNoPadding() throws IOException {
    assertThat(padding(unpack("flatten"))).isEqualTo("{}");
  }
}
