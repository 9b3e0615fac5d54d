package org.saevhadoop.format.safetensors.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;

/** Index from tensor keys to the files of a folder. Instances are not thread-safe. */
public interface TensorIndex extends Closeable {
  /** File name of the index of safetensors-spark. */
  String NAME = "_tensor_index.parquet";

  /** Consumer of the entries of an index. */
  @FunctionalInterface
  interface Sink {
    void accept(TensorIndexEntry entry) throws IOException;
  }

  /** Returns the path of the index for error messages. */
  String path();

  /**
   * Returns the entries of a key, but no more than {@code max}. safetensors-spark writes more than
   * one entry if two of its tasks have the same key.
   */
  List<TensorIndexEntry> find(String key, int max) throws IOException;

  /**
   * Passes all entries to the sink in stored order. Memory use does not depend on the number of
   * entries.
   */
  void forEach(Sink sink) throws IOException;

  /**
   * Returns the entry of a key.
   *
   * @throws FormatException if there is more than one entry
   */
  default Optional<TensorIndexEntry> find(String key) throws IOException {
    List<TensorIndexEntry> all = find(key, 2);
    if (all.size() > 1) {
      throw TensorIndexError.DUPLICATE_ENTRY.in(
          path(),
          "tensor \"%s\" has several entries, in %s (expected one)",
          key,
          all.stream().map(TensorIndexEntry::file).distinct().toList());
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
  }
}
