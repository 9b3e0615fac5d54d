package org.saevhadoop.format.numpy.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.columns.ColumnActivations;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * Dataset of .npy files, described by its document. Its columns are followed by the labels and the
 * per-token integers, if there are any.
 */
public final class ArraysTable implements TableDataset {
  private final ArraysDocument document;
  private final PartFolder folder;
  private final Shards shards;
  private final TableShape table;
  private final List<ArrayMapping> mappings;
  private final ProvenanceReader provenance;

  private ArraysTable(
      ArraysDocument document,
      PartFolder folder,
      List<ArrayMapping> mappings,
      ProvenanceReader provenance) {
    this.document = document;
    this.folder = folder;
    this.mappings = mappings;
    this.provenance = provenance;
    this.table = new TableShape(document.table().examples(), folder.columns());
    List<Shard> list = new ArrayList<>();
    long next = 0;
    for (ArraysDocument.Part part : document.parts()) {
      long bytes = part.examples() * table.exampleBytes();
      list.add(new Shard(PartFolder.name(part), next, part.examples(), bytes));
      next += part.examples();
    }
    this.shards = new Shards(list);
  }

  /** Returns whether a document exists at a location. */
  public static boolean isAt(Location location) throws IOException {
    return !location.isFile() && location.files().containsKey(ArraysDocument.NAME);
  }

  /**
   * Opens a dataset.
   *
   * @param mappings the columns that contain activations; empty to select them by name
   * @throws FormatException if the document is invalid, or a file that it lists is missing
   */
  public static ArraysTable open(
      Location location, List<ArrayMapping> mappings, ProvenanceReader provenance)
      throws IOException {
    ArraysDocument document = ArraysDocument.read(location.folder());
    if (!location.isChecked()) {
      for (String file : document.files()) {
        DatasetError.INCOMPLETE.check(
            location.files().containsKey(file),
            location.folder().path(file),
            "is missing (expected all files that %s lists)",
            ArraysDocument.NAME);
      }
    }
    PartFolder folder = PartFolder.of(location.folder(), document);
    return new ArraysTable(document, folder, mappings, provenance);
  }

  /** Reads the headers of all files. */
  public void checkFiles() throws IOException {
    for (Shard shard : shards.stream().toList()) {
      folder.open(shard.name()).close();
    }
  }

  @Override
  public Folder folder() {
    return folder;
  }

  @Override
  public TableShape table() {
    return table;
  }

  @Override
  public Shards shards() {
    return shards;
  }

  @Override
  public BlockOrder storageOrder() {
    return BlockOrder.byColumn(table);
  }

  @Override
  public String blockPath(long example, int column) {
    ArraysDocument.Part part = document.parts().get(shards.indexOf(example));
    return folder.path(part.all().get(column));
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    return BlockOffsets.contiguous(table, storageOrder(), shards.get(shard).examples(), 0);
  }

  /** Returns no ranges, because each column of a shard is a separate file. */
  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    return List.of();
  }

  @Override
  public ActivationDataset requireActivations() throws FormatException {
    String layers =
        document.table().columnIds().stream().map(String::valueOf).collect(Collectors.joining(","));
    Map<String, String> metadata = new HashMap<>(Map.of(ActivationColumns.LAYERS_KEY, layers));
    if (!document.parts().isEmpty() && !document.parts().get(0).tokens().isEmpty()) {
      metadata.put(
          ActivationColumns.TOKEN_ARRAYS_KEY,
          String.join(",", document.parts().get(0).tokens().keySet()));
    }
    ActivationColumns columns = ActivationColumns.of(folder.path(), table, metadata, mappings);
    List<String> warnings = new ArrayList<>();
    Activations activations = columns.activations(document.provenance(), provenance, warnings::add);
    return new ColumnActivations(
        this, columns, activations, () -> columns.storageOrder(true), warnings);
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    List<DataFile> files = new ArrayList<>();
    for (int i = 0; i < document.parts().size(); i++) {
      Shard shard = shards.get(i);
      files.add(
          new DataFile(document.parts().get(i).files().get(0), shard.first(), shard.examples()));
    }
    return Sidecars.of(folder, files);
  }
}
