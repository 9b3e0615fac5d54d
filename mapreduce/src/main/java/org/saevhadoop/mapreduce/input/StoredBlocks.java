package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.job.DTypeRequest;

/**
 * The blocks of a dataset, in ascending order of offset, for a task that reads whole files. {@link
 * #fits} states which datasets can be read in this way.
 */
public final class StoredBlocks {
  /** The maximum length of a file. */
  private static final long MAX_BYTES = 8L << 30;

  /** The maximum number of blocks of a shard, whose offsets are held in memory. */
  private static final long MAX_BLOCKS = 1L << 21;

  private static final int PART_BYTES = 1 << 20;

  /** Accepts blocks. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Accepts a block or, if it is larger than 1 MiB, the next part of it.
     *
     * @param column the id of the column that contains the block
     * @param values the values in the requested type, valid until the method returns
     */
    void visit(long example, int column, ByteBuffer values) throws IOException;
  }

  private final TableDataset dataset;
  private final List<Integer> ids;
  private final RecordConversion conversion;

  /** The buffer is on the heap, because digests read its array. */
  private final ByteBuffer part = ByteBuffer.allocate(PART_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** Creates an instance for the blocks of a dataset in the requested types. */
  public StoredBlocks(TableDataset dataset, DTypeRequest types) throws IOException {
    this.dataset = dataset;
    ids = dataset.table().columnIds();
    conversion = new RecordConversion(dataset, types, List.of());
  }

  /** Opens the dataset of a job in a Hadoop task. */
  public static StoredBlocks of(ActivationInputFormat format, Configuration conf)
      throws IOException {
    return new StoredBlocks(format.openPart(conf), format.spec(conf).dtypes());
  }

  /**
   * Returns whether each shard is in one file of the folder, and a task can read the largest file
   * and hold the offsets of its blocks.
   */
  public static boolean fits(TableDataset dataset) throws IOException {
    int columns = dataset.table().columns().size();
    Set<String> files = dataset.folder().files().keySet();
    return dataset.shards().stream()
        .allMatch(
            shard ->
                files.contains(shard.name())
                    && shard.bytes() <= MAX_BYTES
                    && shard.examples() <= MAX_BLOCKS / columns);
  }

  /** Returns the indexes of the shards that a file contains. */
  public List<Integer> shards(String file) {
    return IntStream.range(0, dataset.shards().size())
        .filter(index -> shard(index).name().equals(file))
        .boxed()
        .toList();
  }

  public Shard shard(int index) {
    return dataset.shards().get(index);
  }

  /**
   * Reads the blocks of a shard.
   *
   * @param folder a view of the folder of the dataset
   */
  public void read(int index, Folder folder, Visitor visitor) throws IOException {
    int columns = ids.size();
    try (Input file = folder.open(shard(index).name())) {
      BlockOffsets offsets = dataset.placement(index, file);
      long[] blocks = new long[Math.toIntExact(shard(index).examples() * columns)];
      for (int i = 0; i < blocks.length; i++) {
        long offset = offsets.offset(i / columns, i % columns);
        blocks[i] = Math.multiplyExact(offset, MAX_BLOCKS) + i;
      }
      Arrays.sort(blocks);
      for (long packed : blocks) {
        int ordinal = (int) (packed % MAX_BLOCKS);
        long example = shard(index).first() + ordinal / columns;
        visit(file, packed / MAX_BLOCKS, example, ordinal % columns, visitor);
      }
    }
  }

  private void visit(Input file, long offset, long example, int column, Visitor visitor)
      throws IOException {
    long bytes = dataset.table().blockBytes(column);
    long done = 0;
    do {
      file.readFully(offset + done, part.clear().limit((int) Math.min(PART_BYTES, bytes - done)));
      done += part.limit();
      visitor.visit(example, ids.get(column), conversion.convert(example, column, part.flip()));
    } while (done < bytes);
  }

  /** Returns the changes made to values. */
  public ConversionChanges changes() {
    return conversion.changes();
  }

  /** Adds the changes made to values to the task's counters. */
  public void count(TaskAttemptContext task) {
    ActivationRecordReader.count(changes(), task);
  }
}
