package org.saevhadoop.format.dataset;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.saevhadoop.format.api.Internal;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.samples.DataFile;

/**
 * Data files of a dataset.
 *
 * @param list the files in the order of their examples, without gaps
 */
@PublicApi
public record Shards(List<Shard> list) implements Iterable<Shard> {
  public Shards {
    list = List.copyOf(list);
  }

  /** Returns the number of files. */
  public int size() {
    return list.size();
  }

  /** Returns whether the dataset has no data files. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Returns the file with the given index. */
  public Shard get(int index) {
    return list.get(index);
  }

  /** Returns the number of examples in all files. */
  public long examples() {
    return isEmpty() ? 0 : list.get(size() - 1).end();
  }

  /** Returns the index of the file that contains an example, or -1 if there is none. */
  public int indexOf(long example) {
    int index = AscendingSearch.lastAtMost(list.size(), i -> list.get(i).first(), example);
    return index >= 0 && list.get(index).holds(example) ? index : -1;
  }

  /** Returns the slices of files that contain the examples of a range. */
  public List<ShardSlice> slices(long first, long count) {
    List<ShardSlice> slices = new ArrayList<>();
    long end = first + count;
    for (int i = indexOf(first); i >= 0 && i < size() && list.get(i).first() < end; i++) {
      Shard shard = list.get(i);
      long from = Math.max(first, shard.first());
      long examples = Math.min(end, shard.end()) - from;
      if (examples > 0) {
        slices.add(new ShardSlice(i, shard, from - shard.first(), examples));
      }
    }
    return slices;
  }

  /**
   * Returns the files in the form that is used to find their sample metadata sidecars.
   *
   * @hidden
   */
  @Internal
  public List<DataFile> dataFiles() {
    return list.stream()
        .map(shard -> new DataFile(shard.name(), shard.first(), shard.examples()))
        .toList();
  }

  /** Returns the files in the order of their examples. */
  public Stream<Shard> stream() {
    return list.stream();
  }

  @Override
  public Iterator<Shard> iterator() {
    return list.iterator();
  }
}
