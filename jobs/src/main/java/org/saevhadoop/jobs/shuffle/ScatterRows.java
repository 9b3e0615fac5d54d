package org.saevhadoop.jobs.shuffle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.permutation.Permutation;
import org.saevhadoop.format.shuffle.RowScatter;
import org.saevhadoop.format.shuffle.ShufflePlan;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.MeteredFolder;
import org.saevhadoop.mapreduce.staging.SideFiles;

/** Appends the rows of the examples of a split, block by block, to the buckets of a file. */
final class ScatterRows
    extends Mapper<ActivationKey, ActivationWritable, NullWritable, NullWritable> {
  static final SettingKey<String> PLAN =
      SettingKey.internalName("saev.shuffle.plan", "The plan of the shuffle.");

  private int rowsOfExample;
  private int rowBytes;
  private Permutation permutation;
  private RowScatter scatter;

  @Override
  protected void setup(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    byte[] text = ConfSettings.get(conf, PLAN).getBytes(StandardCharsets.UTF_8);
    ShufflePlan plan = ShufflePlan.parse(PLAN.name(), text);
    rowsOfExample = plan.rowsOfExample();
    rowBytes = plan.format().rowBytes();
    permutation = plan.permutation();
    ExampleSplit split = (ExampleSplit) context.getInputSplit();
    ByteMeter written = ByteMeter.of(context, DatasetCounter.BYTES_WRITTEN);
    Folder target = new MeteredFolder(SideFiles.create(context), written);
    scatter =
        new RowScatter(plan.format(), target.create(StagedRows.name(split.first(), split.count())));
  }

  @Override
  protected void map(ActivationKey key, ActivationWritable value, Context context)
      throws IOException {
    ByteBuffer rows = value.bytes();
    long row = key.example() * rowsOfExample;
    for (int at = rows.position(); at < rows.limit(); at += rowBytes) {
      scatter.add(permutation.at(row++), rows.slice(at, rowBytes));
    }
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    scatter.close();
  }
}
