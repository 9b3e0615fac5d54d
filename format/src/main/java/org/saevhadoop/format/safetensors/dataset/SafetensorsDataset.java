package org.saevhadoop.format.safetensors.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;

/** Activations in safetensors files: a {@link SafetensorsTable} whose columns are layers. */
public final class SafetensorsDataset implements ActivationDataset {
  private final SafetensorsTable table;
  private final ActivationColumns columns;
  private final Activations activations;
  private final List<String> warnings;

  private SafetensorsDataset(SafetensorsTable table, SafetensorsOptions options)
      throws FormatException {
    this.table = table;
    String path = table.folder().path(table.shards().get(0).name());
    this.columns = ActivationColumns.of(path, table.table(), table.metadata(), options.mappings());
    this.warnings = new ArrayList<>(table.warnings());
    if (!columns.unread().isEmpty()) {
      warnings.add("tensors that --tensor does not name are not read: " + columns.unread());
    }
    Provenance provenance = FileMetadata.provenance(table.metadata());
    OptionalInt clsTokens = clsTokens(provenance, options.provenanceReader());
    this.activations = new Activations(columns.geometry(), clsTokens, provenance);
  }

  /** A document that cannot be read leads to a warning and is treated as absent. */
  private OptionalInt clsTokens(Provenance provenance, ProvenanceReader reader) {
    try {
      return reader.clsTokens(provenance);
    } catch (FormatException e) {
      warnings.add("whether token 0 is [CLS] is not known: " + e.getMessage());
      return OptionalInt.empty();
    }
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
    return new SafetensorsDataset(table, options);
  }

  @Override
  public Folder folder() {
    return table.folder();
  }

  @Override
  public Activations activations() {
    return activations;
  }

  @Override
  public Shards shards() {
    return table.shards();
  }

  /** Returns the order by layer if each layer has a separate column, else by example. */
  @Override
  public BlockOrder storageOrder() {
    boolean byLayer =
        table.layout() == TensorLayout.BATCH
            && Arrays.stream(columns.columns()).distinct().count() == columns.columns().length;
    if (!byLayer) {
      return BlockOrder.byExample(geometry());
    }
    List<Integer> layers = new ArrayList<>(BlockOrder.byExample(geometry()).columns());
    layers.sort((a, b) -> Integer.compare(columns.columns()[a], columns.columns()[b]));
    return new BlockOrder(true, layers);
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    return columns.placement(table.placement(shard, file));
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> layers) {
    List<Integer> tensors =
        layers.stream().map(layer -> columns.columns()[layer]).distinct().sorted().toList();
    return table.expectedRanges(shard, indexInShard, examples, tensors);
  }

  @Override
  public boolean hasLabels() {
    return columns.labels() >= 0;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    return hasLabels()
        ? new FileLabels(table, columns.labels())
        : ActivationDataset.super.openLabels();
  }

  @Override
  public Optional<ExampleIds> ids() {
    return table.ids();
  }

  @Override
  public Optional<SampleMetadata> attributes() throws IOException {
    return table.attributes();
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
