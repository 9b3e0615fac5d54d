package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Hands over the sums of rows: the index of each group of rows, and its sum in a split. */
abstract class SumRows
    extends Mapper<ActivationKey, ActivationWritable, LongWritable, LongWritable> {
  static final SettingKey<Boolean> LABELS =
      SettingKey.internalFlag("saev.shuffle.labels", "Whether rows are summed with their labels.");

  private RowSums sums;
  private int labels;

  @Override
  protected void setup(Context context) throws IOException {
    Configuration conf = context.getConfiguration();
    ShufflePlan plan = SplitRows.plan(conf);
    sums = new RowSums(plan.activations().geometry().examples());
    labels = ConfSettings.get(conf, LABELS) ? plan.side().labels() : 0;
  }

  /** Returns the number of labels of a row; 0 if they are not summed. */
  final int labels() {
    return labels;
  }

  final RowSums sums() {
    return sums;
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    for (int group = 0; group < sums.groups(); group++) {
      if (sums.sum(group) != 0) {
        context.write(new LongWritable(group), new LongWritable(sums.sum(group)));
      }
    }
  }

  /** Reads the source: the rows of examples have the numbers that a shuffle gives them. */
  static final class OfSource extends SumRows {
    private SplitRows rows;

    @Override
    protected void setup(Context context) throws IOException {
      super.setup(context);
      rows = SplitRows.open(context);
    }

    @Override
    protected void map(ActivationKey key, ActivationWritable value, Context context)
        throws IOException {
      rows.read(
          key,
          value,
          (row, example, token, bytes, found) -> sums().add(row, bytes, found.limit(labels())));
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      rows.close();
      super.cleanup(context);
    }
  }

  /** Reads a shuffled dataset, whose examples are the rows. */
  static final class OfShuffled extends SumRows {
    private @Nullable PatchLabels reader;
    private ByteBuffer labelsOfRow;

    @Override
    protected void setup(Context context) throws IOException {
      super.setup(context);
      labelsOfRow = ByteBuffer.allocate(labels());
      if (labels() > 0) {
        reader = ActivationInputFormat.openPart(context).requireActivations().openLabels();
      }
    }

    @Override
    protected void map(ActivationKey key, ActivationWritable value, Context context)
        throws IOException {
      if (reader != null) {
        reader.read(key.example(), labelsOfRow.clear());
        labelsOfRow.flip();
      }
      sums().add(key.example(), value.bytes(), labelsOfRow);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      if (reader != null) {
        reader.close();
      }
      super.cleanup(context);
    }
  }
}
