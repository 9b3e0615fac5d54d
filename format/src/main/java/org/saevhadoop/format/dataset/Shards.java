package org.saevhadoop.format.dataset;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Data files of a dataset.
 *
 * @param list the files in the order of their examples, without gaps
 */
public record Shards(List<Shard> list) implements Iterable<Shard> {
  /** Copies the list. */
  public Shards {
    list = List.copyOf(list);
  }

  /** Returns the number of files. */
  public int size() {
    return list.size();
  }

  /** Returns whether there are no files. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Returns the file at an index. */
  public Shard get(int index) {
    return list.get(index);
  }

  /** Returns the number of examples in all files. */
  public long examples() {
    return isEmpty() ? 0 : list.get(size() - 1).end();
  }

  /** Returns the index of the file that contains an example, or -1 if none does. */
  public int indexOf(long example) {
    int low = 0;
    int high = list.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Shard shard = list.get(middle);
      if (shard.holds(example)) {
        return middle;
      }
      if (example < shard.first()) {
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return -1;
  }

  /** Returns the files as a stream. */
  public Stream<Shard> stream() {
    return list.stream();
  }

  @Override
  public Iterator<Shard> iterator() {
    return list.iterator();
  }
}
