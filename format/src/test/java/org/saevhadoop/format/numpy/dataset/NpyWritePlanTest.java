package org.saevhadoop.format.numpy.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.numpy.file.NumpyReader;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;

class NpyWritePlanTest {
  private static final Geometry GEOMETRY = new Geometry(5, List.of(13, -1), 4, 3);
  private static final Provenance PROVENANCE = Provenance.NONE.with("key", "text \u00e4");

  @TempDir Path directory;

  private static NpyWritePlan plan(long perPart) {
    return plan(perPart, null);
  }

  private static NpyWritePlan plan(long perPart, @Nullable LabelSource labels) {
    return new NpyWritePlan(GEOMETRY.table(), perPart, PROVENANCE, labels, TokenArrays.NONE);
  }

  private List<String> files() throws IOException {
    return List.copyOf(new LocalFolder(directory).files().keySet());
  }

  /** Asserts that a file has the blocks of a column. */
  private void assertBlocks(String file, int column, long first, long examples) throws IOException {
    FileArray array = new NumpyReader(null).read(new LocalFolder(directory), file).arrays().get(0);
    assertThat(array.shape()).containsExactly(examples, 4L, 3L);
    assertThat(array.dtype()).isEqualTo(DType.F32);
    ByteBuffer expected = ByteBuffer.allocate((int) array.layout().length());
    for (long example = first; example < first + examples; example++) {
      expected.put(InventedFiles.block(GEOMETRY, example, column));
    }
    byte[] stored = Files.readAllBytes(directory.resolve(file));
    assertThat(Arrays.copyOfRange(stored, (int) array.layout().offset(), stored.length))
        .isEqualTo(expected.array());
  }

  @Test
  void aSmallDatasetHasAFileForEachLayer() throws IOException {
    InventedFiles.write(plan(5).write(SampleMetadata.NONE), directory);
    assertThat(files()).containsExactly("layer_-1.npy", "layer_13.npy", "saev-arrays.json");
    assertBlocks("layer_13.npy", 0, 0, 5);
    assertBlocks("layer_-1.npy", 1, 0, 5);
  }

  @Test
  void aLargeDatasetHasParts() throws IOException {
    InventedFiles.write(plan(2).write(SampleMetadata.NONE), directory);
    assertThat(files())
        .containsExactly(
            "layer_-1.00000.npy",
            "layer_-1.00001.npy",
            "layer_-1.00002.npy",
            "layer_13.00000.npy",
            "layer_13.00001.npy",
            "layer_13.00002.npy",
            "saev-arrays.json");
    assertBlocks("layer_13.00001.npy", 0, 2, 2);
    assertBlocks("layer_-1.00002.npy", 1, 4, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 11, 100_000, 100_001, 1_000_001})
  void namesAreInTheOrderOfTheParts(long parts) {
    Geometry geometry = new Geometry(parts, List.of(3), 1, 1);
    NpyWritePlan plan = new NpyWritePlan(geometry.table(), 1, PROVENANCE, null, TokenArrays.NONE);
    for (long part = Math.max(1, parts - 3); part < parts; part++) {
      assertThat(plan.shardName(part)).isGreaterThan(plan.shardName(part - 1));
      assertThat(plan.shardName(part)).isGreaterThan(plan.shardName(part / 10));
    }
  }

  @Test
  void theDocumentDescribesTheDataset() throws IOException {
    InventedFiles.write(plan(2).write(SampleMetadata.NONE), directory);
    ArraysDocument document = ArraysDocument.read(new LocalFolder(directory));
    assertThat(document.table()).isEqualTo(GEOMETRY.table());
    assertThat(document.provenance()).isEqualTo(PROVENANCE);
    assertThat(document.parts())
        .containsExactly(
            new ArraysDocument.Part(
                2, List.of("layer_13.00000.npy", "layer_-1.00000.npy"), null, Map.of()),
            new ArraysDocument.Part(
                2, List.of("layer_13.00001.npy", "layer_-1.00001.npy"), null, Map.of()),
            new ArraysDocument.Part(
                1, List.of("layer_13.00002.npy", "layer_-1.00002.npy"), null, Map.of()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 5})
  void blocksMayArriveInAnyOrder(long perPart) throws IOException {
    NpyWritePlan plan = plan(perPart);
    DatasetWrite write = plan.write(SampleMetadata.NONE);
    LocalFolder folder = new LocalFolder(directory);
    for (long index = 0; index < plan.shardCount(); index++) {
      try (BlockSink sink = write.sinks().open(index, true, folder, directory)) {
        long first = index * perPart;
        for (long example = first + plan.examples(index) - 1; example >= first; example--) {
          for (int column = 0; column < 2; column++) {
            sink.write(example, column, InventedFiles.block(GEOMETRY, example, column));
          }
        }
      }
    }
    InventedFiles.writeDocuments(plan, folder);
    String part = plan.shardCount() == 1 ? "" : ".00000";
    assertBlocks("layer_13" + part + ".npy", 0, 0, perPart);
    assertBlocks("layer_-1" + part + ".npy", 1, 0, perPart);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void runsOfALayerAreWrittenAtOnce(boolean anyOrder) throws IOException {
    NpyWritePlan plan = plan(5);
    LocalFolder folder = new LocalFolder(directory);
    try (BlockSink sink =
        plan.write(SampleMetadata.NONE).sinks().open(0, anyOrder, folder, directory)) {
      for (int column = 0; column < 2; column++) {
        ByteBuffer run = ByteBuffer.allocate(5 * (int) GEOMETRY.blockBytes());
        for (int example = 0; example < 5; example++) {
          run.put(InventedFiles.block(GEOMETRY, example, column));
        }
        assertThat(sink.writeRun(1, column, run.flip())).isFalse();
        assertThat(sink.writeRun(0, column, run)).isTrue();
      }
    }
    assertBlocks("layer_13.npy", 0, 0, 5);
    assertBlocks("layer_-1.npy", 1, 0, 5);
  }

  @Test
  void labelsAreAnArrayOfTheirOwn() throws IOException {
    InventedDataset labelled = new InventedDataset(GEOMETRY, false, 5).withLabels(3);
    NpyWritePlan plan = plan(2, LabelSource.of(labelled, GEOMETRY));
    InventedFiles.write(plan.write(SampleMetadata.NONE), directory);
    byte[] stored = Files.readAllBytes(directory.resolve("labels.00001.npy"));
    FileArray array =
        new NumpyReader(null).read(new LocalFolder(directory), "labels.00001.npy").arrays().get(0);
    assertThat(array.shape()).containsExactly(2L, 3L);
    assertThat(Arrays.copyOfRange(stored, stored.length - 6, stored.length))
        .isEqualTo(labelled.labels(2, 2));
    assertThat(ArraysDocument.read(new LocalFolder(directory)).parts().get(2).labels())
        .isEqualTo("labels.00002.npy");
  }

  @Test
  void aDatasetWithoutExamplesHasItsColumns() throws IOException {
    TableShape table = GEOMETRY.table().withExamples(0);
    NpyWritePlan plan = new NpyWritePlan(table, 2, Provenance.NONE, null, TokenArrays.NONE);
    InventedFiles.write(plan.write(SampleMetadata.NONE), directory);
    assertThat(files()).containsExactly("layer_-1.npy", "layer_13.npy", "saev-arrays.json");
    assertThat(ArraysDocument.read(new LocalFolder(directory)).table()).isEqualTo(table);
  }

  @Test
  void bfloatsAreBytesWithoutATypeThatTheDocumentNames() throws IOException {
    TableShape table = new TableShape(1, List.of(new Column("a.b", DType.BF16, List.of(1L, 2L))));
    NpyWritePlan plan = new NpyWritePlan(table, 1, Provenance.NONE, null, TokenArrays.NONE);
    LocalFolder folder = new LocalFolder(directory);
    try (BlockSink sink =
        plan.write(SampleMetadata.NONE).sinks().open(0, false, folder, directory)) {
      sink.write(0, 0, ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    }
    InventedFiles.writeDocuments(plan, folder);
    assertThat(Files.readString(directory.resolve("a.b.npy"), StandardCharsets.ISO_8859_1))
        .contains("'descr': '<V2'")
        .endsWith("\n\1\2\3\4");
    assertThat(ArraysDocument.read(folder).table()).isEqualTo(table);
  }

  @Test
  void aBlockInAnotherOrderIsRefused() throws IOException {
    LocalFolder folder = new LocalFolder(directory);
    BlockSink sink = plan(5).write(SampleMetadata.NONE).sinks().open(0, false, folder, directory);
    ByteBuffer block = InventedFiles.block(GEOMETRY, 0, 0);
    assertFails(DatasetError.BLOCK_OUT_OF_ORDER, "layer_13.npy", () -> sink.write(1, 0, block));
    sink.write(0, 0, block);
    assertFails(DatasetError.INCOMPLETE, "layer_13.npy", () -> sink.write(0, 1, block));
    assertThatThrownBy(sink::close).isInstanceOf(FormatException.class);
  }

  @Test
  void thePlanHasTheLengthsOfAllFiles() throws IOException {
    InventedDataset labelled = new InventedDataset(GEOMETRY, false, 5).withLabels(3);
    NpyWritePlan plan = plan(2, LabelSource.of(labelled, GEOMETRY));
    InventedFiles.write(plan.write(SampleMetadata.NONE), directory);
    assertThat(plan.files(2)).hasSize(3);
    for (ShardPlan file : plan.files(2)) {
      assertThat(directory.resolve(file.name())).hasSize(file.length());
    }
    assertThat(plan.files(2).get(0).name()).isEqualTo(plan.shardName(2));
  }

  @ParameterizedTest
  @CsvSource({"48, 1", "95, 1", "96, 2", "1, 1", "1000000000000, 20833333333"})
  void aFileHasAsManyExamplesAsFit(long maxBytes, long expected) {
    assertThat(NpyWritePlan.examplesPerFile(GEOMETRY.table(), maxBytes)).isEqualTo(expected);
  }

  @Test
  void namesOfFilesAreDistinct() {
    assertThat(List.of("layer_13", "layer_-1", "blocks.3.hook_resid_post", "A"))
        .allMatch(NpyWritePlan::isFileName);
    assertThat(
            List.of(
                "", "a/b", "..", ".a", "_a", "-a", "a\\b", "a\n", "layer_1.0", "labels", "\u00e4"))
        .noneMatch(NpyWritePlan::isFileName);
    assertThat(NpyWritePlan.isFileName("a".repeat(201))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"schema\": \"saev-arrays 2.0\"}",
        "{\"schema\": \"saev-arrays 1.0\"}",
        "{S, \"examples\": 0, \"columns\": {}, \"parts\": []}",
        "{S, \"examples\": 1, \"columns\": [], \"parts\": []}",
        "{S, \"examples\": -1, \"columns\": [], \"parts\": []}",
        "{S, \"examples\": 0, \"columns\": [{}], \"parts\": []}",
        "{S, \"examples\": 0, \"columns\": [{\"name\": \"a\", \"dtype\": \"X\", \"shape\": []}],"
            + " \"parts\": []}",
        "{S, \"examples\": 0, \"columns\": [{\"name\": \"a\", \"dtype\": \"F32\","
            + " \"shape\": [1.5]}], \"parts\": []}",
        "{S, \"examples\": 0, \"columns\": [{\"name\": \"a\", \"dtype\": \"F32\","
            + " \"shape\": [9223372036854775807]}], \"parts\": []}",
        "{S, \"examples\": 0, \"columns\": [{\"name\": \"a\", \"dtype\": \"F32\", \"shape\": []},"
            + " {\"layer\": 0, \"name\": \"b\", \"dtype\": \"F32\", \"shape\": []}], \"parts\": []}",
        "{S, \"examples\": 1, \"columns\": [], \"parts\": [{\"examples\": 1, \"files\": [\"a\"]}]}",
        "{S, \"examples\": 1, \"columns\": [], \"parts\": [{\"examples\": 1,"
            + " \"files\": [\"../a.npy\"]}]}",
        "{S, \"examples\": 1, \"columns\": [], \"parts\": [{\"examples\": 1,"
            + " \"files\": [\"a.npy\"]}]}"
      })
  void anotherDocumentIsRefused(String text) {
    MemoryStorage folder = new MemoryStorage("data");
    String json = text.replace("S,", "\"schema\": \"saev-arrays 1.0\",");
    folder.put(ArraysDocument.NAME, json.getBytes(StandardCharsets.UTF_8));
    assertFails(NpyError.BAD_DESCRIPTION, ArraysDocument.NAME, () -> ArraysDocument.read(folder));
  }
}
