package org.saevhadoop.format.safetensors.dataset;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.columns.ColumnActivations;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.io.FormatException;

/** Activations in safetensors files: a {@link SafetensorsTable} whose columns are layers. */
public final class SafetensorsDataset extends ColumnActivations {
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
