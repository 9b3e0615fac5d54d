package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.columns.ColumnActivations;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;

/** Activations in safetensors files: a {@link SafetensorsTable} whose columns are layers. */
public final class SafetensorsDataset extends ColumnActivations {
  private final SafetensorsTable table;

  private SafetensorsDataset(
      SafetensorsTable table,
      ActivationColumns columns,
      Activations activations,
      List<String> warnings) {
    super(
        table,
        columns,
        activations,
        () -> columns.storageOrder(table.layout() == TensorLayout.BATCH),
        warnings);
    this.table = table;
  }

  /**
   * Returns the dataset itself if it is a table, or the table that it interprets; empty if its
   * tensors are arrays.
   */
  public static Optional<SafetensorsTable> table(TableDataset dataset) {
    return dataset instanceof SafetensorsDataset activations
        ? Optional.of(activations.table)
        : dataset instanceof SafetensorsTable table ? Optional.of(table) : Optional.empty();
  }

  /**
   * Interprets a table as activations.
   *
   * @throws FormatException if its columns are not activations
   */
  public static SafetensorsDataset of(SafetensorsTable table, SafetensorsOptions options)
      throws FormatException {
    String path = table.folder().path(table.shards().get(0).name());
    ActivationColumns columns =
        ActivationColumns.of(path, table.table(), table.metadata(), options.mappings());
    List<String> warnings = new ArrayList<>(table.warnings());
    Activations activations =
        columns.activations(
            FileMetadata.provenance(table.metadata()), options.provenanceReader(), warnings::add);
    return new SafetensorsDataset(table, columns, activations, warnings);
  }
}
