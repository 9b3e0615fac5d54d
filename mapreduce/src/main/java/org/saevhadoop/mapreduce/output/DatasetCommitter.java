package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.security.UserGroupInformation;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.ShardSinks;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samples.Sidecar;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.job.OutputSpec;
import org.saevhadoop.mapreduce.publish.DatasetPublication;
import org.saevhadoop.mapreduce.publish.RunFolder;
import org.saevhadoop.mapreduce.publish.RunRecord;
import org.saevhadoop.mapreduce.spi.FormatRegistry;

/**
 * Commits the files of a job and makes them a dataset. Task and job commit are delegated to the
 * committer of the storage; job commit then checks that each file is present with its length,
 * writes the documents, ending with the one that readers look for, and moves the dataset to the
 * path at which it is published.
 */
public final class DatasetCommitter extends PathOutputCommitter {
  private final Path output;
  private final PathOutputCommitter files;
  private final ActivationOutputFormat format;

  private DatasetCommitter(
      Path output,
      TaskAttemptContext context,
      PathOutputCommitter files,
      ActivationOutputFormat format)
      throws IOException {
    super(output, context);
    this.output = output;
    this.files = files;
    this.format = format;
  }

  static DatasetCommitter create(
      Path output, TaskAttemptContext context, ActivationOutputFormat format) throws IOException {
    TaskAttemptContext safe =
        new TaskAttemptContextImpl(safely(context.getConfiguration()), context.getTaskAttemptID());
    PathOutputCommitter files =
        PathOutputCommitterFactory.getCommitterFactory(output, safe.getConfiguration())
            .createOutputCommitter(output, safe);
    return new DatasetCommitter(output, context, files, format);
  }

  @Override
  public Path getOutputPath() {
    return output;
  }

  @Override
  public Path getWorkPath() throws IOException {
    return files.getWorkPath();
  }

  @Override
  public void setupJob(JobContext job) throws IOException {
    checkRun(job.getConfiguration());
    files.setupJob(safely(job));
  }

  /**
   * Checks that the folder in which a conversion writes still belongs to its run. Another run may
   * take the folder over while no client and no application of the run exists.
   */
  private void checkRun(Configuration conf) throws IOException {
    OutputSpec spec = spec(conf);
    if (spec.run() != null) {
      RunFolder.checkOwner(output.getParent(), spec.run(), conf);
    }
  }

  @Override
  public void commitJob(JobContext job) throws IOException {
    files.commitJob(safely(job));
    Configuration conf = job.getConfiguration();
    checkRun(conf);
    DatasetWrite write = format.write(conf);
    OutputSpec spec = spec(conf);
    Folder folder = HadoopFolder.of(output, spec::isForced, spec.isCompared(), conf);
    FileSystem fs = output.getFileSystem(conf);
    if (write.plan().table().examples() == 0) {
      writeEmptyFiles(write, folder, SpoolFolder.of(conf));
    }
    try {
      checkComplete(folder, write.plan());
    } catch (FormatException e) {
      // the files are not a dataset and must not be mistaken for one
      for (long i = 0; i < write.plan().shardCount(); i++) {
        String name = write.plan().shardName(i);
        fs.delete(PathArgument.child(output, name), false);
        fs.delete(PathArgument.child(output, Sidecar.name(name)), false);
      }
      deleteWorkFiles(fs, write.finisher());
      throw e;
    }
    for (Document document : write.finisher().documents(folder)) {
      write(fs, folder, document);
    }
    deleteWorkFiles(fs, write.finisher());
    publish(conf);
  }

  /** Writes the files of a dataset without examples, which has no records and therefore no task. */
  private static void writeEmptyFiles(
      DatasetWrite write, Folder folder, java.nio.file.Path localFolder) throws IOException {
    try (ShardSinks sinks = write.sinks()) {
      for (long i = 0; i < write.plan().shardCount(); i++) {
        sinks.open(i, false, folder, localFolder).close();
      }
    }
  }

  private void deleteWorkFiles(FileSystem fs, DatasetFinisher finisher) throws IOException {
    for (String name : finisher.workFiles()) {
      fs.delete(PathArgument.child(output, name), false);
    }
  }

  private void write(FileSystem fs, Folder folder, Document document) throws IOException {
    String unfinished = "_" + document.name();
    try (Output out = folder.create(unfinished)) {
      document.content().writeTo(out);
    }
    Path from = PathArgument.child(output, unfinished);
    Path to = PathArgument.child(output, document.name());
    if (!fs.rename(from, to)) {
      throw new IOException(from + ": cannot be renamed to " + to);
    }
  }

  @Override
  public void abortJob(JobContext job, JobStatus.State state) throws IOException {
    if (AbortGuard.isEndOfJvm()) {
      return;
    }
    files.abortJob(safely(job), state);
    Configuration conf = job.getConfiguration();
    if (spec(conf).publish() != null) {
      output.getFileSystem(conf).delete(output, true);
    }
  }

  @Override
  public void setupTask(TaskAttemptContext task) throws IOException {
    files.setupTask(task);
  }

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) throws IOException {
    return files.needsTaskCommit(task);
  }

  @Override
  public void commitTask(TaskAttemptContext task) throws IOException {
    files.commitTask(task);
  }

  @Override
  public void abortTask(TaskAttemptContext task) throws IOException {
    files.abortTask(task);
  }

  @Override
  public boolean isRecoverySupported(JobContext job) throws IOException {
    return files.isRecoverySupported(safely(job));
  }

  @Override
  public void recoverTask(TaskAttemptContext task) throws IOException {
    files.recoverTask(task);
  }

  @Override
  public String toString() {
    return "DatasetCommitter over " + files;
  }

  private static void checkComplete(Folder folder, WritePlan files) throws IOException {
    SortedMap<String, Long> found = folder.files();
    for (long i = 0; i < files.shardCount(); i++) {
      ShardPlan shard = files.shard(i);
      Long length = found.get(shard.name());
      DatasetError.INCOMPLETE.check(
          length != null,
          folder.path(shard.name()),
          "was not written (expected examples %d to %d in it)",
          shard.first(),
          shard.first() + shard.examples() - 1);
      DatasetError.INCOMPLETE.check(
          shard.length() == ShardPlan.UNKNOWN ? length > 0 : length == shard.length(),
          folder.path(shard.name()),
          "has %d bytes (expected %s)",
          length,
          shard.length() == ShardPlan.UNKNOWN ? "more" : shard.length());
    }
  }

  private static OutputSpec spec(Configuration conf) {
    return OutputSpec.fromConf(conf, List.of());
  }

  /**
   * Checks that nothing exists at the path at which the dataset is published, unless it is
   * replaced.
   *
   * @throws FormatException if something exists there
   */
  static void checkPlace(Configuration conf) throws IOException {
    OutputSpec spec = spec(conf);
    if (spec.publish() != null) {
      DatasetPublication.checkFree(published(spec, conf), spec.replace(), conf);
    }
  }

  private static Path published(OutputSpec spec, Configuration conf) throws IOException {
    return PathArgument.parse(spec.publish(), conf);
  }

  private void publish(Configuration conf) throws IOException {
    OutputSpec spec = spec(conf);
    if (spec.publish() == null || spec.isDeferred()) {
      return;
    }
    Path published = published(spec, conf);
    FormatRegistry formats = format.formats();
    if (spec.run() != null) {
      DatasetPublication.of(spec, output.getParent(), formats, conf).run(conf);
      return;
    }
    RunRecord run =
        RunRecord.of(
            published.toString(),
            output.toString(),
            "",
            UserGroupInformation.getCurrentUser().getShortUserName(),
            Map.of());
    // a job that the user has written: other runs to the same path are kept out until it is done
    try (RunFolder folder = RunFolder.claim(RunFolder.of(published), run, job -> true, conf)) {
      DatasetPublication.of(spec, folder.path(), output, formats, conf).run(conf);
    }
  }

  private static JobContext safely(JobContext job) {
    return new JobContextImpl(safely(job.getConfiguration()), job.getJobID());
  }

  /**
   * Returns a configuration with algorithm 1 of Hadoop's file committer, because algorithm 2, the
   * default of {@code mapreduce.fileoutputcommitter.algorithm.version} in Hadoop 3.4, publishes
   * files of jobs that fail later; and without _SUCCESS unless the user requests it.
   */
  private static Configuration safely(Configuration conf) {
    Configuration safe = new Configuration(conf);
    safe.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    safe.setBooleanIfUnset(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    return safe;
  }
}
