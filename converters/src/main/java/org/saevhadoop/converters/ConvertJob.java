package org.saevhadoop.converters;

import java.io.IOException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.mapreduce.ActivationKey;
import org.saevhadoop.mapreduce.ActivationOutputFormat;
import org.saevhadoop.mapreduce.ActivationWritable;
import org.saevhadoop.mapreduce.NumberCounter;
import org.saevhadoop.mapreduce.SaevConf;

/**
 * One conversion as a MapReduce job over blocks. The configuration says what is written; the source
 * is read in the target's order where that needs no shuffle.
 */
record ConvertJob(Configuration conf, Source source, DatasetFormat to, DatasetTarget target) {
  private static final long MOST_REDUCERS = 64;

  void run(Destination place) throws IOException, InterruptedException, ClassNotFoundException {
    ConvertPlan plan = ConvertPlan.of(target, conf);
    boolean shuffle = plan.kind() == ConvertPlan.Kind.SHUFFLE;
    readEverything(conf);
    SaevConf.INPUT_LIMIT.set(conf, Long.toString(target.table().examples()));
    if (!shuffle) {
      readInOrderOfTarget();
    }
    SaevConf.OUTPUT_SPOOL.set(conf, "false");
    SaevConf.OUTPUT_PUBLISH.set(conf, place.published().toString());
    SaevConf.OUTPUT_REPLACE.set(conf, Boolean.toString(place.replace()));

    Job job = Job.getInstance(conf, "convert " + source.path().getName() + " to " + to);
    job.setJarByClass(ConvertJob.class);
    job.setInputFormatClass(source.format().inputFormat());
    FileInputFormat.setInputPaths(job, source.path());
    job.setOutputFormatClass(to.outputFormat());
    FileOutputFormat.setOutputPath(job, place.unfinished());
    job.setOutputKeyClass(ActivationKey.class);
    job.setOutputValueClass(ActivationWritable.class);
    if (shuffle) {
      job.setMapperClass(BlockShuffle.Map.class);
      job.setMapOutputKeyClass(BlockShuffle.Key.class);
      job.setPartitionerClass(BlockShuffle.ByFile.class);
      job.setReducerClass(BlockShuffle.Reduce.class);
      job.setNumReduceTasks(reducers());
    } else {
      job.setMapperClass(Mapper.class);
      job.setNumReduceTasks(0);
    }
    Table table = source.dataset().table().withExamples(target.table().examples());
    long bytes = table.examples() * table.exampleBytes();
    System.err.printf(
        "convert: %d examples, %s, target files: %d; %s: %s%n",
        table.examples(), Sizes.show(bytes), target.shardCount(), plan.kind(), plan.reason());
    JobRun.run(job, "convert", bytes);
    tellChanges(job);
  }

  /** What was changed, where numbers became others. */
  private static void tellChanges(Job job) throws IOException {
    Counters counters = job.getCounters();
    long converted = counters.findCounter(NumberCounter.CONVERTED).getValue();
    if (converted > 0) {
      System.err.printf(
          "convert: of %d numbers converted, %d were rounded, %d became infinite, %d were out of"
              + " range, %d were NaN and lost bits%n",
          converted,
          counters.findCounter(NumberCounter.ROUNDED).getValue(),
          counters.findCounter(NumberCounter.OVERFLOWED).getValue(),
          counters.findCounter(NumberCounter.OUT_OF_RANGE).getValue(),
          counters.findCounter(NumberCounter.NAN).getValue());
    }
  }

  /** The output format of a job, as its tasks see it. */
  static DatasetTarget target(JobContext context) throws IOException {
    try {
      ActivationOutputFormat format =
          (ActivationOutputFormat)
              ReflectionUtils.newInstance(
                  context.getOutputFormatClass(), context.getConfiguration());
      return format.target(context.getConfiguration());
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /** Blocks of all layers and tokens, as they are stored: jobs over whole datasets ask no less. */
  static void readEverything(Configuration conf) {
    SaevConf.INPUT_RECORD.set(conf, "block");
    SaevConf.INPUT_LAYERS.set(conf, SaevConf.INPUT_LAYERS.defaultValue());
    SaevConf.INPUT_TOKENS.set(conf, SaevConf.INPUT_TOKENS.defaultValue());
    SaevConf.INPUT_ORDER.set(conf, SaevConf.INPUT_ORDER.defaultValue());
    SaevConf.INPUT_GROUP.set(conf, SaevConf.INPUT_GROUP.defaultValue());
    SaevConf.INPUT_LIMIT.set(conf, SaevConf.INPUT_LIMIT.defaultValue());
  }

  private void readInOrderOfTarget() {
    BlockOrder order = target.order();
    String layers =
        order.layerIndexes().stream()
            .map(i -> String.valueOf(target.table().numbers().get(i)))
            .collect(Collectors.joining(","));
    SaevConf.INPUT_LAYERS.set(conf, layers);
    SaevConf.INPUT_ORDER.set(conf, order.byLayer() ? "layer" : "example");
    SaevConf.INPUT_GROUP.set(conf, Long.toString(target.examplesPerShard()));
  }

  private int reducers() {
    long asked = SaevConf.CONVERT_REDUCERS.getLong(conf, 0);
    if (asked == 0 && JobRun.isSet(conf, MRJobConfig.NUM_REDUCES)) {
      asked = conf.getInt(MRJobConfig.NUM_REDUCES, 1);
    }
    if (asked == 0) {
      asked = JobRun.isLocal(conf) ? Runtime.getRuntime().availableProcessors() : MOST_REDUCERS;
    }
    return (int) Math.max(1, Math.min(asked, target.shardCount()));
  }
}
