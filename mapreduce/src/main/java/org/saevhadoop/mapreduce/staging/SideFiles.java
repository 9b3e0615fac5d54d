package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.output.AbortGuard;
import org.saevhadoop.mapreduce.output.CommitterSettings;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;
import org.saevhadoop.mapreduce.publish.RenamingCommitter;

/** Output format for tasks that write their own files instead of records. */
public final class SideFiles extends FileOutputFormat<NullWritable, NullWritable> {
  private static final SettingKey<String> FOLDER =
      SettingKey.internalName("saev.staging.folder", "The folder to which tasks write.");

  /**
   * Sets this class as the output format of a job, and sets the folder to which the tasks of the
   * job write. The folder is not passed as the output path of the job, in which Hadoop would expand
   * variables; the output path is the root of the file system, which only Hadoop's statistics use.
   */
  public static void setOutput(Job job, StoragePath folder) {
    Configuration conf = job.getConfiguration();
    conf.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    conf.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    job.setOutputFormatClass(SideFiles.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    ConfSettings.set(conf, FOLDER, folder.qualified());
    setOutputPath(job, PathArgument.root(HadoopPath.hadoop(folder)));
  }

  /** Creates the folder of a task, from which its files are moved when the task commits. */
  public static Folder create(TaskInputOutputContext<?, ?, ?, ?> task)
      throws IOException, InterruptedException {
    Configuration conf = task.getConfiguration();
    StoragePath work = HadoopPath.of(getWorkOutputPath(task), conf);
    HadoopRunStorage.createWithin(folder(conf), work, conf);
    return forced(work, conf);
  }

  private static Folder forced(StoragePath folder, Configuration conf) throws IOException {
    return folder.folder(ConfSettings.get(conf, OutputKeys.SYNC).forces(folder.isLocal()), false);
  }

  /** Returns the folder to which the tasks of a job write. */
  public static StoragePath folder(Configuration conf) throws IOException {
    return HadoopPath.of(new Path(ConfSettings.get(conf, FOLDER)), conf);
  }

  // unlike the superclass, does not read the output path of the job
  @Override
  public synchronized OutputCommitter getOutputCommitter(TaskAttemptContext task)
      throws IOException {
    // the next pass writes to the same folder
    return new AbortGuard(committer(task), task);
  }

  private static PathOutputCommitter committer(TaskAttemptContext task) throws IOException {
    Configuration conf = task.getConfiguration();
    StoragePath folder = folder(conf);
    RunStorage storage = HadoopRunStorage.of(folder, conf);
    if (storage.hasFolders()) {
      return new RenamingCommitter(TaskFiles.staged(storage, folder), task);
    }
    Path path = HadoopPath.hadoop(folder);
    TaskAttemptContext own =
        new TaskAttemptContextImpl(CommitterSettings.of(conf), task.getTaskAttemptID());
    return PathOutputCommitterFactory.getCommitterFactory(path, own.getConfiguration())
        .createOutputCommitter(path, own);
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    // the folder exists: it was created for this job, and an earlier pass may have written to it
    StorageTokens.obtain(job, HadoopPath.hadoop(folder(job.getConfiguration())));
  }

  @Override
  public RecordWriter<NullWritable, NullWritable> getRecordWriter(TaskAttemptContext task) {
    return new NullOutputFormat<NullWritable, NullWritable>().getRecordWriter(task);
  }
}
