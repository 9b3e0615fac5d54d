package org.saevhadoop.format.arrays.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.format.safetensors.dataset.SafetensorsOptions;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.header.EncodedHeader;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;

class MappedColumnsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "h=example,dim; 5 6; 0; 1; 6",
        "h=example,token,dim; 5 2 3; 0; 2; 3",
        "h=example,layer,dim; 5 2 3; 0 1; 1; 3",
        "h=example,layer,token,dim; 5 2 3 4; 0 1; 3; 4",
        "h=example,layer:13,token,dim; 5 2 3; 13; 2; 3",
        "h=example,layer:13,token,dim; 5 1 2 3; 13; 2; 3",
        "h=example,layer:10+4,dim; 5 2 3; 10 4; 1; 3",
        "h.12.out=example,dim; 5 6; 12; 1; 6",
        "b2.h11x=example,dim; 5 6; 0; 1; 6"
      })
  void aForeignTensorHasTheLayersThatItsMappingGivesIt(
      String mapping, String shape, String layers, int tokens, int dim) throws IOException {
    String name = mapping.substring(0, mapping.indexOf('='));
    write(
        null, new TensorSpec(name, DType.F32, numbers(shape).stream().map(i -> (long) i).toList()));
    SafetensorsDataset found = open(mapping);
    assertThat(found.geometry()).isEqualTo(new Geometry(5, numbers(layers), tokens, dim));
    assertFloatsCount(found);
  }

  @Test
  void severalTensorsAreLayersInAscendingOrder() throws IOException {
    write(
        null,
        new TensorSpec("h.10", DType.F32, List.of(3L, 2L, 2L)),
        new TensorSpec("h.9", DType.F32, List.of(3L, 2L, 2L)),
        new TensorSpec("more", DType.F32, List.of(3L, 2L, 2L, 2L)),
        new TensorSpec("other", DType.I64, List.of(3L)));
    SafetensorsDataset found =
        open(
            "h.9=example,token,dim", "h.10=example,token,dim", "more=example,layer:4+12,token,dim");
    assertThat(found.geometry()).isEqualTo(new Geometry(3, List.of(4, 9, 10, 12), 2, 2));
    assertThat(found.warnings())
        .containsExactly("tensors that --tensor does not name are not read: [other]");
    // data order: other, h.10, h.9, more; each starts with its first number
    float start = 24 / 4;
    assertThat(firstFloats(found)).containsExactly(start + 24, start + 12, start, start + 28);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "y=example,dim",
        "x=example,dim",
        "x=example,layer,token,dim",
        "x=example,layer:1+2+3,dim",
        "x=example,layer:4+4,dim",
        "z=example,dim"
      })
  void aMappingThatDoesNotFitIsRefusedWithItsFault(String mapping) throws IOException {
    write(
        null,
        new TensorSpec("x", DType.F32, List.of(5L, 2L, 3L)),
        new TensorSpec("z", DType.F4, List.of(5L, 2L)));
    assertFails(DatasetError.NO_ACTIVATIONS, "x.safetensors", () -> open(mapping));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x=example,layer:0,dim;y=example,layer:1,dim",
        "x=example,layer:0,dim;z=example,layer:1,dim",
        "x=example,dim;x=example,layer:1,dim;x=example,dim"
      })
  void tensorsOfOtherBlocksOrNumbersAreNoLayersOfTheSameDataset(String mappings)
      throws IOException {
    write(
        null,
        new TensorSpec("x", DType.F32, List.of(5L, 3L)),
        new TensorSpec("y", DType.F32, List.of(5L, 4L)),
        new TensorSpec("z", DType.F16, List.of(5L, 3L)));
    assertFails(DatasetError.NO_ACTIVATIONS, "x.safetensors", () -> open(mappings.split(";")));
  }

  @Test
  void keysAreMappedByTheirColumn() throws IOException {
    write(
        null,
        new TensorSpec("b__h7", DType.F32, List.of(2L, 3L)),
        new TensorSpec("a__h7", DType.F32, List.of(2L, 3L)));
    SafetensorsDataset found = open("h7=example,token,dim");
    assertThat(found.geometry()).isEqualTo(new Geometry(2, List.of(0), 2, 3));
    assertFloatsCount(found);
  }

  @Test
  void layersOfTheMetadataAreTheirOrder() throws IOException {
    write(
        Map.of("saev.layers", "7,2"),
        new TensorSpec("h.2", DType.F32, List.of(2L, 3L)),
        new TensorSpec("h.7", DType.F32, List.of(2L, 3L)));
    assertThat(open("h.2=example,dim", "h.7=example,dim").geometry().layers())
        .containsExactly(7, 2);
  }

  /** All data are floats that count from 0 on in the order of the file. */
  private void write(Map<String, String> metadata, TensorSpec... specs) throws IOException {
    EncodedHeader header = SafetensorsHeader.encode(List.of(specs), metadata);
    ByteBuffer data = ByteBuffer.allocate((int) header.dataBytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; data.remaining() >= Float.BYTES; i++) {
      data.putFloat(i);
    }
    Path file = folder.resolve("x.safetensors");
    SafetensorsFiles.write(file, metadata, List.of(specs), data.clear());
  }

  private SafetensorsDataset open(String... mappings) throws IOException {
    SafetensorsOptions options =
        new SafetensorsOptions(
            null,
            null,
            HeaderStrictness.STRICT,
            Arrays.stream(mappings).map(ArrayMapping::parse).toList(),
            ProvenanceReader.NONE,
            null);
    return SafetensorsDataset.of(SafetensorsTable.open(new LocalFolder(folder), options), options);
  }

  private static List<Integer> numbers(String text) {
    return Arrays.stream(text.split(" ")).map(Integer::valueOf).toList();
  }

  /** Returns the first number of each layer. */
  private static List<Float> firstFloats(SafetensorsDataset dataset) throws IOException {
    RecordSelection blocks = RecordSelection.blocks(BlockOrder.byColumn(dataset.table()), 1);
    List<Float> floats = new ArrayList<>();
    try (BlockCursor cursor = new BlockCursor(dataset, blocks, 0, 1)) {
      while (cursor.next()) {
        floats.add(cursor.bytes().getFloat());
      }
    }
    return floats;
  }

  /** One tensor alone is read in the order of its bytes. */
  private static void assertFloatsCount(SafetensorsDataset dataset) throws IOException {
    RecordSelection all = RecordSelection.all(dataset.geometry(), RecordSelection.Unit.EXAMPLE);
    float next = 0;
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.geometry().examples())) {
      while (cursor.next()) {
        ByteBuffer bytes = cursor.bytes();
        while (bytes.hasRemaining()) {
          assertThat(bytes.getFloat()).isEqualTo(next++);
        }
      }
    }
    assertThat(next).isEqualTo(dataset.geometry().examples() * dataset.table().exampleBytes() / 4f);
  }
}
