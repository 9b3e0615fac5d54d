package org.saevhadoop.jobs.convert;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Brings blocks into the order of the target's files through the MapReduce shuffle. */
final class BlockShuffle {
  private BlockShuffle() {}

  /** A target file and the ordinal of a block in it. */
  static final class Key implements WritableComparable<Key> {
    private long file;
    private long ordinal;

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(file);
      out.writeLong(ordinal);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      file = in.readLong();
      ordinal = in.readLong();
    }

    @Override
    public int compareTo(Key other) {
      int byFile = Long.compare(file, other.file);
      return byFile != 0 ? byFile : Long.compare(ordinal, other.ordinal);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(file) * 31 + Long.hashCode(ordinal);
    }
  }

  static final class Map
      extends Mapper<ActivationKey, ActivationWritable, Key, ActivationWritable> {
    private final Key position = new Key();
    private WritePlan files;
    private BlockOrder order;
    private long examples;
    private java.util.Map<Integer, Integer> columns;

    @Override
    protected void setup(Context context) throws IOException {
      files = ConvertJob.plan(context);
      order = files.order();
      columns = TableShape.positions(files.table().columnIds());
    }

    @Override
    protected void map(ActivationKey key, ActivationWritable block, Context context)
        throws IOException, InterruptedException {
      long file = key.example() / files.examplesPerShard();
      if (file != position.file || examples == 0) {
        position.file = file;
        examples = files.examples(file);
      }
      position.ordinal =
          order.ordinal(
              key.example() % files.examplesPerShard(),
              Objects.requireNonNull(columns.get(key.layer())),
              examples);
      context.write(position, block);
    }
  }

  /** Distributes whole files among the reducers. */
  static final class ByFile extends Partitioner<Key, ActivationWritable> {
    @Override
    public int getPartition(Key key, ActivationWritable value, int partitions) {
      return (int) (key.file % partitions);
    }
  }

  /** Passes the sorted blocks to the writer. */
  static final class Reduce
      extends Reducer<Key, ActivationWritable, ActivationKey, ActivationWritable> {
    private final ActivationKey block = new ActivationKey();
    private WritePlan files;

    @Override
    protected void setup(Context context) throws IOException {
      files = ConvertJob.plan(context);
    }

    @Override
    protected void reduce(Key position, Iterable<ActivationWritable> values, Context context)
        throws IOException, InterruptedException {
      BlockOrder order = files.order();
      long examples = files.examples(position.file);
      long example =
          position.file * files.examplesPerShard() + order.indexInGroup(position.ordinal, examples);
      int column = order.column(position.ordinal, examples);
      block.set(example, files.table().columnIds().get(column), 0);
      for (ActivationWritable value : values) {
        context.write(block, value);
      }
    }
  }
}
