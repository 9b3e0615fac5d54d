package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/**
 * The columns of all sources, side by side. A shard is a maximal range of examples that each source
 * stores in one file; its name is its index. The file of the shard consists of the corresponding
 * parts of these files, one after another.
 */
final class MoreLayers implements Arrangement {
  /** The maximum number of open files of a shard; each takes less than a megabyte of memory. */
  private static final int MAX_OPEN = 64;

  private final OpenSources sources;
  private final int count;
  private final Shards shards;
  private final List<Column> view;

  /** Index of the first column of each source; the last element is the total number of columns. */
  private final int[] firstColumns;

  MoreLayers(OpenSources sources, int count, TableShape view) {
    this.sources = sources;
    this.count = count;
    this.view = view.columns();
    this.firstColumns = new int[count + 1];
    TreeSet<Long> begins = new TreeSet<>();
    for (int source = 0; source < count; source++) {
      SourceFacts facts = sources.facts(source);
      firstColumns[source + 1] = firstColumns[source] + facts.table().columns().size();
      facts.shards().stream()
          .filter(shard -> shard.examples() > 0)
          .forEach(shard -> begins.add(shard.first()));
    }
    begins.add(view.examples());
    List<Shard> all = new ArrayList<>();
    List<Long> ends = List.copyOf(begins);
    for (int i = 0; i + 1 < ends.size(); i++) {
      long examples = ends.get(i + 1) - ends.get(i);
      all.add(
          new Shard(Integer.toString(i), ends.get(i), examples, examples * view.exampleBytes()));
    }
    this.shards = new Shards(all);
  }

  @Override
  public Shards shards() {
    return shards;
  }

  /** Returns the layout of a source's part of a shard, with the types of the view. */
  private AlignedLayout layout(int source, Shard shard) {
    SourceFacts facts = sources.facts(source);
    List<Column> typed = view.subList(firstColumns[source], firstColumns[source + 1]);
    TableShape table = new TableShape(shard.examples(), typed, facts.table().columnIds());
    return new AlignedLayout(table, facts.order(), shard.examples());
  }

  private ShardSlice slice(int source, Shard shard) {
    return sources.facts(source).shards().slices(shard.first(), shard.examples()).get(0);
  }

  private boolean isName(String name) {
    return name.matches("\\d{1,9}") && Integer.parseInt(name) < shards.size();
  }

  @Override
  public String path(String name) {
    return isName(name)
        ? sources.facts(0).path(slice(0, shards.get(Integer.parseInt(name))).shard().name())
        : sources.path(0) + "/" + name;
  }

  @Override
  public Input open(String name) throws IOException {
    FileError.NOT_FOUND.check(isName(name), path(name), "is not a file of these datasets");
    Shard shard = shards.get(Integer.parseInt(name));
    List<StoredElements<Integer>> parts = new ArrayList<>();
    for (int source = 0; source < count; source++) {
      long length = layout(source, shard).length();
      parts.add(new StoredElements<>(source, StridedLayout.contiguous(0, length)));
    }
    return new GatheredInput<>(
        path(name),
        source ->
            AlignedInput.open(sources.get(source), slice(source, shard), layout(source, shard)),
        parts,
        MAX_OPEN);
  }

  @Override
  public BlockOffsets placement(int shard, Input file) {
    BlockOffsets[] offsets = new BlockOffsets[view.size()];
    long next = 0;
    for (int source = 0; source < count; source++) {
      AlignedLayout layout = layout(source, shards.get(shard));
      BlockOffsets ofSource = layout.offsets();
      long begin = next;
      int first = firstColumns[source];
      Arrays.fill(
          offsets,
          first,
          firstColumns[source + 1],
          (BlockOffsets) (index, column) -> begin + ofSource.offset(index, column - first));
      next += layout.length();
    }
    return (index, column) -> offsets[column].offset(index, column);
  }

  @Override
  public boolean isByColumn(int shard) {
    return true;
  }

  @Override
  public String blockPath(long example, int column) throws IOException {
    int source = AscendingSearch.lastAtMost(count, i -> firstColumns[i], column);
    return sources.get(source).blockPath(example, column - firstColumns[source]);
  }

  @Override
  public long sourceExample(long example) {
    return example;
  }
}
