package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.RandomValues;

/** Datasets of safetensors files that tests write and damage. */
abstract class WrittenSafetensors {
  static final List<Integer> MIXED = List.of(-1, 5, -2, 0);
  static final Geometry GEOMETRY = new Geometry(7, MIXED, 3, 2);

  @TempDir Path folder;

  static List<Integer> layers(RandomValues any) {
    return any.oneOf(
        () -> any.of(MIXED, List.of(9, 10, 11), List.of(11, 9, 10, 100, 1), List.of(-10, -9)),
        () ->
            any.distinct(
                1,
                5,
                layer -> layer,
                () -> any.intBetween(Integer.MIN_VALUE + 1, Integer.MAX_VALUE)));
  }

  void assertTensorFails(ErrorKind kind, String name, DType dtype, String shape)
      throws IOException {
    List<Long> sizes = Stream.of(shape.split(",")).map(Long::valueOf).toList();
    writeTensors("one.safetensors", List.of(new TensorSpec(name, dtype, sizes)), Map.of());
    assertFails(kind, "one.safetensors", this::open);
    assertFails(
        kind,
        "one.safetensors",
        () -> WrittenBatches.openFile(new LocalFolder(folder), "one.safetensors"));
  }

  Shard shard(String name, long first, long examples) throws IOException {
    return new Shard(name, first, examples, Files.size(folder.resolve(name)));
  }

  static void refuse(byte[] bytes) {
    assertThatCode(
            () -> {
              try {
                DatasetManifest.parse("m", bytes);
              } catch (FormatException e) {
                assertThat(e.kind()).isEqualTo(TensorDatasetError.BAD_MANIFEST);
                assertThat(e.path()).isEqualTo("m");
              }
            })
        .doesNotThrowAnyException();
  }

  static BatchWritePlan plan(Columns columns, long batch) {
    return WrittenBatches.plan(GEOMETRY, columns, batch, Provenance.NONE);
  }

  void write(Columns columns, long batch) throws IOException {
    InventedFiles.write(plan(columns, batch), new LocalFolder(folder));
  }

  void writeTensors(String name, List<TensorSpec> tensors, Map<String, String> metadata)
      throws IOException {
    SafetensorsFiles.write(folder.resolve(name), metadata, tensors);
  }

  void manifest(String text) throws IOException {
    Files.writeString(folder.resolve(SafetensorsTable.MANIFEST), text);
  }

  /** Writes a manifest that lists these entries. */
  void manifestOf(String... entries) throws IOException {
    String shards = String.join(", ", entries);
    manifest("{\"format_version\": \"1.0\", \"shards\": [" + shards + "]}");
  }

  String entry(Path file, long examples) throws IOException {
    return entry(file.getFileName().toString(), examples);
  }

  String entry(String name, long examples) throws IOException {
    return "{\"shard_path\": \"%s\", \"samples_count\": %d, \"bytes\": %d}"
        .formatted(name, examples, Files.size(folder.resolve(name)));
  }

  Path part(int index) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".safetensors")).sorted().toList().get(index);
    }
  }

  static void setLength(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
  }

  SafetensorsDataset open() throws IOException {
    return WrittenBatches.open(new LocalFolder(folder));
  }

  static void assertSameVectors(SafetensorsDataset dataset, Geometry geometry) throws IOException {
    assertThat(dataset.shards().stream().mapToLong(Shard::examples).sum())
        .isEqualTo(dataset.geometry().examples());
    InventedDataset expected = new InventedDataset(geometry, false, 1);
    long vectors = 0;
    RecordSelection all = RecordSelection.all(dataset.geometry(), RecordSelection.Unit.VECTOR);
    try (BlockCursor cursor = new BlockCursor(dataset, all, 0, dataset.geometry().examples())) {
      while (cursor.next()) {
        assertThat(cursor.bytes())
            .isEqualTo(expected.vector(cursor.example(), cursor.column(), cursor.token()));
        vectors++;
      }
    }
    assertThat(vectors)
        .isEqualTo(geometry.examples() * geometry.layers().size() * geometry.tokens());
  }

  static Provenance metadata(String text) {
    return Provenance.NONE.with("saev.metadata", text);
  }
}
