package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Tail;
import org.saevhadoop.format.safetensors.header.AnyTables;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.testing.RandomValues;

/** Tables that tests write. */
abstract class WrittenTables {
  @TempDir Path folder;

  static String separator(RandomValues any) {
    return any.of("__", "/", " ", "::", ".", "\u00e9", "\t", "\ud83d\ude00");
  }

  static List<String> ids(RandomValues any) {
    return any.distinct(
        1,
        12,
        id -> id,
        () ->
            any.oneOf(
                () -> any.filtered(() -> any.text(0, 5), SafetensorsTableTest::isText),
                () ->
                    any.of(
                        "a",
                        "a__",
                        "__a__b",
                        "_",
                        "/",
                        "x/y",
                        "\"",
                        "\\",
                        "\u0000",
                        "9",
                        "10",
                        "009",
                        "",
                        "\u00e4",
                        "\ud83d\ude00",
                        "\uff41",
                        "\uffff",
                        "\n")));
  }

  static boolean isText(String text) {
    return text.equals(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
  }

  void foreign(TensorSpec... specs) throws IOException {
    SafetensorsFiles.write(folder.resolve("a.safetensors"), null, List.of(specs));
  }

  SafetensorsTable open(SafetensorsOptions options) throws IOException {
    return SafetensorsTable.open(new LocalFolder(folder), options);
  }

  static SafetensorsOptions options(TensorLayout layout, String separator) {
    return new SafetensorsOptions(
        layout, separator, HeaderStrictness.STRICT, List.of(), ProvenanceReader.NONE, null);
  }

  static BatchWritePlan batches(TableShape table, long batch, int alignment) {
    return WrittenBatches.plan(
        table, Columns.LAYERS, batch, Tail.WRITE, alignment, Provenance.NONE, null);
  }

  static KeyedWritePlan keyed(TableShape table, String separator, ExampleIds ids, long perShard) {
    return new KeyedWritePlan(
        table, Columns.LAYERS, separator, ids, perShard, 8, Provenance.NONE, null);
  }

  static ExampleIds named(List<String> ids) {
    return new ExampleIds() {
      @Override
      public List<String> ids(long first, long count) {
        return ids.subList((int) first, (int) (first + count));
      }

      @Override
      public int maxBytes() {
        return ids.stream().mapToInt(id -> 6 * id.length()).max().orElse(0);
      }

      @Override
      public boolean areNumbers() {
        return false;
      }
    };
  }

  static <P extends WritePlan & DatasetFinisher> SafetensorsTable writeAndOpen(
      P target, Path directory, boolean withManifest) throws IOException {
    LocalFolder files = new LocalFolder(directory);
    AnyTables.write(target, files, directory);
    if (!withManifest) {
      Files.delete(directory.resolve(SafetensorsTable.MANIFEST));
    }
    return SafetensorsTable.open(files, SafetensorsOptions.NONE);
  }

  static void assertFullFiles(SafetensorsTable found, long batch) throws IOException {
    for (Shard shard : found.shards()) {
      try (Input in = found.folder().open(shard.name())) {
        assertThat(SafetensorsHeader.read(in).tensors())
            .allMatch(tensor -> tensor.shape().get(0) == batch);
      }
    }
  }

  Path newFolder() throws IOException {
    return Files.createTempDirectory(folder, "table");
  }
}
