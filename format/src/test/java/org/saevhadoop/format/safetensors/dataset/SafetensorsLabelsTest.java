package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.safetensors.header.SafetensorsFiles.floats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.BlockSink;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSpool;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.header.HeaderEncoder;
import org.saevhadoop.format.safetensors.header.SafetensorsError;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class SafetensorsLabelsTest extends WrittenSafetensors {
  private static final Geometry GEOMETRY = new Geometry(7, List.of(9, 10), 4, 2);

  /** Example, layer and token of each float are in the blocks; the labels are of three patches. */
  private final InventedDataset source = new InventedDataset(GEOMETRY, false, 7).withLabels(3);

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void labelsAreTheLastTensorOfEachFile(Columns columns) throws IOException {
    BatchWritePlan target = target(columns, 5);
    InventedFiles.write(target, new LocalFolder(folder));
    for (int i = 0; i < 2; i++) {
      ShardPlan plan = target.shard(i);
      byte[] file = Files.readAllBytes(folder.resolve(plan.name()));
      int n = (int) plan.examples();
      int acts = n * (int) GEOMETRY.exampleBytes();
      assertThat(new String(plan.header(), StandardCharsets.UTF_8).strip())
          .endsWith(
              "\"labels\":{\"dtype\":\"U8\",\"shape\":[%d,3],\"data_offsets\":[%d,%d]}}"
                  .formatted(n, acts, acts + 3 * n));
      assertThat(file).hasSize(plan.header().length + acts + 3 * n).startsWith(plan.header());
      assertThat(file).endsWith(source.labels(plan.first(), n));
      // the activations are those of a file without labels
      byte[] plain = plain(columns, i);
      assertThat(Arrays.copyOfRange(file, file.length - acts - 3 * n, file.length - 3 * n))
          .isEqualTo(Arrays.copyOfRange(plain, plain.length - acts, plain.length));
    }
    assertThat(source.labelsOpen()).isZero();
  }

  @Test
  void aSpooledFileEndsWithItsLabelsToo() throws IOException {
    BatchWritePlan target = target(Columns.LAYERS, 5);
    InventedFiles.write(target, new LocalFolder(folder));
    ShardPlan plan = target.shard(1);
    LocalFolder spooled = new LocalFolder(Files.createDirectory(folder.resolve("spooled")));
    try (BlockSink sink = new ShardSpool(plan, target, spooled, folder, null)) {
      for (long example : new long[] {6, 5}) {
        for (int layer : new int[] {0, 1}) {
          sink.write(example, layer, InventedFiles.block(GEOMETRY, example, layer));
        }
      }
    }
    assertThat(folder.resolve("spooled").resolve(plan.name()))
        .hasSameBinaryContentAs(folder.resolve(plan.name()));
  }

  @Property(tries = 60, sample = 25)
  void labelsAreReadBackAcrossFiles(RandomValues any) throws IOException {
    Columns columns = any.of(Columns.class);
    int examples = any.intBetween(1, 12);
    int batch = any.intBetween(1, 5);
    int tokens = columns == Columns.ROWS ? 1 : 4;
    int patches = any.intBetween(1, tokens);
    boolean withManifest = any.bool();
    Geometry geometry = new Geometry(examples, List.of(9, 10), tokens, 2);
    InventedDataset labelled = new InventedDataset(geometry, true, 4).withLabels(patches);
    Path directory = Files.createTempDirectory(folder, "any");
    InventedFiles.write(
        labelled(geometry, columns, batch, LabelSource.of(labelled, geometry)),
        new LocalFolder(directory));
    if (!withManifest) {
      Files.delete(directory.resolve(SafetensorsTable.MANIFEST));
    }
    SafetensorsDataset dataset = WrittenBatches.open(new LocalFolder(directory));
    assertThat(dataset.hasLabels()).isTrue();
    try (PatchLabels labels = dataset.openLabels()) {
      assertThat(labels.patches()).isEqualTo(patches);
      // backwards, so that files are come back to
      for (int first = examples - 1; first >= 0; first--) {
        ByteBuffer found = ByteBuffer.allocate((examples - first) * patches);
        labels.read(first, found);
        assertThat(found.hasRemaining()).isFalse();
        assertThat(found.array()).isEqualTo(labelled.labels(first, examples - first));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ROWS")
  void activationsBesideLabelsAreFoundAndReadAsBefore(Columns columns) throws IOException {
    InventedFiles.write(target(columns, 3), new LocalFolder(folder));
    SafetensorsDataset dataset = open();
    assertThat(dataset.geometry()).isEqualTo(GEOMETRY);
    assertThat(dataset.storageOrder()).isEqualTo(target(columns, 3).order());
    assertThat(readExamples(dataset)).isEqualTo(7);
    try (Input in = dataset.folder().open(dataset.shards().get(1).name())) {
      BlockOffsets placement = dataset.placement(1, in);
      assertThat(dataset.expectedRanges(1, 0, 3, List.of(0, 1)).get(0).offset())
          .isEqualTo(Math.min(placement.offset(0, 0), placement.offset(0, 1)));
      assertThat(
              dataset.expectedRanges(1, 0, 3, List.of(0, 1)).stream()
                  .mapToLong(r -> r.length())
                  .sum())
          .isEqualTo(3 * GEOMETRY.exampleBytes());
    }
  }

  @Test
  void aFileAloneHasItsLabels() throws IOException {
    BatchWritePlan target = target(Columns.ACTS, 5);
    InventedFiles.write(target, new LocalFolder(folder));
    SafetensorsDataset dataset =
        WrittenBatches.openFile(new LocalFolder(folder), target.shard(1).name());
    try (PatchLabels labels = dataset.openLabels()) {
      ByteBuffer found = ByteBuffer.allocate(6);
      labels.read(0, found);
      assertThat(found.array()).isEqualTo(source.labels(5, 2));
    }
  }

  @Test
  void theManifestListsTheLabelsAmongTheTensors() throws IOException {
    InventedFiles.write(target(Columns.LAYERS, 5), new LocalFolder(folder));
    assertThat(Files.readString(folder.resolve(SafetensorsTable.MANIFEST)))
        .containsIgnoringWhitespaces(
            "\"layer_9\": {\"dtype\": \"F32\", \"shape\": [5, 4, 2]},"
                + "\"labels\": {\"dtype\": \"U8\", \"shape\": [5, 3]}}}");
  }

  @Test
  void aDatasetWithLabelsHasOtherNamesThanOneWithout() throws IOException {
    assertThat(
            Stream.of(
                target(Columns.LAYERS, 5),
                labelled(Columns.LAYERS, 5, 2),
                WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 5, Provenance.NONE)))
        .extracting(target -> target.shard(0).name())
        .doesNotHaveDuplicates();
  }

  @Test
  void aDatasetWithoutLabelsReportsIt() throws IOException {
    InventedFiles.write(
        WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 5, Provenance.NONE), new LocalFolder(folder));
    assertThat(open().hasLabels()).isFalse();
    assertThatThrownBy(open()::openLabels)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(folder + ": has no labels");
  }

  @Test
  void labelsOfExamplesThatAreNotThereAreRefused() throws IOException {
    InventedFiles.write(target(Columns.LAYERS, 5), new LocalFolder(folder));
    try (PatchLabels labels = open().openLabels()) {
      for (long first : new long[] {-1, 6, 7}) {
        assertFails(
            DatasetError.NO_LABELS, folder, () -> labels.read(first, ByteBuffer.allocate(6)));
      }
    }
  }

  @Test
  void partsThatDisagreeOnLabelsAreRefusedWhenTheyAreRead() throws IOException {
    BatchWritePlan three = target(Columns.LAYERS, 5);
    for (BatchWritePlan other :
        List.of(
            labelled(Columns.LAYERS, 5, 2),
            WrittenBatches.plan(GEOMETRY, Columns.LAYERS, 5, Provenance.NONE))) {
      Path mixed = folder.resolve(other.shard(1).name() + ".mixed");
      Path wrong = mixed.resolve(other.shard(1).name());
      InventedFiles.writeShard(three, 0, new LocalFolder(mixed));
      InventedFiles.writeShard(other, 1, new LocalFolder(mixed));
      SafetensorsDataset dataset = WrittenBatches.open(new LocalFolder(mixed));
      assertFails(TensorDatasetError.FILES_DISAGREE, wrong, () -> readExamples(dataset));
      try (PatchLabels labels = dataset.openLabels()) {
        assertFails(
            TensorDatasetError.FILES_DISAGREE,
            wrong,
            () -> labels.read(0, ByteBuffer.allocate(21)));
      }
    }
  }

  @Test
  void aFileThatEndsWithinItsLabelsIsRefused() throws IOException {
    BatchWritePlan target = target(Columns.LAYERS, 7);
    InventedFiles.writeShard(target, 0, new LocalFolder(folder));
    Path part = folder.resolve(target.shard(0).name());
    byte[] whole = Files.readAllBytes(part);
    SafetensorsDataset before = open();
    Files.write(part, Arrays.copyOf(whole, whole.length - 1));
    assertFails(SafetensorsError.MetadataIncompleteBuffer, part, this::open);
    try (PatchLabels labels = before.openLabels()) {
      assertFails(
          SafetensorsError.MetadataIncompleteBuffer,
          part,
          () -> labels.read(0, ByteBuffer.allocate(21)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"I8; 2,3", "F32; 2,3", "U8; 2", "U8; 2,3,1", "U8; 2,4", "U8; 2,0"})
  void aTensorThatHoldsNoLabelsIsRefused(DType dtype, String shape) throws IOException {
    assertLabelsFail(DatasetError.BAD_LABELS, dtype, shape);
  }

  @Test
  void labelsOfOtherExamplesThanTheActivationsAreRefused() throws IOException {
    assertLabelsFail(TensorDatasetError.BAD_COLUMN, DType.U8, "3,3");
  }

  private void assertLabelsFail(ErrorKind kind, DType dtype, String shape) throws IOException {
    List<Long> sizes = Stream.of(shape.split(",")).map(Long::valueOf).toList();
    TensorSpec labels = new TensorSpec("labels", dtype, sizes);
    for (TensorSpec acts : List.of(floats("layer_1", 2, 3, 4), floats("acts", 2, 1, 3, 4))) {
      writeTensors("f.safetensors", List.of(acts, labels), Map.of());
      assertFails(kind, "f.safetensors", this::open);
    }
  }

  @Test
  void aHugeNumberOfPatchesOfNoExamplesIsRefused() throws IOException {
    writeTensors(
        "f.safetensors",
        List.of(
            floats("layer_1", 0, 3, 4),
            new TensorSpec("labels", DType.U8, List.of(0L, Long.MIN_VALUE))),
        Map.of());
    assertFails(TensorDatasetError.BAD_COLUMN, "f.safetensors", this::open);
  }

  @Test
  void labelsAloneAreNoDatasetAndNoOtherTensorMayJoinThem() throws IOException {
    TensorSpec labels = new TensorSpec("labels", DType.U8, List.of(2L, 3L));
    writeTensors("f.safetensors", List.of(labels), Map.of());
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
    writeTensors(
        "f.safetensors",
        List.of(
            labels, new TensorSpec("label", DType.U8, List.of(2L, 3L)), floats("acts", 2, 1, 3, 4)),
        Map.of());
    assertFails(DatasetError.NO_ACTIVATIONS, "f.safetensors", this::open);
  }

  private BatchWritePlan target(Columns columns, long batch) throws IOException {
    return labelled(columns, batch, 3);
  }

  private BatchWritePlan labelled(Columns columns, long batch, int patches) throws IOException {
    InventedDataset dataset =
        patches == 3 ? source : new InventedDataset(GEOMETRY, false, 7).withLabels(patches);
    return labelled(GEOMETRY, columns, batch, LabelSource.of(dataset, GEOMETRY));
  }

  private byte[] plain(Columns columns, int index) throws IOException {
    BatchWritePlan target = WrittenBatches.plan(GEOMETRY, columns, 5, Provenance.NONE);
    Path directory = folder.resolve("plain" + index);
    InventedFiles.writeShard(target, index, new LocalFolder(directory));
    return Files.readAllBytes(directory.resolve(target.shard(index).name()));
  }

  private static long readExamples(SafetensorsDataset dataset) throws IOException {
    long examples = 0;
    RecordSelection all = RecordSelection.all(GEOMETRY, RecordSelection.Unit.EXAMPLE);
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, 7)) {
      while (cursor.next()) {
        assertThat(cursor.bytes()).isEqualTo(InventedFiles.example(GEOMETRY, examples++));
      }
    }
    return examples;
  }

  private static BatchWritePlan labelled(
      Geometry geometry, Columns columns, long batch, LabelSource labels) {
    return WrittenBatches.plan(
        geometry.table(),
        columns,
        batch,
        BatchWritePlan.Tail.WRITE,
        HeaderEncoder.ALIGNMENT,
        Provenance.NONE,
        labels);
  }
}
