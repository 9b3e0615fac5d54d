package org.saevhadoop.format.combined;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/**
 * The data files of all sources, one source after another. The name of a shard is {@code
 * SOURCE/NAME}. A source with different types, or with gaps in its blocks, is read through {@link
 * AlignedInput}, and its shards are {@code SOURCE/SHARD/NAME}.
 */
final class MoreExamples implements Arrangement {
  private final OpenSources sources;
  private final List<String> columns;
  private final List<Column> view;
  private final Shards shards;

  /** Index of the first shard of each source. */
  private final int[] firstShards;

  /** Whether each source is read through {@link AlignedInput}. */
  private final boolean[] aligned;

  /** Number of the first example of each source. */
  private final long[] firstExamples;

  MoreExamples(OpenSources sources, int count, TableShape view) {
    this.sources = sources;
    this.columns = sources.facts(0).columns();
    this.view = view.columns();
    this.firstShards = new int[count];
    this.firstExamples = new long[count];
    this.aligned = new boolean[count];
    List<Shard> all = new ArrayList<>();
    long next = 0;
    for (int source = 0; source < count; source++) {
      SourceFacts facts = sources.facts(source);
      aligned[source] =
          !facts.contiguous() || !facts.table().columns().equals(table(source).columns());
      firstShards[source] = all.size();
      firstExamples[source] = next;
      for (int i = 0; i < facts.shards().size(); i++) {
        Shard shard = facts.shards().get(i);
        String name = source + (aligned[source] ? "/" + i : "") + "/" + shard.name();
        all.add(new Shard(name, next + shard.first(), shard.examples(), shard.bytes()));
      }
      next += facts.table().examples();
    }
    this.shards = new Shards(all);
  }

  /** Returns the columns of a source in the order of the view, as indexes into its table. */
  private int[] columnsOf(int source) {
    Map<String, Integer> positions = TableShape.positions(sources.facts(source).columns());
    return columns.stream().mapToInt(positions::get).toArray();
  }

  /** Returns the table of a source with the types of the view. */
  private TableShape table(int source) {
    TableShape stored = sources.facts(source).table();
    List<Column> typed = new ArrayList<>(stored.columns());
    int[] selected = columnsOf(source);
    for (int i = 0; i < selected.length; i++) {
      typed.set(selected[i], typed.get(selected[i]).as(view.get(i).dtype()));
    }
    return new TableShape(stored.examples(), typed, stored.columnIds());
  }

  private AlignedLayout layout(int source, int shard) {
    SourceFacts facts = sources.facts(source);
    return new AlignedLayout(table(source), facts.order(), facts.shards().get(shard).examples());
  }

  @Override
  public Shards shards() {
    return shards;
  }

  /** Splits the name of a shard into the index of its source and the remaining name. */
  private static String[] split(String name) {
    return name.split("/", 2);
  }

  /** Returns whether a name consists of a source index and a file name. */
  private boolean isName(String name) {
    return name.matches("\\d{1,9}/.+") && Integer.parseInt(split(name)[0]) < firstShards.length;
  }

  @Override
  public String path(String name) {
    if (!isName(name)) {
      return sources.path(0) + "/" + name;
    }
    String[] parts = split(name);
    int source = Integer.parseInt(parts[0]);
    String file = aligned[source] ? split(parts[1])[1] : parts[1];
    return sources.facts(source).path(file);
  }

  @Override
  public Input open(String name) throws IOException {
    FileError.NOT_FOUND.check(isName(name), path(name), "is not a file of these datasets");
    String[] parts = split(name);
    int source = Integer.parseInt(parts[0]);
    TableDataset dataset = sources.get(source);
    if (!aligned[source]) {
      return dataset.folder().open(parts[1]);
    }
    int shard = Integer.parseInt(split(parts[1])[0]);
    Shard file = dataset.shards().get(shard);
    ShardSlice whole = new ShardSlice(shard, file, 0, file.examples());
    return AlignedInput.open(dataset, whole, layout(source, shard));
  }

  @Override
  public BlockOffsets placement(int shard, Input file) throws IOException {
    int source = AscendingSearch.lastAtMost(firstShards.length, i -> firstShards[i], shard);
    int stored = shard - firstShards[source];
    BlockOffsets offsets =
        aligned[source]
            ? layout(source, stored).offsets()
            : sources.get(source).placement(stored, file);
    int[] selected = columnsOf(source);
    return (index, column) -> offsets.offset(index, selected[column]);
  }

  @Override
  public boolean isByColumn(int shard) {
    int source = AscendingSearch.lastAtMost(firstShards.length, i -> firstShards[i], shard);
    return sources.facts(source).order().byLayer();
  }

  private int source(long example) {
    return AscendingSearch.lastAtMost(firstExamples.length, i -> firstExamples[i], example);
  }

  @Override
  public String blockPath(long example, int column) throws IOException {
    int source = source(example);
    return sources.get(source).blockPath(sourceExample(example), columnsOf(source)[column]);
  }

  @Override
  public long sourceExample(long example) {
    return example - firstExamples[source(example)];
  }
}
