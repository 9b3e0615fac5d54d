import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/** The peer of shuffles: MapReduce sorts rows by random keys, with two tasks at once. */
public final class SortRows {
  public static final class RandomKeys
      extends Mapper<LongWritable, BytesWritable, LongWritable, BytesWritable> {
    private final LongWritable random = new LongWritable();

    @Override
    protected void map(LongWritable offset, BytesWritable row, Context context)
        throws IOException, InterruptedException {
      random.set(new SplittableRandom(offset.get()).nextLong());
      context.write(random, row);
    }
  }

  public static void main(String[] folders) throws Exception {
    Configuration conf = new Configuration();
    FixedLengthInputFormat.setRecordLength(conf, 4096);
    conf.set("hadoop.tmp.dir", folders[1] + "-tmp");
    conf.setFloat("mapreduce.reduce.shuffle.input.buffer.percent", 0.2f); // of the heap, in each task
    conf.setInt("mapreduce.local.map.tasks.maximum", 2);
    conf.setInt("mapreduce.local.reduce.tasks.maximum", 2);
    Job job = Job.getInstance(conf);
    job.setMapperClass(RandomKeys.class);
    job.setInputFormatClass(FixedLengthInputFormat.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(BytesWritable.class);
    job.setNumReduceTasks(8);
    FixedLengthInputFormat.setInputPaths(job, new Path(folders[0], "acts*.bin"));
    FileOutputFormat.setOutputPath(job, new Path(folders[1]));
    System.exit(job.waitForCompletion(false) ? 0 : 1);
  }
}
