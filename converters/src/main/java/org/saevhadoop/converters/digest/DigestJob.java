package org.saevhadoop.converters.digest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.TemporaryFolder;
import org.saevhadoop.converters.job.FirstContact;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.converters.source.OpenedSource;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.reader.RecordSelection;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.Settings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.DigestKeys;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;

/**
 * Computes the digest of a dataset in a job: maps compute the digests of blocks, and one reducer
 * computes the digest of these digests.
 */
public final class DigestJob {
  private DigestJob() {}

  /** Prefix of the line that contains a digest. */
  public static final String PREFIX = "sha256-blocks:";

  /**
   * Runs the job for activations and returns the digest in hexadecimal.
   *
   * @param input what is read, and where it lies
   * @param source says how it is read
   * @param geometry the shape of what is read
   * @param console takes the progress, and has the folder for temporary files
   */
  public static String run(InputSpec input, OpenedSource source, Geometry geometry, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    List<Integer> layers = geometry.layers().stream().sorted().toList();
    return run(input, source, geometry.table(), layers, console);
  }

  /**
   * Runs the job and returns the digest in hexadecimal.
   *
   * @param table the shape of what is read
   * @param numbers the numbers of all columns, in the order in which their blocks are digested
   */
  static String run(
      InputSpec input,
      OpenedSource source,
      TableShape table,
      List<Integer> numbers,
      Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    Configuration conf = new Configuration(source.conf());
    input
        .with(Numbering.SELECTION)
        .with(new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1))
        .toConf(conf);
    ConfSettings.write(
        Settings.NONE
            .with(DigestKeys.BLOCKS, table.examples() * numbers.size())
            .with(DigestKeys.LAYERS, numbers),
        conf);
    new FirstContact(console).reach(new Path("/"));
    Path result = console.temporaryFolder("digest");
    FileSystem fs = result.getFileSystem(conf);
    try (TemporaryFolder temporary = new TemporaryFolder(fs, result)) {
      Job job = Job.getInstance(conf, JobName.of("digest", source.request().path()));
      job.setJarByClass(DigestJob.class);
      job.setInputFormatClass(source.inputFormat());
      job.setMapperClass(DigestBlock.class);
      job.setMapOutputKeyClass(LongWritable.class);
      job.setMapOutputValueClass(BytesWritable.class);
      job.setReducerClass(DigestAll.class);
      job.setNumReduceTasks(1);
      job.setOutputFormatClass(TextOutputFormat.class);
      FileOutputFormat.setOutputPath(job, temporary.path());
      JobRun.run(job, "digest", table.examples() * table.exampleBytes(), console);
      try (FSDataInputStream in = fs.open(new Path(result, "part-r-00000"))) {
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
      }
    }
  }

  /** Maps a block to its ordinal in the order of the digest and its SHA-256. */
  static final class DigestBlock
      extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
    private final LongWritable place = new LongWritable();
    private final BytesWritable digest = new BytesWritable();
    private List<Integer> layers;

    @Override
    protected void setup(Context context) {
      layers = ConfSettings.get(context.getConfiguration(), DigestKeys.LAYERS);
    }

    @Override
    protected void map(ActivationKey key, ActivationWritable block, Context context)
        throws IOException, InterruptedException {
      place.set(key.example() * layers.size() + layers.indexOf(key.layer()));
      digest.set(BlockDigests.sha256(block.bytes()), 0, BlockDigests.BYTES);
      context.write(place, digest);
    }
  }

  /** Reduces the digests of all blocks, in order, to the digest of the dataset. */
  static final class DigestAll extends Reducer<LongWritable, BytesWritable, Text, NullWritable> {
    private final MessageDigest all = BlockDigests.sha256();
    private long next;

    @Override
    protected void reduce(LongWritable place, Iterable<BytesWritable> digests, Context context)
        throws IOException {
      for (BytesWritable digest : digests) {
        if (place.get() != next++) {
          throw new IOException("block " + place.get() + " came in place of " + (next - 1));
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
      context.write(new Text(HexFormat.of().formatHex(all.digest())), NullWritable.get());
    }
  }
}
