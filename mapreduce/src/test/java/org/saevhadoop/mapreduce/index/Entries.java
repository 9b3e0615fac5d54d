package org.saevhadoop.mapreduce.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;

/** Entries for tests, and the ways to the index and back. */
final class Entries {
  private Entries() {}

  /** The entry of a number; keys come in order up to 10^8. */
  static TensorIndexEntry of(int i) {
    long begin = i % 12_000 * 4096L;
    return new TensorIndexEntry(
        key(i),
        "part-%05d-0000-1c55cf32-6c0c-48a7-b0b7-c8c2475cc77e.safetensors".formatted(i / 12_000),
        DType.F32,
        List.of(1024L),
        begin,
        begin + 4096,
        1_038_576);
  }

  static String key(int i) {
    return "%08d__layer_10".formatted(i);
  }

  static void write(Path folder, Iterable<TensorIndexEntry> entries) throws IOException {
    try (TensorIndexWriter writer =
        new TensorIndexWriter(new LocalFolder(folder).create(TensorIndex.NAME))) {
      for (TensorIndexEntry entry : entries) {
        writer.write(entry);
      }
    }
  }

  static TensorIndex open(Path folder) throws IOException {
    return TensorIndex.open(new LocalFolder(folder));
  }

  static List<TensorIndexEntry> all(TensorIndex index) throws IOException {
    List<TensorIndexEntry> all = new ArrayList<>();
    index.forEach(all::add);
    return all;
  }
}
