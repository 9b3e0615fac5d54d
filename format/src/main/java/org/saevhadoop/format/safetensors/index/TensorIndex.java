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
   * Returns all entries of a key. safetensors-spark writes more than one entry if two of its tasks
   * have the same key.
   */
  List<TensorIndexEntry> findAll(String key) throws IOException;

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
    List<TensorIndexEntry> all = findAll(key);
    if (all.size() > 1) {
      throw TensorIndexError.DUPLICATE_ENTRY.in(
          path(),
          "tensor \"%s\" has %d entries, in %s (expected one)",
          key,
          all.size(),
          all.stream().map(TensorIndexEntry::file).distinct().limit(5).toList());
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
  }
}
