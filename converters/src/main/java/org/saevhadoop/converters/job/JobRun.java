package org.saevhadoop.converters.job;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.ErrorMessages;
import org.saevhadoop.converters.console.FinishedJob;
import org.saevhadoop.converters.console.ProgressDisplay;
import org.saevhadoop.format.io.ExternalException;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.WriteFailure;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.StoredChecksum;
import org.saevhadoop.mapreduce.publish.RunFolder;

/** Runs a job, in the local runner or on YARN, and reduces the cause of a failure to one line. */
public final class JobRun {
  private JobRun() {}

  /** A job failed. The message is the reason, on one line. */
  public static final class Failed extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean lostMaster;

    Failed(String message, Throwable cause, boolean lostMaster) {
      super(message, cause);
      this.lostMaster = lostMaster;
    }

    /**
     * Returns whether the application master died, as often as the cluster permits, while the job
     * itself had not failed: the state of the application is FAILED. The job may succeed if it is
     * submitted again.
     */
    public boolean lostMaster() {
      return lostMaster;
    }

    /** Returns whether the data is at fault, so that the job would fail again. */
    public boolean isBadData() {
      for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof FormatException) {
          return !(cause instanceof ExternalException);
        }
      }
      // of an exception in a task of a cluster, only the text is known
      return getCause() != null
          && String.valueOf(getCause().getMessage())
              .contains(FormatException.class.getName() + ": ");
    }
  }

  /** Returns whether jobs run in this process. */
  public static boolean isLocal(Configuration conf) {
    return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME)
        .equals(MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  /**
   * Prepares the configuration of a command: loads the site files, and sets defaults for what
   * neither they nor the user set. The local runner uses the machine well, checksums of files on
   * HDFS are those of their bytes, and requests are repeated while a NameNode restarts. Must be
   * called before the first file is opened, because Hadoop caches file systems.
   */
  public static void prepare(Configuration conf) throws IOException {
    SiteFiles.load(conf);
    if (isLocal(conf)) {
      LocalRunner.prepare(conf);
    }
    if (!isSet(conf, StoredChecksum.MODE)) {
      conf.set(StoredChecksum.MODE, StoredChecksum.COMPOSITE);
    }
    ServerRetries.prepare(conf);
  }

  /**
   * Submits a job and waits for its completion.
   *
   * @param bytes what its maps will read, for the progress shown
   * @param console takes the progress, and has the folder for temporary files
   * @throws Failed where the job ends without success
   * @throws IOException where it cannot be submitted or asked, which says nothing about its end
   */
  public static FinishedJob run(Job job, String step, long bytes, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    return run(job, step, bytes, null, console);
  }

  /**
   * Submits a job and waits for its completion.
   *
   * @param step what the command calls the job
   * @param bytes the number of bytes that its maps will read, for the progress shown
   * @param folder the folder of the run, which records a job on YARN until it has ended; null if
   *     the job writes to no such folder
   * @param console takes the progress and the finished job, and has the folder for temporary files
   * @throws Failed if the job ends without success
   * @throws IOException if it cannot be submitted, or its state is unknown, which does not mean
   *     that it has ended
   */
  public static FinishedJob run(Job job, String step, long bytes, RunFolder folder, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    boolean local = isLocal(job.getConfiguration());
    if (local) {
      LocalRunner.keepFilesIn(console.scratch(), job.getConfiguration());
      TokenRenewer.prepareLocal(job.getConfiguration());
    }
    awaitServers(job.getConfiguration(), console);
    if (HadoopFolder.isLocal(FileSystem.get(job.getConfiguration()))) {
      // the current folder would be a text in the job's file, in which variables are expanded
      job.setWorkingDirectory(new Path("/"));
    }
    long begun = System.nanoTime();
    submit(job, console);
    if (!local) {
      if (folder != null) {
        folder.record(YarnApplications.submitted(job));
      }
      announce(job, step, console);
    }
    boolean succeeded;
    try (ProgressDisplay progress = ProgressDisplay.of(step, bytes, console.err())) {
      succeeded =
          local
              ? awaitLocal(job, progress, bytes)
              : awaitOnYarn(job, step, progress, bytes, folder, console);
      if (folder != null) {
        folder.recordEnd();
      }
      if (succeeded) {
        progress.at(bytes);
      }
    }
    if (!succeeded) {
      throw local ? localFailure(job, console) : JobFailure.of(job);
    }
    double seconds = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 1000.0;
    FinishedJob finished =
        new FinishedJob(
            step,
            job.getJobName(),
            local ? null : YarnApplications.application(job.getJobID()).toString(),
            job.getNumReduceTasks(),
            seconds,
            JobCounters.of(job, console));
    console.add(finished);
    return finished;
  }

  private static void submit(Job job, Console console)
      throws IOException, InterruptedException, ClassNotFoundException {
    try {
      job.submit();
    } catch (IOException | FSError e) {
      throw withPath(e, console);
    }
  }

  private static void announce(Job job, String step, Console console) {
    console
        .err()
        .printf(
            "%s: %s, %s%n",
            step, YarnApplications.application(job.getJobID()), job.getTrackingURL());
  }

  private static boolean awaitOnYarn(
      Job job, String step, ProgressDisplay progress, long bytes, RunFolder folder, Console console)
      throws IOException, InterruptedException {
    YarnApplications applications = new YarnApplications(job.getConfiguration());
    try (JobFollower follower =
        new JobFollower(
            job, step, folder != null, () -> applications.report(job.getJobID()), console.err())) {
      return follower.await(progress, bytes);
    }
  }

  private static boolean awaitLocal(Job job, ProgressDisplay progress, long bytes)
      throws IOException, InterruptedException {
    int phases = job.getNumReduceTasks() > 0 ? 2 : 1;
    while (!job.isComplete()) {
      float done = job.mapProgress() + (phases > 1 ? job.reduceProgress() : 0);
      progress.at((long) (bytes * (double) done / phases));
      Thread.sleep(LocalRunner.POLL_MILLIS);
    }
    return job.isSuccessful();
  }

  /** Waits for the servers that the submission needs. */
  private static void awaitServers(Configuration conf, Console console) throws IOException {
    FirstContact contact = new FirstContact(console);
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

  private static Failed localFailure(Job job, Console console)
      throws IOException, InterruptedException {
    Throwable failure = LocalRunner.awaitFailure(job);
    if (failure == null) {
      String info = job.getStatus().getFailureInfo();
      return new Failed(ErrorMessages.fromDiagnostics(info), null, false);
    }
    IOException cause = withPath(failure, console);
    return new Failed(ErrorMessages.describe(cause, console.source()), cause, false);
  }

  /** Returns whether a key is set other than by Hadoop's own defaults. */
  public static boolean isSet(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && !Arrays.stream(sources).allMatch(source -> source.endsWith("-default.xml"));
  }
}
