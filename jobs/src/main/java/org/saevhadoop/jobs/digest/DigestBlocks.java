package org.saevhadoop.jobs.digest;

import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.DigestKeys;

/** Maps blocks, example by example, to their SHA-256. */
final class DigestBlocks
    extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
  private BlockDigests digests;

  @Override
  protected void setup(Context context) {
    digests = new BlockDigests(ConfSettings.get(context.getConfiguration(), DigestKeys.LAYERS));
  }

  @Override
  protected void map(ActivationKey key, ActivationWritable block, Context context)
      throws IOException, InterruptedException {
    if (!digests.contain(key.example())) {
      digests.write(context);
      digests.begin(key.example(), digests.examplesOfRecord());
    }
    digests.add(key.example(), key.layer(), block.bytes());
  }

  @Override
  protected void cleanup(Context context) throws IOException, InterruptedException {
    digests.write(context);
  }
}
