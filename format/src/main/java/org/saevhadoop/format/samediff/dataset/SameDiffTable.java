package org.saevhadoop.format.samediff.dataset;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrays.columns.ActivationColumns;
import org.saevhadoop.format.arrays.columns.ColumnActivations;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.container.SameDiffContainer;

/**
 * Examples, with any columns, that are stored in the arrays of a container. If an array is in C
 * order and its file is not compressed, its blocks are read in place; other arrays are read through
 * a {@code GatheredInput}.
 */
public final class SameDiffTable implements TableDataset {
  private final SameDiffContainer container;
  private final SameDiffOptions options;
  private final ArrayFolder folder;
  private final TableShape table;
  private final List<List<ArrayGroup>> files;
  private final Shards shards;
  private final List<String> warnings;

  private SameDiffTable(
      SameDiffContainer container, SameDiffOptions options, ArrayColumns arrays, TableShape table) {
    this.container = container;
    this.options = options;
    this.table = table;
    this.files = files(arrays.groups());
    List<Shard> list = new ArrayList<>();
    for (List<ArrayGroup> file : files) {
      ArrayGroup first = file.get(0);
      long examples = file.get(file.size() - 1).end() - first.first();
      String name = first.isDirect() ? first.file() : ArrayFolder.name(first);
      list.add(new Shard(name, first.first(), examples, examples * table.exampleBytes()));
    }
    this.shards = new Shards(list);
    this.folder = new ArrayFolder(container, files);
    this.warnings = new ArrayList<>(container.warnings());
    if (arrays.unread() > 0) {
      warnings.add(
          Quote.sentence("not read are %d arrays that --tensor does not name", arrays.unread()));
    }
  }

  /**
   * Opens the arrays of a container as a table.
   *
   * @throws FormatException if the arrays do not have examples in common
   */
  public static SameDiffTable of(SameDiffContainer container, SameDiffOptions options)
      throws FormatException {
    ArrayColumns arrays = ArrayColumns.of(container, options.mappings());
    List<ArrayGroup> groups = arrays.groups();
    try {
      long examples = groups.get(groups.size() - 1).end();
      return new SameDiffTable(
          container, options, arrays, new TableShape(examples, arrays.columns()));
    } catch (ArithmeticException e) {
      throw DatasetError.TOO_LARGE
          .in(container.path(), "the total size exceeds 2^63 bytes")
          .causedBy(e);
    }
  }

  /** Returns whether a container has the layout of this project. */
  public static boolean isOwn(SameDiffContainer container) {
    return !DatasetMetadata.provenance(container.metadata()).documents().isEmpty()
        || container.metadata().containsKey(ActivationColumns.LAYERS_KEY)
        || container.arrays().stream().anyMatch(array -> ArrayColumns.isShard(array.name()));
  }

  /**
   * Collects groups that are in the same file; groups without examples are left out, unless no
   * group has examples.
   */
  private static List<List<ArrayGroup>> files(List<ArrayGroup> groups) {
    List<List<ArrayGroup>> files = new ArrayList<>();
    for (ArrayGroup group : groups) {
      List<ArrayGroup> last = files.isEmpty() ? List.of() : files.get(files.size() - 1);
      boolean joins =
          !last.isEmpty()
              && group.isDirect()
              && last.get(0).isDirect()
              && last.get(0).file().equals(group.file());
      if (joins && group.examples() > 0) {
        last.add(group);
      } else if (group.examples() > 0) {
        files.add(new ArrayList<>(List.of(group)));
      }
    }
    return files.isEmpty() ? List.of(List.of(groups.get(0))) : files;
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
    return new BlockOrder(true, BlockOrder.byExample(table).columns());
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    List<ArrayGroup> groups = files.get(shard);
    int columns = table.columns().size();
    long[] starts = new long[groups.size()];
    long[] bases = new long[starts.length * columns];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = groups.get(i).first() - groups.get(0).first();
      for (int column = 0; column < columns; column++) {
        bases[i * columns + column] = groups.get(i).offsets()[column];
      }
    }
    long[] strides = table.columns().stream().mapToLong(column -> column.bytes()).toArray();
    return (index, column) -> {
      int group = AscendingSearch.lastAtMost(starts.length, i -> starts[i], index);
      return bases[group * columns + column] + (index - starts[group]) * strides[column];
    };
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    List<ByteRange> ranges = new ArrayList<>();
    long first = shards.get(shard).first() + indexInShard;
    for (ArrayGroup group : files.get(shard)) {
      long from = Math.max(first, group.first());
      long count = Math.min(first + examples, group.end()) - from;
      for (int column : count > 0 && group.isDirect() ? columns : List.<Integer>of()) {
        long bytes = table.blockBytes(column);
        long offset = group.offsets()[column] + (from - group.first()) * bytes;
        ranges.add(new ByteRange(offset, count * bytes));
      }
    }
    return ranges;
  }

  @Override
  public ActivationDataset requireActivations() throws FormatException {
    ActivationColumns columns =
        ActivationColumns.of(folder.path(), table, container.metadata(), options.mappings());
    List<String> all = new ArrayList<>(warnings);
    Activations activations =
        columns.activations(
            DatasetMetadata.provenance(container.metadata()), options.provenanceReader(), all::add);
    return new ColumnActivations(this, columns, activations, () -> columns.storageOrder(true), all);
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
