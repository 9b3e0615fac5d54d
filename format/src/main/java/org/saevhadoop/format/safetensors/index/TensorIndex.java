package org.saevhadoop.format.safetensors.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;

/** Says which file of a folder holds which tensor. One thread at a time. */
public interface TensorIndex extends Closeable {
  /** What safetensors-spark calls an index. */
  String NAME = "_tensor_index.parquet";

  /** Takes the entries of an index one by one. */
  @FunctionalInterface
  interface Sink {
    void accept(TensorIndexEntry entry) throws IOException;
  }

  /** The index's path, as error messages name it. */
  String path();

  /**
   * All entries of a key. safetensors-spark writes several where two of its tasks had the same key.
   */
  List<TensorIndexEntry> findAll(String key) throws IOException;

  /** All entries in stored order; memory does not grow with their number. */
  void forEach(Sink sink) throws IOException;

  /**
   * The entry of a key.
   *
   * @throws FormatException where there are several
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
