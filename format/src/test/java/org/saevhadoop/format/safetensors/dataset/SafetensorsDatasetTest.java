package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.safetensors.header.SafetensorsFiles.floats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.vector.IndexedReader;
import org.saevhadoop.format.reader.vector.OrderedReader;
import org.saevhadoop.format.reader.vector.ReaderOptions;
import org.saevhadoop.format.reader.vector.ShuffledReader;
import org.saevhadoop.format.reader.vector.TokenChoice;
import org.saevhadoop.format.reader.vector.VectorView;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SafetensorsDatasetTest extends WrittenSafetensors {
  @Property(tries = 60, sample = 25)
  void whatIsWrittenIsReadVectorByVector(RandomValues any) throws IOException {
    Columns columns = any.of(Columns.class);
    List<Integer> layers = layers(any);
    int examples = any.intBetween(1, 9);
    int batch = any.intBetween(1, 10);
    boolean withManifest = any.bool();
    Path directory = Files.createTempDirectory(folder, "any");
    Geometry geometry = new Geometry(examples, layers, columns == Columns.ROWS ? 1 : 2, 3);
    InventedFiles.write(
        WrittenBatches.plan(geometry, columns, batch, Provenance.NONE), new LocalFolder(directory));
    if (!withManifest) {
      Files.delete(directory.resolve(SafetensorsTable.MANIFEST));
    }
    SafetensorsDataset dataset = WrittenBatches.open(new LocalFolder(directory));
    assertThat(dataset.geometry()).isEqualTo(geometry);
    assertThat(dataset.shards()).hasSize((examples - 1) / batch + 1);
    assertSameVectors(dataset, geometry);
  }

  @Test
  void layersThatSortOtherwiseByNameAreInTheFileByName() throws IOException {
    BatchWritePlan target =
        WrittenBatches.plan(
            new Geometry(2, List.of(9, 10, 11), 1, 1), Columns.LAYERS, 2, Provenance.NONE);
    // layer_10, layer_11, layer_9
    assertThat(target.order()).isEqualTo(new BlockOrder(true, List.of(1, 2, 0)));
    InventedFiles.write(target, new LocalFolder(folder));
    SafetensorsDataset dataset = open();
    assertThat(dataset.storageOrder()).isEqualTo(target.order());
    assertThat(dataset.geometry().layers()).containsExactly(9, 10, 11);
    assertSameVectors(dataset, InventedFiles.geometry(target.table()));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void aFileAloneIsADataset(Columns columns) throws IOException {
    BatchWritePlan target = plan(columns, 7);
    InventedFiles.write(target, new LocalFolder(folder));
    SafetensorsDataset dataset =
        WrittenBatches.openFile(new LocalFolder(folder), target.shard(0).name());
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertSameVectors(dataset, GEOMETRY);
  }

  @Test
  void theSaevMetadataTravelsByteForByte() throws IOException {
    String metadata = "{\"data\": \"\\udcff \u00e4\",\r\n\"x\": NaN}\n";
    InventedFiles.write(
        WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 3, metadata(metadata)),
        new LocalFolder(folder));
    assertThat(open().activations().provenance()).isEqualTo(metadata(metadata));
    assertThat(open().warnings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void expectedRangesHoldExactlyTheBlocksThatAreRead(Columns columns) throws IOException {
    write(columns, 5);
    SafetensorsDataset dataset = open();
    try (Input in = dataset.folder().open(dataset.shards().get(0).name())) {
      BlockOffsets placement = dataset.placement(0, in);
      List<Long> blocks = new ArrayList<>();
      for (int layer = 0; layer < MIXED.size(); layer++) {
        for (long example = 1; example < 4; example++) {
          blocks.add(placement.offset(example, layer));
        }
      }
      List<Integer> all = BlockOrder.byExample(GEOMETRY.table()).columns();
      List<ByteRange> ranges = dataset.expectedRanges(0, 1, 3, all);
      assertThat(ranges.stream().mapToLong(ByteRange::length).sum())
          .isEqualTo(3 * GEOMETRY.exampleBytes());
      assertThat(blocks)
          .allMatch(
              block ->
                  ranges.stream()
                      .anyMatch(
                          range ->
                              block >= range.offset()
                                  && block + GEOMETRY.blockBytes()
                                      <= range.offset() + range.length()));
    }
  }

  @Test
  void theSameDatasetHasTheSameNamesAndAnotherHasOthers() {
    BatchWritePlan target = WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 3, metadata("{}"));
    String name = target.shard(0).name();
    assertThat(name).matches("part-00000-0000-[0-9a-f-]{36}\\.safetensors");
    assertThat(WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 3, metadata("{}")).shard(0).name())
        .isEqualTo(name);
    assertThat(
            Stream.of(
                WrittenBatches.plan(GEOMETRY, Columns.ACTS, 3, metadata("{}")),
                WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 4, metadata("{}")),
                WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 3, metadata("{ }")),
                plan(Columns.LAYERS, 3)))
        .extracting(other -> other.shard(0).name())
        .doesNotContain(name)
        .doesNotHaveDuplicates();
  }

  @Test
  void aGigabyteIsTheDefaultSizeOfAFile() {
    Geometry mebibyte = new Geometry(1, List.of(1), 256, 1024);
    assertThat(BatchWritePlan.defaultExamplesPerShard(mebibyte.table())).isEqualTo(1024);
    Geometry large = new Geometry(1, List.of(1, 2, 3), 1 << 20, 1024);
    assertThat(BatchWritePlan.defaultExamplesPerShard(large.table())).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "weight; F32; 2,3,4",
        "layer_x; F32; 2,3,4",
        "layer_; F32; 2,3,4",
        "layer_99999999999; F32; 2,3,4",
        "layer_9999999999; F32; 2,3,4",
        "layer_1; F32; 2,3",
        "acts; F32; 2,3,4",
        "acts; F32; 0,2147483647,1,1"
      })
  void aTensorThatHoldsNoActivationsIsNamed(String name, DType dtype, String shape)
      throws IOException {
    assertTensorFails(DatasetError.NO_ACTIVATIONS, name, dtype, shape);
  }

  @Test
  void aTensorThatHoldsNoVectorsIsNamed() throws IOException {
    assertTensorFails(DatasetError.NO_VECTORS, "layer_1", DType.F32, "2,0,4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"acts; F32; 0,9223372036854775807,1,1", "layer_1; F32; 0,9223372036854775807,1"})
  void aTensorWhoseExamplesHaveTooManyBytesIsNamed(String name, DType dtype, String shape)
      throws IOException {
    assertTensorFails(TensorDatasetError.BAD_COLUMN, name, dtype, shape);
  }

  @Test
  void tensorsThatDoNotBelongTogetherAreRefused() throws IOException {
    TensorSpec one = floats("layer_1", 2, 3, 4);
    for (TensorSpec other :
        List.of(
            floats("layer_2", 2, 4, 3), floats("layer_01", 2, 3, 4), floats("acts", 2, 1, 3, 4))) {
      writeTensors("f.safetensors", List.of(one, other), Map.of());
      assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    }
    writeTensors("f.safetensors", List.of(), Map.of());
    assertFails(TensorDatasetError.BAD_COLUMN, "f.safetensors", this::open);
  }

  @Test
  void theNamedLayersOfActsMustBeItsOwn() throws IOException {
    List<TensorSpec> acts = List.of(floats("acts", 2, 2, 3, 4));
    for (String layers : List.of("1,2,3", "1;2", "4,4")) {
      writeTensors("f.safetensors", acts, Map.of("saev.layers", layers));
      assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    }
    writeTensors("f.safetensors", acts, Map.of());
    assertThat(open().geometry().layers()).containsExactly(0, 1);
  }

  @Test
  void aFirstExampleThatIsNoNumberIsRefused() throws IOException {
    writeTensors(
        "f.safetensors", List.of(floats("layer_1", 2, 3, 4)), Map.of("saev.first_example", "two"));
    assertFails(TensorDatasetError.BAD_FILE_METADATA, "f.safetensors", this::open);
  }

  @Test
  void filesWithoutExamplesReportTheColumns() throws IOException {
    TensorSpec none = new TensorSpec("layer_-2", DType.F16, List.of(0L, 3L, 4L));
    writeTensors("a.safetensors", List.of(none), Map.of());
    writeTensors("b.safetensors", List.of(none), Map.of());
    assertThat(open().geometry()).isEqualTo(new Geometry(0, List.of(-2), 3, 4, DType.F16));
    assertThat(open().shards()).containsExactly(shard("a.safetensors", 0, 0));
    TensorSpec one = new TensorSpec("layer_-2", DType.F16, List.of(1L, 3L, 4L));
    writeTensors("b.safetensors", List.of(one), Map.of());
    assertThat(open().shards()).containsExactly(shard("b.safetensors", 0, 1));
  }

  @Test
  void aFolderWithoutExamplesIsNoDataset() throws IOException {
    Files.write(folder.resolve("other"), new byte[3]);
    assertFails(TensorDatasetError.NO_EXAMPLES, folder, this::open);
    manifestOf();
    assertFails(TensorDatasetError.NO_EXAMPLES, folder, this::open);
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16", "F64", "I8", "C64", "F8_E4M3"})
  void activationsOfOtherNumbersAreReadAsBlocksButNotTrainedOn(DType dtype) throws IOException {
    Geometry geometry = new Geometry(5, List.of(9, 10), 3, 3, dtype);
    TableShape table = geometry.table();
    BatchWritePlan target =
        WrittenBatches.plan(table, Columns.LAYERS, 2, Tail.WRITE, 8, Provenance.NONE, null);
    AnyTables.write(target, new LocalFolder(folder), folder);
    SafetensorsDataset dataset = open();
    assertThat(dataset.geometry()).isEqualTo(geometry);
    AnyTables.assertSame(dataset, table, example -> example);
    VectorView view = VectorView.of(dataset, 0, TokenChoice.ALL, null);
    ReaderOptions options = ReaderOptions.defaults();
    for (ThrowingCallable reader :
        List.<ThrowingCallable>of(
            () -> new IndexedReader(dataset, view),
            () -> new OrderedReader(dataset, view, options),
            () -> new ShuffledReader(dataset, view, options))) {
      assertThatThrownBy(reader)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              folder
                  + ": its numbers are "
                  + dtype
                  + " (expected F32: convert it with --dtype F32)");
    }
  }
}
