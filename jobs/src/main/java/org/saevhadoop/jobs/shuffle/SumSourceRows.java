package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import org.saevhadoop.jobs.check.SumRows;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Hands over the sums of the rows of the source, which have the numbers that a shuffle gives. */
final class SumSourceRows extends SumRows {
  private SplitRows rows;

  @Override
  protected void setup(Context context) throws IOException {
    super.setup(context);
    rows = SplitRows.open(context);
  }

  @Override
  protected void map(ActivationKey key, ActivationWritable value, Context context)
      throws IOException {
    rows.read(key, value, (row, example, token, bytes, labels) -> add(row, bytes, labels));
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    rows.close();
    super.cleanup(context);
  }
}
