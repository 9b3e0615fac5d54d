package org.saevhadoop.converters.house;

import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Writes the mean squared norm of the vectors of each layer. */
public final class LayerNorms extends Configured implements Tool {
  /** Maps a block, the [token, dim] matrix of an example at a layer, to its mean squared norm. */
  public static final class Norm
      extends Mapper<ActivationKey, ActivationWritable, IntWritable, DoubleWritable> {
    @Override
    protected void map(ActivationKey key, ActivationWritable block, Context context)
        throws IOException, InterruptedException {
      double sum = 0;
      for (float value : block.toFloats()) {
        sum += (double) value * value;
      }
      context.write(new IntWritable(key.layer()), new DoubleWritable(sum / block.shape()[0]));
    }
  }

  /** Returns the mean over all examples of a layer. */
  public static final class Mean
      extends Reducer<IntWritable, DoubleWritable, IntWritable, DoubleWritable> {
    @Override
    protected void reduce(IntWritable layer, Iterable<DoubleWritable> norms, Context context)
        throws IOException, InterruptedException {
      double sum = 0;
      long count = 0;
      for (DoubleWritable norm : norms) {
        sum += norm.get();
        count++;
      }
      context.write(layer, new DoubleWritable(sum / count));
    }
  }

  /** Reads the SAEV dataset at the first path, and writes a line for each layer to the second. */
  @Override
  public int run(String[] paths) throws Exception {
    Job job = Job.getInstance(getConf(), "layer norms");
    job.setJarByClass(LayerNorms.class);
    job.setInputFormatClass(SaevInputFormat.class);
    FileInputFormat.setInputPaths(job, new Path(paths[0]));
    job.getConfiguration().set("saev.input.record", "block");
    job.setMapperClass(Norm.class); // a Mapper<ActivationKey, ActivationWritable, ...>
    job.setReducerClass(Mean.class);
    job.setOutputKeyClass(IntWritable.class);
    job.setOutputValueClass(DoubleWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(paths[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new LayerNorms(), args));
  }
}
