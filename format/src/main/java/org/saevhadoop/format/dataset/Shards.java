package org.saevhadoop.format.dataset;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The data files of a dataset.
 *
 * @param list in the order of their examples, without a gap
 */
public record Shards(List<Shard> list) implements Iterable<Shard> {
  /** Makes the list its own. */
  public Shards {
    list = List.copyOf(list);
  }

  /** Returns how many files there are. */
  public int size() {
    return list.size();
  }

  /** Whether there are no files. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Returns a file. */
  public Shard get(int index) {
    return list.get(index);
  }

  /** Returns how many examples all files hold. */
  public long examples() {
    return isEmpty() ? 0 : list.get(size() - 1).end();
  }

  /** Returns the index of the file that holds an example; -1 where none does. */
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
