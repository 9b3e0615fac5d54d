package org.saevhadoop.format.parquet.index;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.parquet.file.MemoryAccount;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.parquet.file.ParquetLimits;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;
import org.saevhadoop.format.safetensors.index.TensorIndexError;

/**
 * Index {@code _tensor_index.parquet} of a dataset: either the single file that this project
 * writes, or the directory of such files, without offsets, that safetensors-spark writes. Rows may
 * be in any order.
 *
 * <p>A lookup in sorted rows reads the key page that can contain the key and one page of each other
 * column; the footer of a file is read when the file is opened. All files of the index stay open.
 * Instances are not thread-safe.
 */
public final class TensorIndex implements Closeable {
  /** File name of the safetensors-spark index. */
  public static final String NAME = "_tensor_index.parquet";

  /** Consumer of the entries of an index. */
  @FunctionalInterface
  public interface Sink {
    void accept(TensorIndexEntry entry) throws IOException;
  }

  private static final String SUFFIX = ".parquet";

  /**
   * Number of bytes to read initially from the end of a file, which holds the footer and the page
   * index.
   */
  private static final int TAIL = 128 << 10;

  /** The corresponding number for the files in a directory, which are small. */
  private static final int TAIL_OF_MANY = 4 << 10;

  private final String path;
  private final MemoryAccount footers =
      new MemoryAccount(ParquetLimits.MAX_FOOTERS_MEMORY, "the footers of its files");
  private final List<IndexFile> files = new ArrayList<>();

  private TensorIndex(String path) {
    this.path = path;
  }

  /**
   * Opens the index of a dataset.
   *
   * @throws FormatException if there is no index, or it is not a Parquet file with the required
   *     columns; all other methods also throw this exception for invalid files
   */
  public static TensorIndex open(Folder dataset) throws IOException {
    TensorIndex index = new TensorIndex(dataset.path(NAME));
    try {
      Optional<Folder> directory = dataset.folder(NAME);
      if (directory.isEmpty()) {
        index.add(dataset, NAME, TAIL);
        return index;
      }
      for (String name : directory.get().files().keySet()) {
        // skips _SUCCESS, .crc files and uncommitted output, like Spark
        if (name.endsWith(SUFFIX) && !name.startsWith("_") && !name.startsWith(".")) {
          ParquetError.LIMIT_EXCEEDED.check(
              index.files.size() < ParquetLimits.MAX_FILES,
              index.path,
              "holds too many files (expected at most %d)",
              ParquetLimits.MAX_FILES);
          index.add(directory.get(), name, TAIL_OF_MANY);
        }
      }
      ParquetError.NO_INDEX.check(
          !index.files.isEmpty(), index.path, "holds no file *%s (expected at least one)", SUFFIX);
      return index;
    } catch (IOException | RuntimeException e) {
      index.close();
      throw e;
    }
  }

  private void add(Folder folder, String name, int tail) throws IOException {
    files.add(new IndexFile(folder.open(name), tail, footers));
  }

  /** Returns the path of the index, for error messages. */
  public String path() {
    return path;
  }

  /**
   * Returns the entry for a key.
   *
   * @throws FormatException if there is more than one entry
   */
  public Optional<TensorIndexEntry> find(String key) throws IOException {
    List<TensorIndexEntry> all = find(key, 2);
    if (all.size() > 1) {
      throw TensorIndexError.DUPLICATE_ENTRY.in(
          path,
          "tensor \"%s\" has several entries, in %s (expected one)",
          key,
          all.stream().map(TensorIndexEntry::file).distinct().toList());
    }
    return all.stream().findFirst();
  }

  /**
   * Returns at most {@code max} entries for a key. safetensors-spark writes more than one entry if
   * two of its tasks have the same key.
   */
  public List<TensorIndexEntry> find(String key, int max) throws IOException {
    List<TensorIndexEntry> found = new ArrayList<>();
    for (IndexFile file : files) {
      if (found.size() < max) {
        file.find(key, max, found);
      }
      if (files.size() > 1) {
        file.forget();
      }
    }
    return found;
  }

  /**
   * Passes all entries to the sink and compares them with the data on which lookups rely.
   *
   * @param problems the receiver of the differences
   */
  void verify(Sink sink, Consumer<FormatException> problems) throws IOException {
    for (IndexFile file : files) {
      file.verify(sink, problems);
    }
  }

  /**
   * Passes all entries to the sink in stored order. Memory use does not depend on the number of
   * entries.
   */
  public void forEach(Sink sink) throws IOException {
    for (IndexFile file : files) {
      file.forEach(sink);
    }
  }

  @Override
  public void close() throws IOException {
    for (IndexFile file : files) {
      file.close();
    }
  }
}
