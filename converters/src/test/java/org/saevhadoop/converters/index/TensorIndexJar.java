package org.saevhadoop.converters.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.index.TensorIndexWriter;

/** Writes an index that uses every encoding of every column, and reads it again. */
public final class TensorIndexJar {
  private static final int ENTRIES = 100_000;

  private TensorIndexJar() {}

  public static void main(String[] args) throws IOException {
    LocalFolder folder = new LocalFolder(Path.of(args[0]));
    try (TensorIndexWriter writer = new TensorIndexWriter(folder.create(TensorIndex.NAME))) {
      for (int i = 0; i < ENTRIES; i++) {
        writer.write(entry(i));
      }
    }
    try (TensorIndex index = TensorIndex.open(folder)) {
      int[] next = {0};
      index.forEach(entry -> require(entry.equals(entry(next[0]++))));
      require(next[0] == ENTRIES);
      require(index.find("k099999").equals(java.util.Optional.of(entry(99_999))));
    }
  }

  /** The first half has few values in each column, the second different ones in each row. */
  private static TensorIndexEntry entry(int i) {
    int n = i < ENTRIES / 2 ? 0 : i;
    DType dtype = DType.values()[n % DType.values().length];
    List<Long> shape = List.of((long) n, 7L);
    String file = "a-long-name-of-a-file-that-fills-a-dictionary-" + n + ".safetensors";
    return new TensorIndexEntry("k%06d".formatted(i), file, dtype, shape, n, n + 9L, 8L * n);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new AssertionError("not what was written");
    }
  }
}
