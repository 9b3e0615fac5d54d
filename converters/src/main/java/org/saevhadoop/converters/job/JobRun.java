package org.saevhadoop.converters.job;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.ErrorMessages;
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.converters.console.ProgressDisplay;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.mapreduce.io.SpoolFolder;
import org.saevhadoop.mapreduce.publish.RunFolder;

/** Runs a job, in the local runner or on YARN, and reduces the cause of a failure to one line. */
public final class JobRun {
  private static final long LOCAL_POLL_MILLIS = 20;
  private static final String LOCAL_FILES = "fs.file.impl";

  /**
   * The property of the folder to which snappy-java extracts its native library. If java.io.tmpdir
   * is full, it prints a stack trace.
   */
  private static final String SNAPPY_FOLDER = "org.xerial.snappy.tempdir";

  /** The keys of the folders in which the local runner keeps files of jobs. */
  private static final List<String> LOCAL_FOLDERS =
      List.of(
          "mapreduce.jobtracker.staging.root.dir",
          "mapreduce.jobtracker.system.dir",
          "mapreduce.cluster.local.dir",
          "mapreduce.cluster.temp.dir");

  /** The maximum time between the failure of a local job and the log of its cause. */
  private static final long LOCAL_REASON_MILLIS = 2000;

  private static final long CLUSTER_POLL_MILLIS = 500;

  private JobRun() {}

  /** A job failed. The message is that of the first failed task. */
  public static final class Failed extends IOException {
    private static final long serialVersionUID = 1L;

    Failed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Returns whether jobs run in this process. */
  public static boolean isLocal(Configuration conf) {
    return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME)
        .equals(MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  /**
   * Sets defaults with which the local runner uses the machine well: as many concurrent tasks as
   * there are cores, buffers that together fit in the heap, and a client that does not sleep for
   * five seconds.
   */
  public static void prepareLocal(Configuration conf) {
    if (!isLocal(conf)) {
      return;
    }
    int cores = Runtime.getRuntime().availableProcessors();
    long heapMiB = Runtime.getRuntime().maxMemory() >> 20;
    setDefault(conf, "mapreduce.local.map.tasks.maximum", cores);
    setDefault(conf, "mapreduce.local.reduce.tasks.maximum", cores);
    setDefault(conf, "mapreduce.client.completion.pollinterval", LOCAL_POLL_MILLIS);
    setDefault(conf, "mapreduce.client.progressmonitor.pollinterval", LOCAL_POLL_MILLIS);
    setDefault(conf, "mapreduce.task.progress-report.interval", 500);
    setDefault(conf, "mapreduce.task.io.sort.mb", Math.max(4, Math.min(100, heapMiB / 8 / cores)));
    setDefault(conf, "mapreduce.reduce.memory.totalbytes", (heapMiB << 20) / 4 / cores);
    setDefault(conf, "fs.local.block.size", 128L << 20);
  }

  /**
   * Lets jobs that run in this process write local files without child processes. Must be called
   * before the first file is opened, because Hadoop caches file systems.
   */
  public static void prepareLocalFiles(Configuration conf) {
    if (isLocal(conf) && !isSet(conf, LOCAL_FILES)) {
      conf.setClass(LOCAL_FILES, NioLocalFileSystem.class, FileSystem.class);
    }
  }

  /**
   * Submits a job and waits for its completion.
   *
   * @param bytes what its maps will read, for the progress shown
   * @param console takes the progress, and has the folder for temporary files
   * @throws Failed where the job ends without success
   * @throws IOException where it cannot be submitted or asked, which says nothing about its end
   */
  public static void run(Job job, String name, long bytes, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    run(job, name, bytes, null, console);
  }

  /**
   * Submits a job and waits for its completion.
   *
   * @param bytes the number of bytes that its maps will read, for the progress shown
   * @param folder the folder of the run, which records a job on YARN until it has ended; null if
   *     the job writes to no such folder
   * @param console takes the progress, and has the folder for temporary files
   * @throws Failed if the job ends without success
   * @throws IOException if it cannot be submitted, or its state is unknown, which does not mean
   *     that it has ended
   */
  public static void run(Job job, String name, long bytes, RunFolder folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    boolean local = isLocal(job.getConfiguration());
    if (local) {
      keepFilesIn(console.scratch(), job.getConfiguration());
      TokenRenewer.prepareLocal(job.getConfiguration());
    }
    long poll = local ? LOCAL_POLL_MILLIS : CLUSTER_POLL_MILLIS;
    // the working directory would be a text in the job's file, in which variables are expanded
    job.setWorkingDirectory(new Path("/"));
    awaitServers(job.getConfiguration(), console);
    try {
      job.submit();
    } catch (IOException | FSError e) {
      throw withPath(e, console);
    }
    if (!local && folder != null) {
      folder.record(YarnApplications.submitted(job));
    }
    try (ProgressDisplay progress = ProgressDisplay.of(name, bytes, console.err())) {
      long reduces = job.getNumReduceTasks() > 0 ? 2 : 1;
      while (!job.isComplete()) {
        float done = job.mapProgress() + (reduces > 1 ? job.reduceProgress() : 0);
        progress.at((long) (bytes * (double) done / reduces));
        Thread.sleep(poll);
      }
      if (folder != null) {
        folder.recordEnd();
      }
      if (job.isSuccessful()) {
        progress.at(bytes);
        return;
      }
    }
    throw failure(job, console);
  }

  /** Waits for the servers that the submission needs. */
  private static void awaitServers(Configuration conf, Console console) throws IOException {
    FirstContact contact = new FirstContact(conf, console::warn);
    contact.reach(new Path("/"));
    if (!isLocal(conf)) {
      contact.reachResourceManager();
    }
  }

  /**
   * Returns an error that names a path, if the local disk is full: Hadoop's own writes, of the
   * files of a job, report the phrase of the system only.
   */
  private static IOException withPath(Throwable failure, Console console) throws IOException {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FormatException named) {
        return named;
      }
      if (cause instanceof IOException full && WriteFailure.isFull(full)) {
        return WriteFailure.of(console.scratch(), "hold the files of the job", full);
      }
    }
    return failure instanceof IOException e ? e : new IOException(failure);
  }

  /**
   * Lets a job of the local runner keep its files in the folder of the command. By default the
   * runner uses one folder for all users of a machine.
   */
  private static void keepFilesIn(java.nio.file.Path folder, Configuration conf) {
    SpoolFolder.set(conf, folder);
    String libraries = System.getProperty(SNAPPY_FOLDER);
    if (libraries == null || Files.notExists(java.nio.file.Path.of(libraries))) {
      System.setProperty(SNAPPY_FOLDER, folder.toString());
    }
    for (String key : LOCAL_FOLDERS) {
      if (!isSet(conf, key)) {
        conf.set(key, folder.resolve(key).toString());
      }
    }
  }

  private static Failed failure(Job job, Console console) throws IOException, InterruptedException {
    Throwable local = isLocal(job.getConfiguration()) ? awaitLocalFailure(job) : null;
    if (local != null) {
      IOException cause = withPath(local, console);
      return new Failed(ErrorMessages.describe(cause), cause);
    }
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, Integer.MAX_VALUE)) {
      if (event.getStatus() == TaskCompletionEvent.Status.FAILED) {
        String[] diagnostics = job.getTaskDiagnostics(event.getTaskAttemptId());
        if (diagnostics.length > 0) {
          return new Failed(ErrorMessages.fromDiagnostics(diagnostics[0]), null);
        }
      }
    }
    String info = job.getStatus().getFailureInfo().replaceFirst("^Job commit failed: ", "");
    return new Failed(ErrorMessages.fromDiagnostics(info), null);
  }

  /**
   * Waits for the cause of a failure, which the local runner logs shortly after it reports the
   * failure.
   */
  private static Throwable awaitLocalFailure(Job job) throws InterruptedException {
    String id = job.getJobID().toString();
    Throwable failure = HadoopLog.takeLocalFailure(id);
    for (long waited = 0;
        failure == null && waited < LOCAL_REASON_MILLIS;
        waited += LOCAL_POLL_MILLIS) {
      Thread.sleep(LOCAL_POLL_MILLIS);
      failure = HadoopLog.takeLocalFailure(id);
    }
    return failure;
  }

  /** Returns whether a key is set other than by Hadoop's own defaults. */
  public static boolean isSet(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && !Arrays.stream(sources).allMatch(source -> source.endsWith("-default.xml"));
  }

  private static void setDefault(Configuration conf, String key, long value) {
    if (!isSet(conf, key)) {
      conf.setLong(key, value);
    }
  }
}
