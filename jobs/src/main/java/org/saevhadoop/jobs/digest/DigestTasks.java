package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.security.MessageDigest;
import java.util.List;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.DigestKeys;

/** The tasks of a digest: maps digest blocks, and one reducer digests these digests. */
final class DigestTasks {
  private DigestTasks() {}

  /** Maps a block to its ordinal in the order of the digest and its SHA-256. */
  static final class DigestBlock
      extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
    private final LongWritable ordinal = new LongWritable();
    private List<Integer> layers;

    @Override
    protected void setup(Context context) {
      layers = ConfSettings.get(context.getConfiguration(), DigestKeys.LAYERS);
    }

    @Override
    protected void map(ActivationKey key, ActivationWritable block, Context context)
        throws IOException, InterruptedException {
      ordinal.set(key.example() * layers.size() + layers.indexOf(key.layer()));
      context.write(ordinal, new BytesWritable(Sha256.of(block.bytes())));
    }
  }

  /** Reduces the digests of all blocks, in order, to the digest of the dataset. */
  static final class DigestAll
      extends Reducer<LongWritable, BytesWritable, NullWritable, BytesWritable> {
    private final MessageDigest all = Sha256.digest();
    private long next;

    @Override
    protected void reduce(LongWritable ordinal, Iterable<BytesWritable> digests, Context context)
        throws IOException {
      for (BytesWritable digest : digests) {
        if (ordinal.get() != next++) {
          throw new IOException("block " + ordinal.get() + " came instead of " + (next - 1));
        }
        all.update(digest.getBytes(), 0, digest.getLength());
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      long blocks = ConfSettings.get(context.getConfiguration(), DigestKeys.BLOCKS);
      if (next != blocks) {
        throw new IOException(next + " of " + blocks + " blocks were digested");
      }
      context.write(NullWritable.get(), new BytesWritable(all.digest()));
    }
  }
}
