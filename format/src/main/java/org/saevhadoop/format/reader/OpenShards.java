package org.saevhadoop.format.reader;

import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * The files of a dataset that a reader has open: the last few, as it may alternate among them.
 * Shards of a projection that lie in the same file share it.
 */
final class OpenShards implements Closeable {
  /** An open file and where the blocks of a shard lie in it. */
  record Open(Shard shard, Input input, BlockOffsets placement) {}

  private final TableDataset dataset;
  private final Shards shards;

  /** Files by their names, and the shards in them by their indexes; the last used ones last. */
  private final Map<String, Input> inputs = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<Integer, Open> open = new LinkedHashMap<>(16, 0.75f, true);
  private final int most;
  private volatile Gather.Reading opening;
  private Open current;

  /**
   * @param most how many files may be open at once, at least 2: the one before the current one
   *     always is
   */
  OpenShards(TableDataset dataset, int most) {
    this.most = most;
    this.dataset = dataset;
    this.shards = dataset.shards();
  }

  /** Makes the file of an example the current one. */
  void seek(long example) throws IOException {
    if (current != null && current.shard().holds(example)) {
      return;
    }
    int index = find(example);
    Shard shard = shards.get(index);
    Input input = inputs.get(shard.name());
    Open known = open.get(index);
    if (known == null) {
      opening =
          new Gather.Reading(dataset.folder().path(shard.name()), "byte", 0, System.nanoTime());
      known = input == null ? open(index, shard) : place(index, shard, input);
      opening = null;
      open.put(index, known);
      closeEldest();
    }
    current = known;
  }

  Open current() {
    return current;
  }

  /** The byte of the current file at which a block begins. */
  long offset(long example, int column) {
    return current.placement().offset(example - current.shard().first(), column);
  }

  @Override
  public void close() throws IOException {
    for (Input input : inputs.values()) {
      input.close();
    }
    inputs.clear();
    open.clear();
  }

  /** The opening of a file that has begun last, null where none has not ended. */
  Gather.Reading opening() {
    return opening;
  }

  private Open open(int index, Shard shard) throws IOException {
    Input input = dataset.folder().open(shard.name());
    try {
      Open file = place(index, shard, input);
      inputs.put(shard.name(), input);
      return file;
    } catch (IOException | RuntimeException e) {
      input.close();
      throw e;
    }
  }

  private Open place(int index, Shard shard, Input input) throws IOException {
    return new Open(shard, input, dataset.placement(index, input));
  }

  void forgetOpening() {
    opening = null;
  }

  private void closeEldest() throws IOException {
    if (open.size() > most) {
      open.remove(open.keySet().iterator().next());
    }
    if (inputs.size() > most) {
      Input eldest = inputs.remove(inputs.keySet().iterator().next());
      open.values().removeIf(shard -> shard.input() == eldest);
      eldest.close();
    }
  }

  private int find(long example) throws FormatException {
    int index = shards.indexOf(example);
    FormatException.check(
        index >= 0,
        dataset.folder().path(),
        "there is no example %d (expected 0 to %d)",
        example,
        dataset.table().examples() - 1);
    return index;
  }
}
