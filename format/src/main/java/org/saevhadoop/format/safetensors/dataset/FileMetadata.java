package org.saevhadoop.format.safetensors.dataset;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.safetensors.dataset.BatchWritePlan.Columns;

/** The {@code __metadata__} of the files of a dataset: entries of this package, and documents. */
final class FileMetadata {
  /** Common prefix of the keys of all entries that belong to the dataset. */
  private static final String PREFIX = "saev.";

  /** Keys of the entries that only this package writes and reads. */
  private static final Set<String> OWN_KEYS =
      Set.of(
          ActivationColumns.LAYERS_KEY,
          ActivationColumns.TOKEN_ARRAYS_KEY,
          ActivationColumns.ROWS_KEY,
          TensorFiles.FIRST_EXAMPLE_KEY,
          TensorFiles.EXAMPLES_KEY,
          TensorFiles.PADDING_KEY,
          SafetensorsTable.LAYOUT_KEY,
          SafetensorsTable.SEPARATOR_KEY);

  /** Keys of the entries that describe the tensors. */
  static final Set<String> COLUMN_KEYS =
      Set.of(
          ActivationColumns.LAYERS_KEY,
          ActivationColumns.TOKEN_ARRAYS_KEY,
          ActivationColumns.ROWS_KEY,
          SafetensorsTable.LAYOUT_KEY);

  private FileMetadata() {}

  /**
   * Returns the metadata of a file.
   *
   * @param firstExample the number of the first example in the file
   */
  static Map<String, String> of(
      Provenance provenance, TableShape table, Columns columns, long firstExample) {
    Map<String, String> metadata = new TreeMap<>(provenance.documents());
    if (FileColumns.isActivations(table)) {
      metadata.put(
          ActivationColumns.LAYERS_KEY,
          table.columnIds().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    if (columns == Columns.ROWS) {
      metadata.put(ActivationColumns.ROWS_KEY, "true");
    }
    metadata.put(TensorFiles.FIRST_EXAMPLE_KEY, Long.toString(firstExample));
    metadata.put(TensorFiles.EXAMPLES_KEY, Long.toString(table.examples()));
    return metadata;
  }

  /** Returns the documents among the metadata entries of a file. */
  static Provenance provenance(Map<String, String> metadata) {
    SortedMap<String, String> documents = new TreeMap<>(metadata);
    documents.keySet().removeIf(key -> !key.startsWith(PREFIX) || OWN_KEYS.contains(key));
    return new Provenance(documents);
  }

  /**
   * Returns a string that differs for different documents. File names are derived from it, so its
   * form must not change: the first two keys are always present.
   */
  static String identity(Provenance provenance) {
    SortedMap<String, String> others = new TreeMap<>(provenance.documents());
    String text =
        "Provenance[saevMetadata=%s, saevDirectory=%s]"
            .formatted(others.remove("saev.metadata"), others.remove("saev.directory"));
    return others.isEmpty() ? text : text + others;
  }

  /** Returns the string for a table from which file names are derived; its form must not change. */
  static String identity(TableShape table) {
    return "TableShape[examples=%d, columns=%s, numbers=%s]"
        .formatted(table.examples(), table.columns(), table.columnIds());
  }
}
