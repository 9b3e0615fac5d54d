package org.saevhadoop.format.reader;

import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** The files of a dataset that a reader has open: the last few, as it may alternate among them. */
final class OpenShards implements Closeable {
  /** An open file and where its blocks lie. */
  record Open(Shard shard, Input input, BlockOffsets placement) {}

  private final TableDataset dataset;
  private final Shards shards;
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
    current = open.get(index);
    if (current == null) {
      current = open(index);
      open.put(index, current);
      closeEldest();
    }
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
    for (Open file : open.values()) {
      file.input().close();
    }
    open.clear();
  }

  /** The opening of a file that has begun last, null where none has not ended. */
  Gather.Reading opening() {
    return opening;
  }

  private Open open(int index) throws IOException {
    Shard shard = shards.get(index);
    opening = new Gather.Reading(dataset.folder().path(shard.name()), "byte", 0, System.nanoTime());
    Input input = dataset.folder().open(shard.name());
    try {
      Open file = new Open(shard, input, dataset.placement(index, input));
      opening = null;
      return file;
    } catch (IOException | RuntimeException e) {
      input.close();
      throw e;
    }
  }

  void forgetOpening() {
    opening = null;
  }

  private void closeEldest() throws IOException {
    if (open.size() > most) {
      var eldest = open.entrySet().iterator();
      Open file = eldest.next().getValue();
      eldest.remove();
      file.input().close();
    }
  }

  private int find(long example) throws FormatException {
    int index = shards.indexOf(example);
    DatasetError.NO_SUCH_EXAMPLE.check(
        index >= 0,
        dataset.folder().path(),
        "there is no example %d (expected 0 to %d)",
        example,
        dataset.table().examples() - 1);
    return index;
  }
}
