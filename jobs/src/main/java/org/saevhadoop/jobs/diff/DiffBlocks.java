package org.saevhadoop.jobs.diff;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SourceKeys;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Compares the blocks of a split with those of the same examples of the second dataset. */
final class DiffBlocks
    extends Mapper<ActivationKey, ActivationWritable, IntWritable, ColumnDifference> {
  /** The key of the number of examples whose labels differ. */
  static final int LABELS = -1;

  /** The key of the number of examples whose sample metadata differs. */
  static final int SAMPLES = -2;

  /** The index of the second dataset among the sources of the job. */
  static final int SECOND = 1;

  private static final String INPUT = "saev.input.";

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    ExampleSplit split = (ExampleSplit) context.getInputSplit();
    Class<?> input = conf.getClassByNameOrNull(ConfSettings.get(conf, DiffKeys.INPUT));
    TableDataset second = ActivationInputFormat.openPart(input, second(conf));
    compareBlocks(context, second, split.first(), split.count());
    if (ConfSettings.get(conf, DiffKeys.LABELS) || ConfSettings.get(conf, DiffKeys.SAMPLES)) {
      TableDataset first = ActivationInputFormat.openPart(context);
      compareSideData(context, first, second, split.first(), split.count());
    }
  }

  /** Returns the configuration of the second dataset. */
  private static Configuration second(Configuration conf) {
    Configuration own = SourceKeys.of(conf, SECOND);
    for (Map.Entry<String, String> entry : conf) {
      String key = entry.getKey();
      boolean isFirst = key.startsWith(INPUT) && SourceKeys.base(key).isEmpty();
      String indexed = INPUT + SECOND + "." + key.substring(Math.min(key.length(), INPUT.length()));
      if (isFirst && conf.getRaw(indexed) == null) {
        own.unset(key);
      }
    }
    return own;
  }

  private static void compareBlocks(Context context, TableDataset second, long first, long count)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    List<Integer> columns = ConfSettings.get(conf, DiffKeys.COLUMNS);
    RecordSelection selection = RecordSelection.blocks(new BlockOrder(false, columns), 1);
    List<ColumnDifference> differences = new ArrayList<>();
    columns.forEach(column -> differences.add(new ColumnDifference()));
    ValueComparison[] comparisons = new ValueComparison[columns.size()];
    try (BlockCursor cursor = new BlockCursor(second, selection, first, count)) {
      for (int i = 0; context.nextKeyValue(); i = (i + 1) % comparisons.length) {
        ActivationKey key = context.getCurrentKey();
        ActivationWritable block = context.getCurrentValue();
        if (!cursor.next()
            || cursor.example() != key.example()
            || cursor.column() != columns.get(i)) {
          throw new IOException("a block of " + key + " came out of order");
        }
        Column column = second.table().columns().get(columns.get(i));
        if (comparisons[i] == null) {
          comparisons[i] = comparison(conf, second, block.dtype(), column.dtype());
        }
        comparisons[i].compare(
            block.bytes(), cursor.bytes(), key.example(), i, vector(column), differences.get(i));
      }
    }
    for (int i = 0; i < comparisons.length; i++) {
      context.write(new IntWritable(i), differences.get(i));
    }
  }

  private static ValueComparison comparison(
      Configuration conf, TableDataset second, DType a, DType b) throws IOException {
    return new ValueComparison(
        second.path(),
        a,
        b,
        Tolerance.parse(ConfSettings.get(conf, DiffKeys.TOLERANCE)),
        ConfSettings.get(conf, DiffKeys.NAN_EQUAL));
  }

  /** Returns the number of values in the last dimension of a column. */
  private static long vector(Column column) {
    List<Long> shape = column.shape();
    return shape.isEmpty() ? 1 : shape.get(shape.size() - 1);
  }

  private static void compareSideData(
      Context context, TableDataset a, TableDataset b, long first, long count)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    ColumnDifference labels = new ColumnDifference();
    if (ConfSettings.get(conf, DiffKeys.LABELS)) {
      labels.values = SideData.labels(a.requireActivations(), b.requireActivations(), first, count);
    }
    ColumnDifference samples = new ColumnDifference();
    if (ConfSettings.get(conf, DiffKeys.SAMPLES)) {
      samples.values = SideData.samples(a, b, first, count);
    }
    context.write(new IntWritable(LABELS), labels);
    context.write(new IntWritable(SAMPLES), samples);
  }
}
