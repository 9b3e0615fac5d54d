package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * The blocks of a dataset in a task, read file by file in ascending order of their offsets,
 * whatever the order of the examples in a file.
 */
public final class StoredBlocks {
  /** The maximum number of blocks in a file; their offsets are held in memory. */
  public static final int MAX_BLOCKS = 1 << 21;

  private static final int READ_BYTES = 1 << 20;

  /** Accepts blocks. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Accepts a block.
     *
     * @param column the id of its column
     * @param values the values in the requested type, valid until the method returns
     */
    void visit(long example, int column, ByteBuffer values) throws IOException;
  }

  private final TableDataset dataset;
  private final RecordConversion conversion;
  private final Map<String, List<Integer>> shards = new HashMap<>();
  private final int[] ids;
  private final int[] blockBytes;
  private final ByteBuffer buffer;

  private StoredBlocks(TableDataset dataset, RecordConversion conversion) throws FormatException {
    this.dataset = dataset;
    this.conversion = conversion;
    TableShape table = dataset.table();
    ids = table.columnIds().stream().mapToInt(Integer::intValue).toArray();
    blockBytes = new int[ids.length];
    long largest = READ_BYTES;
    for (int column = 0; column < blockBytes.length; column++) {
      long bytes = table.blockBytes(column);
      DatasetError.TOO_LARGE.check(
          bytes <= Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory()),
          dataset.folder().path(),
          "a block of %d bytes does not fit into memory (expected a larger heap: -Xmx)",
          bytes);
      blockBytes[column] = (int) bytes;
      largest = Math.max(largest, bytes);
    }
    // on the heap, as digests read it
    buffer = ByteBuffer.allocate((int) largest);
    for (int i = 0; i < dataset.shards().size(); i++) {
      shards.computeIfAbsent(dataset.shards().get(i).name(), name -> new ArrayList<>()).add(i);
    }
  }

  /**
   * Opens the dataset of a job in a task.
   *
   * @param view returns the folder in which the dataset is opened, given that of the dataset
   */
  public static StoredBlocks open(
      ActivationInputFormat format, TaskAttemptContext task, UnaryOperator<Folder> view)
      throws IOException {
    InputSpec spec = format.spec(task.getConfiguration());
    TableDataset dataset = format.openInTask(task, spec, view);
    return new StoredBlocks(dataset, new RecordConversion(dataset, spec.dtypes(), false));
  }

  /** Returns the slices of the dataset that a file contains. */
  public List<Integer> shards(String file) {
    return shards.getOrDefault(file, List.of());
  }

  public Shard shard(int index) {
    return dataset.shards().get(index);
  }

  /** Reads the blocks of a slice. Gaps between blocks are read if they fit into the same read. */
  public void read(int index, Visitor visitor) throws IOException {
    Shard shard = shard(index);
    try (Input file = dataset.folder().open(shard.name())) {
      long[] blocks = blocks(shard, dataset.placement(index, file));
      for (int from = 0, to; from < blocks.length; from = to) {
        to = windowEnd(blocks, from);
        long start = offset(blocks[from]);
        long end = start;
        for (int i = from; i < to; i++) {
          end = Math.max(end, end(blocks[i]));
        }
        file.readFully(start, buffer.clear().limit((int) (end - start)));
        for (int i = from; i < to; i++) {
          int at = (int) (offset(blocks[i]) - start);
          visit(shard.first(), blocks[i], buffer.slice(at, bytes(blocks[i])), visitor);
        }
      }
    }
  }

  private void visit(long first, long block, ByteBuffer stored, Visitor visitor)
      throws IOException {
    long example = first + ordinal(block) / ids.length;
    int column = column(block);
    visitor.visit(
        example,
        ids[column],
        conversion.convert(example, column, stored.order(ByteOrder.LITTLE_ENDIAN)));
  }

  /** Returns the blocks of a shard by ascending offset: each as its offset and its ordinal. */
  private long[] blocks(Shard shard, BlockOffsets offsets) {
    long[] blocks = new long[Math.toIntExact(shard.examples() * ids.length)];
    boolean ascending = true;
    for (int i = 0; i < blocks.length; i++) {
      long offset = offsets.offset(i / ids.length, i % ids.length);
      blocks[i] = Math.addExact(Math.multiplyExact(offset, (long) MAX_BLOCKS), i);
      ascending &= i == 0 || blocks[i - 1] < blocks[i];
    }
    if (!ascending) {
      Arrays.sort(blocks);
    }
    return blocks;
  }

  /** Returns the end of the blocks that are read together with the first one. */
  private int windowEnd(long[] blocks, int from) {
    long limit = offset(blocks[from]) + buffer.capacity();
    int to = from + 1;
    while (to < blocks.length && end(blocks[to]) <= limit) {
      to++;
    }
    return to;
  }

  private static long offset(long block) {
    return block / MAX_BLOCKS;
  }

  private static int ordinal(long block) {
    return (int) (block % MAX_BLOCKS);
  }

  private int column(long block) {
    return ordinal(block) % ids.length;
  }

  private int bytes(long block) {
    return blockBytes[column(block)];
  }

  private long end(long block) {
    return offset(block) + bytes(block);
  }

  /** Adds the changes of values to the task's counters. */
  public void count(TaskAttemptContext task) throws IOException {
    conversion.count(task);
  }
}
