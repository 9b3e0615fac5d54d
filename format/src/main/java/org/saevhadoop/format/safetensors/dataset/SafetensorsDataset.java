package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.saevhadoop.format.arrays.ArrayChoice;
import org.saevhadoop.format.arrays.Axis;
import org.saevhadoop.format.arrays.AxisChoice;
import org.saevhadoop.format.arrays.FileArray;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.columns.ActivationColumns;
import org.saevhadoop.format.dataset.columns.ColumnActivations;
import org.saevhadoop.format.dataset.columns.TensorMapping;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
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

  /** Opens a directory, by its manifest if it has one. */
  public static SafetensorsDataset open(Folder folder) throws IOException {
    return of(SafetensorsTable.open(folder, SafetensorsOptions.NONE), SafetensorsOptions.NONE);
  }

  /** Opens a single file as a dataset. */
  public static SafetensorsDataset openFile(Folder folder, String name) throws IOException {
    return of(
        SafetensorsTable.openFile(folder, name, SafetensorsOptions.NONE), SafetensorsOptions.NONE);
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
    contradictions(table, options).forEach(warnings::add);
    Activations activations =
        columns.activations(
            FileMetadata.provenance(table.metadata()), options.provenanceReader(), warnings::add);
    return new SafetensorsDataset(table, columns, activations, warnings);
  }

  /** Returns warnings of mappings that the ids of tokens contradict. */
  private static List<String> contradictions(SafetensorsTable table, SafetensorsOptions options) {
    List<FileArray> tensors =
        table.table().columns().stream().map(column -> first(table, column)).toList();
    List<List<Long>> ids =
        tensors.stream().filter(ArrayChoice::isTokenIds).map(FileArray::shape).toList();
    return options.mappings().stream()
        .flatMap(
            mapping ->
                tensors.stream()
                    .filter(tensor -> tensor.name().equals(mapping.name()))
                    .flatMap(
                        tensor ->
                            AxisChoice.contradiction(
                                tensor.name(), axes(mapping), tensor.shape(), ids)
                                .stream()))
        .toList();
  }

  /** Returns a column as the tensor of the first file. */
  private static FileArray first(SafetensorsTable table, Column column) {
    List<Long> shape = new ArrayList<>(column.shape());
    shape.add(0, table.shards().get(0).examples());
    return new FileArray(
        column.name(),
        column.dtype(),
        new StridedLayout(0, 1, shape, Collections.nCopies(shape.size(), 0L)));
  }

  private static List<Axis> axes(TensorMapping mapping) {
    List<Axis> axes = new ArrayList<>(List.of(Axis.EXAMPLE));
    if (mapping.layerAxis()) {
      axes.add(Axis.LAYER);
    }
    if (mapping.tokenAxis()) {
      axes.add(Axis.TOKEN);
    }
    axes.add(Axis.DIM);
    return axes;
  }
}
