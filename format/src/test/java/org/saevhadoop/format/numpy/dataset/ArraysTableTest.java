package org.saevhadoop.format.numpy.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;

class ArraysTableTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(13, -1), 4, 3);

  @TempDir Path directory;
  private InventedDataset labelled;

  @BeforeEach
  void write() throws IOException {
    labelled = new InventedDataset(GEOMETRY, false, 5).withLabels(3);
    Provenance provenance = Provenance.NONE.with("key", "text");
    LabelSource labels = LabelSource.of(labelled, GEOMETRY);
    NpyWritePlan plan = new NpyWritePlan(GEOMETRY.table(), 2, provenance, labels, TokenArrays.NONE);
    InventedFiles.write(plan.write(SampleMetadata.NONE), directory);
  }

  private ArraysTable open() throws IOException {
    Location location = Location.of(new LocalFolder(directory));
    ProvenanceReader reader = provenance -> OptionalInt.of(1);
    assertThat(ArraysTable.isAt(location)).isTrue();
    return ArraysTable.open(location, List.of(), reader);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertBlocks(open());
  }

  @Test
  void namesWithoutZerosAreRead() throws IOException {
    for (String name : new LocalFolder(directory).files().keySet()) {
      Path file = directory.resolve(name);
      if (name.endsWith(".npy")) {
        Files.move(file, directory.resolve(name.replace(".0000", ".")));
      } else {
        Files.writeString(file, Files.readString(file).replace(".0000", "."));
      }
    }
    assertThat(directory.resolve("layer_13.2.npy")).exists();
    assertBlocks(open());
  }

  private void assertBlocks(ArraysTable table) throws IOException {
    table.checkFiles();
    ActivationDataset dataset = table.requireActivations();
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertThat(dataset.activations().clsTokens()).hasValue(1);
    assertThat(dataset.activations().provenance().document("key")).contains("text");
    assertThat(dataset.warnings()).isEmpty();
    for (int i = 0; i < dataset.shards().stream().count(); i++) {
      Shard shard = dataset.shards().get(i);
      try (Input file = dataset.folder().open(shard.name())) {
        BlockOffsets offsets = dataset.placement(i, file);
        for (long index = 0; index < shard.examples(); index++) {
          for (int layer = 0; layer < 2; layer++) {
            ByteBuffer block = ByteBuffer.allocate((int) GEOMETRY.blockBytes());
            file.readFully(offsets.offset(index, layer), block);
            assertThat(block.flip())
                .isEqualTo(InventedFiles.block(GEOMETRY, shard.first() + index, layer));
          }
        }
      }
    }
    try (PatchLabels labels = dataset.openLabels()) {
      ByteBuffer all = ByteBuffer.allocate(15);
      labels.read(0, all);
      assertThat(all.array()).isEqualTo(labelled.labels(0, 5));
    }
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    Files.delete(directory.resolve("layer_-1.00001.npy"));
    assertFails(DatasetError.INCOMPLETE, "layer_-1.00001.npy", this::open);
    ArraysTable checked =
        ArraysTable.open(
            Location.of(new LocalFolder(directory)).checked(), List.of(), ProvenanceReader.NONE);
    assertFails(FileError.NOT_FOUND, "layer_-1.00001.npy", checked::checkFiles);
  }

  @Test
  void aFileThatContradictsTheDocumentIsRefused() throws IOException {
    Path file = directory.resolve("layer_13.00001.npy");
    NumpyType floats = NumpyType.of(DType.F32).orElseThrow();
    List<byte[]> headers =
        List.of(
            NpyHeader.encode("", floats, false, List.of(2L, 3L, 4L)),
            NpyHeader.encode("", floats, true, List.of(2L, 4L, 3L)),
            NpyHeader.encode("", floats.bigEndian(true), false, List.of(2L, 4L, 3L)),
            NpyHeader.encode(
                "", NumpyType.of(DType.I32).orElseThrow(), false, List.of(2L, 4L, 3L)));
    for (byte[] header : headers) {
      Files.write(file, Arrays.copyOf(header, header.length + 96));
      assertFails(NpyError.CONTRADICTION, "layer_13.00001.npy", () -> open().checkFiles());
    }
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 150));
    assertFails(NpyError.TRUNCATED, "layer_13.00001.npy", () -> open().checkFiles());
  }
}
