package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Objects;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.util.ConfigUtil;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.jobs.server.ServerRetries;
import org.saevhadoop.jobs.server.Servers;
import org.saevhadoop.mapreduce.conf.CommandConfiguration;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.input.SourcesInputFormat;
import org.saevhadoop.mapreduce.io.HadoopFolder;
import org.saevhadoop.mapreduce.io.StoredChecksum;
import org.saevhadoop.mapreduce.io.Uninterrupted;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.ProjectKeys;
import org.saevhadoop.mapreduce.publish.storage.RunStorage;

/**
 * Runs jobs over datasets, in this process or on YARN, and has what the verbs that submit them
 * share: a configuration, a listener, the servers that have answered, and a folder for temporary
 * files. It is used by one thread; any number of runners may be at work in a JVM.
 */
public final class JobRunner implements Closeable {
  private final CommandConfiguration source;
  private final RunListener listener;
  private final DatasetFormats formats;
  private @Nullable Configuration conf;
  private @Nullable Servers servers;
  private @Nullable ScratchFolder scratch;

  private JobRunner(CommandConfiguration source, RunListener listener, DatasetFormats formats) {
    this.source = source;
    this.formats = formats;
    this.listener = listener;
  }

  /**
   * Creates a runner for all formats; see {@link #open(Configuration, RunListener,
   * DatasetFormats)}.
   */
  public static JobRunner open(Configuration conf, RunListener listener) throws IOException {
    return open(conf, listener, DatasetFormats.registry());
  }

  /**
   * Creates a runner. Site files are loaded into the configuration, and defaults are set for what
   * neither they nor the user set: the local runner uses the machine well, checksums of files on
   * HDFS are those of their bytes, and requests are repeated while a NameNode restarts. This must
   * happen before the first file is opened, because Hadoop caches file systems.
   *
   * @param conf becomes the runner's own
   */
  public static JobRunner open(Configuration conf, RunListener listener, DatasetFormats formats)
      throws IOException {
    return open(CommandConfiguration.of(conf), listener, formats);
  }

  /**
   * Creates a runner, as {@link #open(Configuration, RunListener, DatasetFormats)} does. If the
   * configuration contains nothing but defaults, it is created when it is first needed.
   */
  public static JobRunner open(
      CommandConfiguration source, RunListener listener, DatasetFormats formats)
      throws IOException {
    JobRunner runner = new JobRunner(source, listener, formats);
    if (!source.isDefault()) {
      runner.conf = prepared(source.get());
    }
    return runner;
  }

  private static Configuration prepared(Configuration conf) throws IOException {
    loadSiteFiles(conf);
    if (isLocal(conf)) {
      LocalRunner.prepare(conf);
    }
    if (!ConfSettings.isSetByUser(conf, StoredChecksum.MODE)) {
      conf.set(StoredChecksum.MODE, StoredChecksum.COMPOSITE);
    }
    ServerRetries.prepare(conf, !isLocal(conf));
    return conf;
  }

  /**
   * Loads the site files that exist. Hadoop itself loads core-site.xml only; the others follow with
   * the first class of MapReduce, YARN or HDFS, which is too late to ask whether jobs run on YARN,
   * or whether a key is set. Without any, a local command is spared Hadoop's defaults.
   */
  private static void loadSiteFiles(Configuration conf) {
    if (conf.getResource("mapred-site.xml") != null || conf.getResource("yarn-site.xml") != null) {
      ConfigUtil.loadResources();
    }
    if (conf.getResource("hdfs-site.xml") != null) {
      Configuration.addDefaultResource("hdfs-default.xml");
      Configuration.addDefaultResource("hdfs-site.xml");
    }
  }

  /** What is done with a runner. */
  @FunctionalInterface
  public interface Call<R> {
    R with(JobRunner runner) throws IOException, InterruptedException;
  }

  /**
   * Makes a call with a runner of its own, after the keys in the configuration were checked.
   *
   * @param conf the configuration, which is copied
   * @throws org.saevhadoop.format.settings.SettingException if the value of a key is invalid
   * @throws InterruptedException if the thread is interrupted; jobs have been killed
   */
  public static <R> R call(Configuration conf, RunListener listener, Call<R> call)
      throws IOException, InterruptedException {
    try (JobRunner runner = open(new Configuration(conf), listener, DatasetFormats.registry())) {
      ConfSettings.check(runner.conf(), ProjectKeys.of(runner.formats()), listener::warning);
      return call.with(runner);
    } catch (IOException | RuntimeException | Error e) {
      // interrupted reads and requests report it in their own way
      boolean isFailure = !(e instanceof Error) || e instanceof FSError; // a clause would load it
      if (isFailure && (Thread.interrupted() || isInterruption(e))) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    }
  }

  /** Returns whether a failure is that of a thread that was interrupted. */
  static boolean isInterruption(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof InterruptedException
          || cause instanceof ClosedByInterruptException
          || cause instanceof InterruptedIOException
              && !(cause instanceof SocketTimeoutException)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the configuration. */
  public Configuration conf() {
    if (conf == null) {
      try {
        conf = prepared(source.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return conf;
  }

  /** Returns the configuration; null if it contains nothing but defaults, and is not needed. */
  public @Nullable Configuration configured() {
    return source.isDefault() ? null : conf();
  }

  public RunListener listener() {
    return listener;
  }

  public void warning(String line) {
    listener.warning(line);
  }

  public DatasetFormats formats() {
    return formats;
  }

  public Servers servers() {
    if (servers == null) {
      servers = new Servers(conf(), listener::warning);
    }
    return servers;
  }

  /** Returns whether jobs run in this process. */
  public boolean isLocal() {
    return isLocal(conf());
  }

  private static boolean isLocal(Configuration conf) {
    return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME)
        .equals(MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  /** Returns a folder on the local disk for temporary files, which is deleted with the runner. */
  public java.nio.file.Path scratch() throws IOException {
    if (scratch == null) {
      scratch = new ScratchFolder(conf());
    }
    return scratch.path();
  }

  /** Returns the folder on the local disk in which runners create theirs. */
  public static java.nio.file.Path temporaryRoot(@Nullable Configuration conf) {
    return ScratchFolder.parent(conf);
  }

  /**
   * Returns the path of a folder for temporary files that all tasks of a job can reach: in the
   * local folder if the default file system is the local disk, else below /tmp. The folder does not
   * exist yet.
   *
   * @param purpose the purpose, as part of the name
   */
  public Path temporaryFolder(String purpose) throws IOException {
    Path root = temporaryRoot();
    String name = "saev-hadoop-" + purpose + "-" + UUID.randomUUID();
    return HadoopFolder.isLocal(root.getFileSystem(conf()))
        ? new Path("file", null, scratch().resolve(name).toString())
        : new Path(root, name);
  }

  /** Returns the folder in which folders for temporary files are created. */
  private Path temporaryRoot() throws IOException {
    servers().awaitServer(new Path("/"));
    FileSystem fs = FileSystem.get(conf());
    return HadoopFolder.isLocal(fs)
        ? new Path("file", null, temporaryRoot(conf()).toAbsolutePath().toString())
        : fs.makeQualified(new Path("/tmp"));
  }

  /**
   * Returns the folder in which folders for temporary files would be created.
   *
   * @throws IOException if nothing can be created there
   */
  public Path checkTemporaryRoot() throws IOException {
    Path root = temporaryRoot();
    if (HadoopFolder.isLocal(root.getFileSystem(conf()))) {
      ScratchFolder.check(conf());
    } else {
      RunStorage storage = RunStorage.of(root, conf());
      storage.checkWritable(storage.existing(root));
    }
    return root;
  }

  /**
   * Returns what a job would do, after the checks that precede its submission. Nothing is written.
   *
   * @throws IOException if the job would not be submitted
   */
  public JobPlan plan(DatasetJob<?> job) throws IOException, InterruptedException {
    servers().awaitServer(new Path("/"));
    boolean isTemporary = job.output().isTemporary();
    Path folder = isTemporary || isLocal() ? checkTemporaryRoot() : null;
    Job hadoop = create(job);
    job.output()
        .prepare(hadoop, isTemporary ? new Path(folder, UUID.randomUUID().toString()) : null);
    if (!isLocal()) {
      servers().reachResourceManager();
    }
    return JobAttempt.of(job, hadoop, this).plan(isTemporary ? folder : null);
  }

  /**
   * Runs a job and returns its result. A job whose output is temporary is submitted again if the
   * cluster loses its application master.
   *
   * @throws JobFailedException if the job ends without success
   * @throws IOException if it cannot be submitted, or its state is unknown, which does not mean
   *     that it has ended
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  public <R> R run(DatasetJob<R> job) throws IOException, InterruptedException {
    return job.output().isTemporary()
        ? new LostMasters(listener).repeat(() -> runOnce(job), () -> 0, "")
        : runOnce(job); // the verb continues from what is complete
  }

  private <R> R runOnce(DatasetJob<R> job) throws IOException, InterruptedException {
    servers().awaitServer(new Path("/"));
    try (TemporaryFolder temporary = temporary(job)) {
      Path folder = temporary == null ? null : temporary.path();
      Job hadoop = create(job);
      if (isLocal()) {
        LocalRunner.prepareJob(scratch(), hadoop.getConfiguration());
      }
      job.output().prepare(hadoop, folder);
      if (!isLocal()) {
        servers().reachResourceManager();
      }
      FinishedJob finished = JobAttempt.of(job, hadoop, this).run();
      return job.output().result(hadoop, finished, folder);
    }
  }

  /** Returns a folder for the output of a job; null if it is not temporary. */
  private @Nullable TemporaryFolder temporary(DatasetJob<?> job) throws IOException {
    if (!job.output().isTemporary()) {
      return null; // the user may not be allowed to write to /tmp
    }
    Path folder = temporaryFolder(job.step());
    return new TemporaryFolder(folder.getFileSystem(conf()), folder);
  }

  /** The jar of this program, for which Hadoop searches the whole class path each time. */
  private static final class OwnJar {
    static final @Nullable String PATH = JobConf.findContainingJar(JobRunner.class);
  }

  private Job create(DatasetJob<?> job) throws IOException {
    Job hadoop = Job.getInstance(conf(), job.name());
    Configuration own = hadoop.getConfiguration();
    if (OwnJar.PATH != null) {
      hadoop.setJar(OwnJar.PATH);
    }
    JobInput first = job.inputs().get(0);
    if (job.inputs().size() > 1) {
      for (JobInput input : job.inputs()) {
        SourcesInputFormat.add(own, input.format(), Objects.requireNonNull(input.spec()));
      }
      hadoop.setInputFormatClass(SourcesInputFormat.class);
    } else {
      InputSpec spec = first.spec();
      if (spec != null) {
        spec.toConf(own);
      }
      hadoop.setInputFormatClass(first.format());
    }
    ConfSettings.write(job.settings(), own);
    job.setTasks(hadoop);
    if (HadoopFolder.isLocal(FileSystem.get(own))) {
      // the current folder would be a text in the job's file, in which variables are expanded
      hadoop.setWorkingDirectory(new Path("/"));
    }
    return hadoop;
  }

  /**
   * Deletes temporary files and ends the contact with servers. Files are deleted even if the thread
   * is interrupted.
   */
  @Override
  public void close() throws IOException {
    if (servers != null) {
      servers.close();
    }
    if (scratch != null) {
      Uninterrupted.run(scratch::close);
    }
  }
}
