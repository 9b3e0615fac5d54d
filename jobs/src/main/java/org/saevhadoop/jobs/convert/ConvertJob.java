package org.saevhadoop.jobs.convert;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.ByteSizes;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.shuffle.ShuffledDataset;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobOutput;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.LocalOutput;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.ConversionKeys.Plan;
import org.saevhadoop.mapreduce.job.ConversionSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import org.saevhadoop.mapreduce.job.JobName;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.CommittedFiles;
import org.saevhadoop.mapreduce.output.DatasetCompletion;
import org.saevhadoop.mapreduce.output.DatasetOutputFormat;
import org.saevhadoop.mapreduce.output.OutputLocation;

/**
 * A conversion as a MapReduce job over blocks. If no shuffle is needed, the source is read in the
 * order of the files that are written.
 *
 * @param folder the folder of the run, which does not have to exist before the job runs
 * @param run the id of the run
 * @param published the path at which the dataset is published
 * @param writes returns the output for tasks of this process
 */
record ConvertJob(
    ConversionSpec spec,
    OpenedSource source,
    DatasetFormat to,
    WritePlan files,
    CommittedFiles committed,
    StoragePath folder,
    String run,
    StoragePath published,
    Io.Supplier<DatasetWrite> writes,
    Settings settings,
    JobRunner runner) {
  private static final long MAX_REDUCERS = 64;

  /**
   * Runs the job.
   *
   * @param recorded records the job while it runs on YARN
   */
  void run(RunFolder recorded) throws IOException, InterruptedException {
    ConvertPlan plan = choice();
    runner
        .listener()
        .message(
            Quote.sentence(
                "convert: %d examples to write, %s, %d files",
                committed.missingExamples(),
                ByteSizes.show(bytes()),
                files.shardCount() - committed.files()));
    runner
        .listener()
        .detail(
            "convert: %s: %s".formatted(plan.shuffle() ? "shuffle" : "map-only", plan.reason()));
    runner
        .run(job(recorded))
        .changes()
        .ifPresent(line -> runner.listener().message("convert: " + line));
  }

  private ConvertPlan choice() {
    if (source.whole() instanceof ShuffledDataset
        && settings.get(ConversionKeys.PLAN) == Plan.AUTO) {
      return new ConvertPlan(false, "a bucket of rows is read once, by the task that writes them");
    }
    return ConvertPlan.of(files, settings.get(ConversionKeys.PLAN), runner.maxSplitBytes());
  }

  private long bytes() {
    return committed.missingExamples() * source.dataset().table().exampleBytes();
  }

  /**
   * Returns the job.
   *
   * @param recorded records the job while it runs on YARN; null if the job is not run
   */
  DatasetJob<FinishedJob> job(@Nullable RunFolder recorded) throws IOException {
    boolean shuffle = choice().shuffle();
    TableShape table = source.dataset().table();
    RecordRequest records =
        shuffle
            ? RecordRequest.blocks(BlockOrder.byExample(table), 1)
            : RecordRequest.inOrderOf(files, table);
    DatasetJob.Parts job =
        DatasetJob.step("convert", source.request().source())
            .named(JobName.of("convert", source.request().source().name(), to.name()))
            .reading(source.input(spec.input(), records))
            .with(shuffle ? missing() : missing().and(mapOnly()))
            .bytes(bytes())
            .recordedIn(recorded);
    return (shuffle ? job.tasks(this::setShuffle) : job)
        .into(new Output(shuffle ? Settings.NONE : mapOnly()));
  }

  /** The dataset, which Hadoop tasks write in the same way as threads of this process. */
  private final class Output implements JobOutput.OfFiles {
    private final Settings tasks;

    Output(Settings tasks) {
      this.tasks = tasks;
    }

    @Override
    public void prepare(Job job, @Nullable Path temporary) {
      setOutput(job);
    }

    @Override
    public LocalOutput<FinishedJob> local(@Nullable Class<? extends Task> task, JobRunner own)
        throws IOException {
      OutputLocation location = OutputLocation.of(spec.output(), folder, run, published);
      DatasetCompletion completion =
          new DatasetCompletion(location, writes, own.storage(folder), own::scratch);
      return new WrittenDataset(
          own.committed(location.files(completion.storage(), completion::dataFiles)),
          completion,
          tasks.get(ConversionKeys.WINDOWS),
          tasks.get(ConversionKeys.RUNS));
    }
  }

  private Settings missing() {
    return committed.files() > 0
        ? Settings.NONE.with(ConversionKeys.MISSING, committed.missing())
        : Settings.NONE;
  }

  /**
   * Returns the settings for a map-only job: records are runs of blocks, which a local disk
   * receives in source order.
   */
  private Settings mapOnly() {
    boolean local = folder.isLocal();
    return Settings.NONE
        .with(ConversionKeys.RUNS, true)
        .with(ConversionKeys.WINDOWS, local && files.isPlain() && files.order().byLayer());
  }

  private void setShuffle(Job job) {
    job.setMapperClass(BlockShuffle.Map.class);
    job.setMapOutputKeyClass(BlockShuffle.Key.class);
    job.setMapOutputValueClass(ActivationWritable.class);
    job.setPartitionerClass(BlockShuffle.ByFile.class);
    job.setReducerClass(BlockShuffle.Reduce.class);
    job.setNumReduceTasks(reducers());
  }

  private void setOutput(Job job) {
    spec.output().toConf(job.getConfiguration());
    ConfSettings.set(job.getConfiguration(), OutputKeys.RUN, run);
    ConfSettings.set(job.getConfiguration(), ConversionKeys.WRITTEN, to.getClass().getName());
    job.setOutputFormatClass(DatasetOutputFormat.class);
    // for Hadoop's statistics only: the output format writes to the folder of the run
    FileOutputFormat.setOutputPath(job, PathArgument.root(HadoopPath.hadoop(folder)));
    job.setOutputKeyClass(ActivationKey.class);
    job.setOutputValueClass(ActivationWritable.class);
  }

  /** Returns the plan of the files that a job writes, as its tasks see it. */
  static WritePlan plan(JobContext context) throws IOException {
    return new DatasetOutputFormat().write(context.getConfiguration()).plan();
  }

  private int reducers() {
    long asked = settings.get(ConversionKeys.REDUCERS);
    if (asked == 0 && ConfSettings.isSetByUser(runner.conf(), MRJobConfig.NUM_REDUCES)) {
      asked = runner.conf().getInt(MRJobConfig.NUM_REDUCES, 1);
    }
    if (asked == 0) {
      asked = runner.isLocal() ? Runtime.getRuntime().availableProcessors() : MAX_REDUCERS;
    }
    return (int) Math.max(1, Math.min(asked, files.shardCount()));
  }
}
