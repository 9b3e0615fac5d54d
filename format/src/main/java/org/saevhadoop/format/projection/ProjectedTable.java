package org.saevhadoop.format.projection;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;

/** Subset of the examples and columns of a dataset. */
class ProjectedTable implements TableDataset {
  private final TableDataset source;
  private final Projection projection;
  private final TableShape table;
  private final Shards shards;

  /** Placement of the blocks of an open stored shard, as determined from the file. */
  private record Known(int shard, Input file, BlockOffsets placement) {}

  /** The last placement, kept because consecutive shards are often in the same file. */
  private volatile @Nullable Known known;

  /** For each shard of this dataset, the part of a stored shard that it represents. */
  private final List<ShardSlice> slices;

  ProjectedTable(TableDataset source, Projection projection) {
    this.source = source;
    this.projection = projection;
    List<Column> columns =
        projection.columns().stream().map(source.table().columns()::get).toList();
    List<Integer> numbers =
        projection.columns().stream().map(source.table().columnIds()::get).toList();
    this.table = new TableShape(projection.exampleCount(), columns, numbers);
    this.slices =
        projection.examples().stream()
            .flatMap(range -> source.shards().slices(range.start(), range.length()).stream())
            .toList();
    List<Shard> parts = new ArrayList<>();
    long next = 0;
    for (ShardSlice slice : slices) {
      parts.add(new Shard(slice.shard().name(), next, slice.examples(), slice.shard().bytes()));
      next += slice.examples();
    }
    this.shards = new Shards(parts);
  }

  @Override
  public Folder folder() {
    return source.folder();
  }

  @Override
  public String path() {
    return source.path();
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
    BlockOrder order = source.storageOrder();
    Map<Integer, Integer> selected = TableShape.positions(projection.columns());
    List<Integer> columns =
        order.columns().stream().map(selected::get).filter(Objects::nonNull).toList();
    return new BlockOrder(order.byLayer(), columns);
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    BlockOffsets placement = storedPlacement(slices.get(shard).index(), file);
    long begin = slices.get(shard).start();
    int[] columns = projection.columns().stream().mapToInt(Integer::intValue).toArray();
    return (index, column) -> placement.offset(begin + index, columns[column]);
  }

  private BlockOffsets storedPlacement(int shard, Input file) throws IOException {
    Known last = known;
    if (last == null || last.shard() != shard || last.file() != file) {
      last = new Known(shard, file, source.placement(shard, file));
      known = last;
    }
    return last.placement();
  }

  @Override
  public List<ByteRange> expectedRanges(
      int shard, long indexInShard, long examples, List<Integer> columns) {
    List<Integer> sourceColumns = columns.stream().map(projection.columns()::get).toList();
    ShardSlice slice = slices.get(shard);
    return source.expectedRanges(
        slice.index(), slice.start() + indexInShard, examples, sourceColumns);
  }

  @Override
  public long sourceExample(long example) {
    int shard = shards.indexOf(example);
    if (shard < 0) {
      throw new IndexOutOfBoundsException(Long.toString(example));
    }
    ShardSlice slice = slices.get(shard);
    long storedIndex = slice.start() + example - shards.get(shard).first();
    return source.sourceExample(slice.shard().first() + storedIndex);
  }

  @Override
  public String blockPath(long example, int column) throws IOException {
    int shard = shards.indexOf(example);
    ShardSlice slice = slices.get(shard);
    long stored = slice.shard().first() + slice.start() + example - shards.get(shard).first();
    return source.blockPath(stored, projection.columns().get(column));
  }

  @Override
  public Optional<ExampleIds> ids() {
    return source.ids().map(all -> new ProjectedIds(all, new IndexRanges(projection.examples())));
  }

  @Override
  public Optional<SampleMetadata> sampleMetadata() throws IOException {
    return source
        .sampleMetadata()
        .map(all -> new ProjectedSampleMetadata(all, new IndexRanges(projection.examples())));
  }

  @Override
  public List<String> warnings() {
    return source.warnings();
  }

  @Override
  public ActivationDataset requireActivations() throws FormatException {
    return source.requireActivations();
  }
}
