package org.saevhadoop.format.samediff.dataset;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.columns.ActivationColumns;
import org.saevhadoop.format.dataset.columns.ColumnActivations;
import org.saevhadoop.format.io.FormatException;

/** Activations in the arrays of a container: a {@link SameDiffTable} whose columns are layers. */
public final class SameDiffDataset extends ColumnActivations {
  private SameDiffDataset(
      SameDiffTable table,
      ActivationColumns columns,
      Activations activations,
      List<String> warnings) {
    super(table, columns, activations, () -> columns.storageOrder(true), warnings);
  }

  /**
   * Interprets a table as activations.
   *
   * @throws FormatException if its columns are not activations
   */
  public static SameDiffDataset of(SameDiffTable table, SameDiffOptions options)
      throws FormatException {
    ActivationColumns columns =
        ActivationColumns.of(
            table.folder().path(), table.table(), table.metadata(), options.mappings());
    List<String> warnings = new ArrayList<>(table.warnings());
    Activations activations =
        columns.activations(
            DatasetMetadata.provenance(table.metadata()),
            options.provenanceReader(),
            warnings::add);
    return new SameDiffDataset(table, columns, activations, warnings);
  }
}
