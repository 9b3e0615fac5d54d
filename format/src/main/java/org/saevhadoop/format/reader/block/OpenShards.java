package org.saevhadoop.format.reader.block;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.Shards;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/**
 * Files of a dataset that a reader keeps open: the most recently used ones, because a reader may
 * alternate between files.
 */
public final class OpenShards implements Closeable {
  /** Open file and the offsets of its blocks. */
  public record Open(Shard shard, Input input, BlockOffsets placement) {}

  private final TableDataset dataset;
  private final Shards shards;
  private final long examples;

  /** Files by their names, and the shards in them by their indexes, ordered by last use. */
  private final Map<String, Input> inputs = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<Integer, Open> open = new LinkedHashMap<>(16, 0.75f, true);
  private final int maxOpen;
  private volatile Gather.@Nullable Reading opening;
  private @Nullable Open current;

  /**
   * Creates a cache without open files.
   *
   * @param maxOpen the maximum number of open files, at least 2 because the file before the current
   *     one always stays open
   */
  public OpenShards(TableDataset dataset, int maxOpen) {
    this.maxOpen = maxOpen;
    this.dataset = dataset;
    this.shards = dataset.shards();
    this.examples = dataset.table().examples();
  }

  /** Makes the file that contains an example the current one. */
  public void seek(long example) throws IOException {
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

  public Open current() {
    return Objects.requireNonNull(current);
  }

  /** Returns the offset of a block in the current file, in bytes. */
  public long offset(long example, int column) {
    Open file = current();
    return file.placement().offset(example - file.shard().first(), column);
  }

  @Override
  public void close() throws IOException {
    for (Input input : inputs.values()) {
      input.close();
    }
    inputs.clear();
    open.clear();
  }

  /** Returns the file opening that started most recently, or null if none is in progress. */
  public Gather.@Nullable Reading opening() {
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

  public void forgetOpening() {
    opening = null;
  }

  private void closeEldest() throws IOException {
    if (open.size() > maxOpen) {
      open.remove(open.keySet().iterator().next());
    }
    if (inputs.size() > maxOpen) {
      Iterator<Input> byUse = inputs.values().iterator();
      Input eldest = byUse.next();
      byUse.remove();
      open.values().removeIf(shard -> shard.input() == eldest);
      eldest.close();
    }
  }

  private int find(long example) throws FormatException {
    int index = shards.indexOf(example);
    DatasetError.NO_SUCH_EXAMPLE.check(
        index >= 0, dataset.path(), "has no example %d (expected 0 to %d)", example, examples - 1);
    return index;
  }
}
