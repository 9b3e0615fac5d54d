package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.safetensors.index.TensorIndex;
import org.saevhadoop.format.safetensors.index.TensorIndexEntry;

/**
 * {@code _tensor_index.parquet} of a dataset: the one file that this project writes, or the
 * directory of such files that safetensors-spark writes, without places. Rows may be in any order.
 *
 * <p>A lookup in sorted rows reads the page of keys that can have the key and a page of each other
 * column; the file's footer was read when it was opened. Each file of the index stays open.
 */
public final class ParquetTensorIndex implements TensorIndex {
  private static final String SUFFIX = ".parquet";

  private final String path;
  private final List<IndexFile> files = new ArrayList<>();

  private ParquetTensorIndex(String path) {
    this.path = path;
  }

  /**
   * Opens the index of a dataset.
   *
   * @throws FormatException where there is none, or it is no Parquet file with its columns; this
   *     and all other methods throw it for broken files
   */
  public static ParquetTensorIndex open(Folder dataset) throws IOException {
    ParquetTensorIndex index = new ParquetTensorIndex(dataset.path(NAME));
    try {
      Optional<Folder> directory = dataset.folder(NAME);
      if (directory.isEmpty()) {
        index.files.add(new IndexFile(dataset.open(NAME)));
        return index;
      }
      for (String name : directory.get().files().keySet()) {
        // as Spark does: _SUCCESS, .crc files and what was not committed
        if (name.endsWith(SUFFIX) && !name.startsWith("_") && !name.startsWith(".")) {
          index.files.add(new IndexFile(directory.get().open(name)));
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

  @Override
  public String path() {
    return path;
  }

  @Override
  public List<TensorIndexEntry> findAll(String key) throws IOException {
    List<TensorIndexEntry> found = new ArrayList<>();
    for (IndexFile file : files) {
      file.find(key, found);
    }
    return found;
  }

  @Override
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
