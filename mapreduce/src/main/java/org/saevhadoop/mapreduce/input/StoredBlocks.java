package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.mapreduce.job.InputSpec;

/** The blocks of a dataset in a task that reads whole files, in the order of each file. */
public final class StoredBlocks {
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
  private final List<Integer> ids;
  private final RecordConversion conversion;

  private StoredBlocks(TableDataset dataset, InputSpec spec) throws FormatException {
    this.dataset = dataset;
    this.ids = dataset.table().columnIds();
    this.conversion = new RecordConversion(dataset, spec.dtypes(), false);
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
    return new StoredBlocks(format.openInTask(task, spec, view), spec);
  }

  /** Returns the slices of the dataset that a file contains. */
  public List<Shard> shards(String file) {
    return dataset.shards().stream().filter(shard -> shard.name().equals(file)).toList();
  }

  public void read(Shard shard, Visitor visitor) throws IOException {
    RecordSelection stored = RecordSelection.blocks(dataset.storageOrder(), Long.MAX_VALUE);
    try (BlockCursor blocks = new BlockCursor(dataset, stored, shard.first(), shard.examples())) {
      while (blocks.next()) {
        long example = blocks.example();
        int column = blocks.column();
        visitor.visit(
            example, ids.get(column), conversion.convert(example, column, blocks.bytes()));
      }
    }
  }

  /** Adds the changes of values to the task's counters. */
  public void count(TaskAttemptContext task) throws IOException {
    conversion.count(task);
  }
}
