package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.shuffle.RowScatter;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.staged.StagedFolder;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.staging.SideFiles;

/**
 * Appends the rows of a split to the buckets of a file, and their labels and coordinates to the
 * buckets of another.
 */
final class ScatterRows
    extends Mapper<ActivationKey, ActivationWritable, NullWritable, NullWritable> {
  private SplitRows rows;
  private ShufflePlan plan;
  private StagedFolder target;
  private String part;
  private RowScatter scatter;
  private @Nullable RowScatter side;
  private ByteBuffer sideRow;

  @Override
  protected void setup(Context context) throws IOException, InterruptedException {
    rows = SplitRows.open(context);
    plan = rows.plan();
    ExampleSplit split = (ExampleSplit) context.getInputSplit();
    ByteMeter written = ByteMeter.of(context, DatasetCounter.BYTES_WRITTEN);
    target = StagedFolder.ofTask(new MeteredFolder(SideFiles.create(context), written), true);
    part = RowParts.range(split.first(), split.count());
    scatter = new RowScatter(plan.format(), target.create(ShuffledDataset.PREFIX + part));
    sideRow = plan.side().buffer();
    if (plan.side().bytes() > 0) {
      side = new RowScatter(plan.sideFormat(), target.create(ShuffledDataset.SIDE + part));
    }
  }

  @Override
  protected void map(ActivationKey key, ActivationWritable value, Context context)
      throws IOException {
    rows.read(key, value, this::add);
  }

  private void add(long row, long example, int token, ByteBuffer bytes, ByteBuffer sideOf)
      throws IOException {
    scatter.add(row, bytes);
    if (side != null) {
      plan.side().put(example, token, sideOf, sideRow);
      side.add(row, sideRow);
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    scatter.close();
    if (side != null) {
      side.close();
    }
    rows.close();
    target.commit(part, "rows");
  }
}
