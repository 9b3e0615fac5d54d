package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.arrays.ArrayMapping;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.columns.ColumnActivations;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.DataFile;
import org.saevhadoop.format.samples.SampleMetadata;
import org.saevhadoop.format.samples.Sidecars;

/**
 * A dataset in the {@link RowLayout}.
 *
 * @param path the path of the dataset
 * @param folder the folder in which the files appear as columns of examples; the folder of the
 *     Parquet files if they are not staged and only the shape matters
 * @param staged the layers whose vectors the files in the folder contain
 * @param shards the files
 * @param idFiles the files that contain ids, in {@code sidecars}; empty if examples are only
 *     numbered
 * @param samples the files whose sidecars, in {@code sidecars}, contain the sample metadata
 */
record RowTable(
    String path,
    Folder folder,
    RowLayout layout,
    TableShape table,
    List<Integer> staged,
    Shards shards,
    Folder sidecars,
    List<RowFiles.Run> idFiles,
    List<DataFile> samples)
    implements TableDataset {
  /** The index of a column that is not staged, whose blocks are never read. */
  private static final int ABSENT = -1;

  @Override
  public BlockOrder storageOrder() {
    return BlockOrder.byColumn(table);
  }

  /** Places the columns after the header of the staged safetensors file. */
  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(0, length);
    long examples = shards.get(shard).examples();
    TableShape stored = layout.table(examples, staged);
    BlockOffsets offsets =
        BlockOffsets.contiguous(
            stored, BlockOrder.byColumn(stored), examples, Long.BYTES + length.flip().getLong());
    Map<Column, Integer> positions = TableShape.positions(stored.columns());
    int[] columns =
        table.columns().stream().mapToInt(own -> positions.getOrDefault(own, ABSENT)).toArray();
    return (index, column) -> offsets.offset(index, columns[column]);
  }

  /** Returns no ranges, because the staged file of a row group is arbitrary. */
  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    return List.of();
  }

  @Override
  public Optional<ExampleIds> ids() {
    return idFiles.isEmpty() ? Optional.empty() : Optional.of(new StagedIds(sidecars, idFiles));
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() {
    return samples.isEmpty() ? Optional.empty() : Optional.of(Sidecars.required(sidecars, samples));
  }

  /**
   * Returns the dataset as activations.
   *
   * @param mappings the columns that are activations; an empty list selects all layers
   */
  ActivationDataset activations(ProvenanceReader provenance, List<ArrayMapping> mappings)
      throws FormatException {
    ActivationColumns columns = ActivationColumns.of(path, table, layout.metadata(), mappings);
    List<String> warnings = new ArrayList<>();
    Activations activations = columns.activations(layout.provenance(), provenance, warnings::add);
    return new ColumnActivations(
        this, columns, activations, () -> columns.storageOrder(true), warnings);
  }

  @Override
  public ActivationDataset requireActivations() {
    throw new UnsupportedOperationException("provenance is interpreted by the format");
  }
}
