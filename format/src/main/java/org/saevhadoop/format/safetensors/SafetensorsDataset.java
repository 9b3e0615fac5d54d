package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Placement;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** Activations in safetensors files: a {@link SafetensorsTable} whose columns are layers. */
public final class SafetensorsDataset implements ActivationDataset {
  /** Metadata key: the SAEV metadata.json that belongs to these activations, byte for byte. */
  static final String SAEV_METADATA_KEY = "saev.metadata";

  /** Metadata key: the name of the SAEV directory, where it is not the hash of its metadata. */
  static final String SAEV_DIRECTORY_KEY = "saev.directory";

  private final SafetensorsTable table;
  private final ActivationColumns columns;
  private final List<String> warnings;

  private SafetensorsDataset(SafetensorsTable table, List<TensorMapping> mappings)
      throws FormatException {
    this.table = table;
    String path = table.folder().path(table.shards().get(0).name());
    this.columns = ActivationColumns.of(path, table.table(), table.metadata(), mappings);
    this.warnings = new ArrayList<>(table.warnings());
    if (!columns.unread().isEmpty()) {
      warnings.add("tensors that --tensor does not name are not read: " + columns.unread());
    }
  }

  /** Opens a directory, by its manifest where it has one. */
  public static SafetensorsDataset open(Folder folder) throws IOException {
    return of(SafetensorsTable.open(folder, SafetensorsOptions.NONE), SafetensorsOptions.NONE);
  }

  /** Opens one file as a dataset of its own. */
  public static SafetensorsDataset openFile(Folder folder, String name) throws IOException {
    return of(
        SafetensorsTable.openFile(folder, name, SafetensorsOptions.NONE), SafetensorsOptions.NONE);
  }

  /**
   * Understands a table as activations.
   *
   * @throws FormatException where its columns are none
   */
  public static SafetensorsDataset of(SafetensorsTable table, SafetensorsOptions options)
      throws FormatException {
    return new SafetensorsDataset(table, options.mappings());
  }

  @Override
  public Folder folder() {
    return table.folder();
  }

  @Override
  public Geometry geometry() {
    return columns.geometry();
  }

  @Override
  public List<Shard> shards() {
    return table.shards();
  }

  /** Layer by layer where each has a column of its own. */
  @Override
  public BlockOrder storageOrder() {
    boolean byLayer =
        table.layout() == Layout.BATCH
            && Arrays.stream(columns.columns()).distinct().count() == columns.columns().length;
    if (!byLayer) {
      return BlockOrder.byExample(geometry());
    }
    List<Integer> layers = new ArrayList<>(BlockOrder.byExample(geometry()).layerIndexes());
    layers.sort((a, b) -> Integer.compare(columns.columns()[a], columns.columns()[b]));
    return new BlockOrder(true, layers);
  }

  @Override
  public Placement placement(int shard, Input file) throws IOException {
    return columns.placement(table.placement(shard, file));
  }

  @Override
  public List<ByteRange> expectedRanges(int shard, long indexInShard, long examples) {
    List<ByteRange> all = table.expectedRanges(shard, indexInShard, examples);
    return table.layout() == Layout.KV
        ? all
        : Arrays.stream(columns.columns()).distinct().sorted().mapToObj(all::get).toList();
  }

  @Override
  public Optional<String> saevMetadata() {
    return Optional.ofNullable(table.metadata().get(SAEV_METADATA_KEY));
  }

  @Override
  public Optional<String> saevDirectory() {
    return Optional.ofNullable(table.metadata().get(SAEV_DIRECTORY_KEY));
  }

  @Override
  public boolean hasLabels() {
    return columns.labels() >= 0;
  }

  @Override
  public PatchLabels openLabels() throws IOException {
    return hasLabels()
        ? new PartLabels(table, columns.labels())
        : ActivationDataset.super.openLabels();
  }

  @Override
  public Optional<Attributes> attributes() throws IOException {
    return table.attributes();
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
