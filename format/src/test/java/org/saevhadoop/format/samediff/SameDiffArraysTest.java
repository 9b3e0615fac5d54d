package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.container.ContainerError;
import org.saevhadoop.format.samediff.sdnb.SdnbError;
import org.saevhadoop.format.settings.Settings;

/**
 * Arrays of containers that other programs wrote, in the layouts that any file of arrays may have.
 */
class SameDiffArraysTest {
  private static final int[] LAYERS = {11, 3, 5};

  @TempDir Path folder;

  /** Returns values that count from a first one. */
  private static byte[] values(int first, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      bytes.putFloat(first + i);
    }
    return bytes.array();
  }

  private static ForeignContainer layers(Storage storage, char order) {
    ForeignContainer container = new ForeignContainer();
    for (int layer : LAYERS) {
      container.array(
          "block." + layer,
          ForeignContainer.FLOAT,
          storage,
          order,
          values(100 * layer, 24),
          4,
          2,
          3);
    }
    return container;
  }

  private ActivationDataset open(Path path) throws IOException {
    Location location =
        Files.isDirectory(path)
            ? Location.of(new LocalFolder(path))
            : Location.of(new LocalFolder(path.getParent()), path.getFileName().toString());
    return new SameDiffFormat()
        .open(location, Settings.NONE, ProvenanceReader.NONE)
        .requireActivations();
  }

  /** Returns all values in the order of the examples. */
  private static List<Float> values(ActivationDataset dataset) throws IOException {
    RecordSelection all = RecordSelection.all(dataset.geometry(), RecordSelection.Unit.EXAMPLE);
    List<Float> values = new ArrayList<>();
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.geometry().examples())) {
      while (cursor.next()) {
        ByteBuffer bytes = cursor.bytes();
        while (bytes.hasRemaining()) {
          values.add(bytes.getFloat());
        }
      }
    }
    return values;
  }

  private static void assertLayers(ActivationDataset dataset) throws IOException {
    assertThat(dataset.geometry()).isEqualTo(new Geometry(4, List.of(3, 5, 11), 2, 3));
    List<Float> expected = new ArrayList<>();
    for (int example = 0; example < 4; example++) {
      for (int layer : new int[] {3, 5, 11}) {
        for (int i = 0; i < 6; i++) {
          expected.add(100f * layer + example * 6 + i);
        }
      }
    }
    assertThat(values(dataset)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"INLINE", "APPENDED", "WITHOUT_STUB"})
  void aFileHasTheLayersThatItsNamesNumber(Storage storage) throws IOException {
    assertLayers(open(layers(storage, 'c').write(folder.resolve("x.sdnb"))));
  }

  @Test
  void arraysInFortranOrderAreReadInCOrder() throws IOException {
    assertLayers(open(layers(Storage.APPENDED, 'f').write(folder.resolve("x.sdnb"))));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 200})
  void shardsAreOneFile(long maxBytes) throws IOException {
    layers(Storage.APPENDED, 'c').writeShards(folder, "x", maxBytes);
    assertLayers(open(folder));
    assertLayers(open(folder.resolve("x.shard0-of-%d.sdnb".formatted(maxBytes == 1 ? 4 : 3))));
  }

  @Test
  void containersOfALayerEachAreOneDataset() throws IOException {
    for (int layer : LAYERS) {
      new ForeignContainer()
          .array(
              "acts",
              ForeignContainer.FLOAT,
              Storage.APPENDED,
              'c',
              values(100 * layer, 24),
              4,
              2,
              3)
          .write(folder.resolve("layer_" + layer + ".sdnb"));
    }
    assertLayers(open(folder));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXTERNAL", "CHUNKS"})
  void aLayerThatCannotBeReadIsNotLeftOut(Storage storage) throws IOException {
    Path file =
        layers(Storage.APPENDED, 'c')
            .array("block.7", ForeignContainer.FLOAT, storage, 'c', values(0, 24), 4, 2, 3)
            .array("names", ForeignContainer.UTF8, Storage.INLINE, 'c', new byte[4], 4)
            .write(folder.resolve("x.sdnb"));
    assertFails(SdnbError.UNSUPPORTED, file, () -> open(file));
  }

  @Test
  void aDatasetOfThisProjectIsNoFileAmongOthers() throws IOException {
    layers(Storage.APPENDED, 'c').write(folder.resolve("a.sdnb"));
    Path own =
        new ForeignContainer()
            .array(
                "layer_3/shard_0",
                ForeignContainer.FLOAT,
                Storage.APPENDED,
                'c',
                values(0, 6),
                2,
                1,
                3)
            .write(folder.resolve("b.sdnb"));
    assertFails(ContainerError.AMBIGUOUS_FILES, own, () -> open(folder));
    Files.delete(folder.resolve("a.sdnb"));
    assertThat(open(folder).geometry().layers()).containsExactly(3);
  }
}
