package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.publish.run.JobFiles;
import org.saevhadoop.format.publish.run.TaskFiles;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.jobs.server.Servers;
import org.saevhadoop.mapreduce.conf.CommandConfiguration;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.PathArgument;
import org.saevhadoop.mapreduce.job.OutputKeys;
import org.saevhadoop.mapreduce.job.PlanningKeys;
import org.saevhadoop.mapreduce.job.ProjectKeys;
import org.saevhadoop.mapreduce.output.CommitterFiles;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/**
 * Runs jobs over datasets, in this process or on YARN, and holds the objects that verbs share: a
 * configuration, a listener, the servers that have answered, and a folder for temporary files. A
 * runner is used by one thread, and so is each runner that {@link #reportingTo} returns; several
 * runners may be used in a JVM at the same time.
 */
public final class JobRunner implements Closeable {
  /** The class name of Hadoop's error for a local disk; a catch clause would load the class. */
  private static final String DISK_ERROR = "org.apache.hadoop.fs.FSError";

  /** The number of jobs that are submitted to YARN at the same time. */
  private static final int MAX_SUBMITTED = 8;

  private final JobResources resources;
  private final RunListener listener;
  private final DatasetFormats formats;

  private JobRunner(JobResources resources, RunListener listener, DatasetFormats formats) {
    this.resources = resources;
    this.formats = formats;
    this.listener = listener;
  }

  /**
   * Creates a runner. Site files are loaded into the configuration, and defaults are set for keys
   * that neither the files nor the user set: the local runner uses the resources of the machine,
   * checksums of files on HDFS cover their bytes, and requests are repeated while a NameNode
   * restarts. This must happen before the first file is opened, because Hadoop caches file systems.
   *
   * @param conf the configuration, which the runner takes over and changes
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
    Consumer<String> warnings =
        line -> {
          synchronized (listener) { // any thread may wait for a server
            listener.warning(line);
          }
        };
    return new JobRunner(new JobResources(source, warnings), listener, formats);
  }

  /**
   * Returns a runner that shares everything with this one except the listener. Another thread may
   * use it at the same time; it ends with this runner, and does not have to be closed.
   */
  public JobRunner reportingTo(RunListener other) {
    return new JobRunner(resources, other, formats);
  }

  /** A function that uses a runner. */
  @FunctionalInterface
  public interface Call<R> {
    R with(JobRunner runner) throws IOException, InterruptedException;
  }

  /**
   * Checks the keys in the configuration, and calls a function with a new runner.
   *
   * @param conf the configuration, which is copied; null for the configuration on the class path
   * @throws org.saevhadoop.format.settings.SettingException if the value of a key is invalid
   * @throws InterruptedException if the thread is interrupted; its jobs have already been killed
   */
  public static <R> R call(@Nullable Configuration conf, RunListener listener, Call<R> call)
      throws IOException, InterruptedException {
    CommandConfiguration source =
        conf == null
            ? CommandConfiguration.ofSiteFiles()
            : CommandConfiguration.of(new Configuration(conf));
    try (JobRunner runner = open(source, listener, DatasetFormats.registry())) {
      ConfSettings.check(runner.configured(), ProjectKeys.of(runner.formats()), listener::warning);
      return call.with(runner);
    } catch (IOException | RuntimeException | Error e) {
      // interrupted reads and requests report it in their own way
      boolean isFailure = !(e instanceof Error) || e.getClass().getName().equals(DISK_ERROR);
      if (isFailure && (Thread.interrupted() || isInterruption(e))) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    }
  }

  /** Returns whether a failure was caused by an interrupt. */
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

  public Configuration conf() {
    return resources.conf();
  }

  /** Returns the configuration; null if it contains nothing but defaults, and is not needed. */
  public @Nullable Configuration configured() {
    return resources.configured();
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
    return resources.servers();
  }

  /** Sets keys that all jobs and file systems of this runner share. */
  public void share(Settings settings) {
    resources.share(settings);
  }

  /** Returns the value of a key that jobs share. */
  public <T> T shared(SettingKey<T> key) {
    Settings shared = resources.shared();
    return shared.isSet(key) ? shared.get(key) : ConfSettings.get(configured(), key);
  }

  /**
   * Returns the absolute path that the text denotes, after the server of the path has answered; the
   * path does not have to exist.
   *
   * @throws org.saevhadoop.format.io.FormatException if the text is not a valid path
   */
  public StoragePath path(String text) throws IOException {
    return path(text, configured());
  }

  /** Returns the path that the text denotes for one source, as {@link #path(String)} does. */
  public StoragePath path(String text, @Nullable Configuration ofSource) throws IOException {
    Optional<LocalPath> local = ofSource == null ? LocalPath.parse(text, true) : Optional.empty();
    if (local.isPresent()) {
      return local.get();
    }
    Configuration own = ofSource == null ? conf() : ofSource;
    servers().awaitServer(PathArgument.unqualified(text, own));
    return HadoopPath.parse(text, own);
  }

  /** Returns the absolute path that the text denotes. The server of the path is not contacted. */
  public StoragePath parse(String text) throws IOException {
    Optional<LocalPath> local =
        configured() == null ? LocalPath.parse(text, true) : Optional.empty();
    return local.isPresent() ? local.get() : HadoopPath.parse(text, conf());
  }

  public RunStorage storage(StoragePath path) {
    return path.isLocal()
        ? new LocalRunStorage(shared(OutputKeys.SYNC).forces(true))
        : HadoopRunStorage.of(path, conf());
  }

  /** Returns whether jobs run in this process; creates no configuration if none is needed. */
  public boolean isInProcess() {
    return configured() == null || isLocal();
  }

  /**
   * Returns the target size of a split of local data in bytes.
   *
   * @param least the minimum size, unless split sizes are configured
   */
  long splitBytes(long least) {
    Configuration configured = configured();
    if (configured == null) {
      return Math.max(least, LocalRunner.BLOCK_BYTES);
    }
    long min =
        hasSplitSizes(configured)
            ? Math.max(1, configured.getLong(FileInputFormat.SPLIT_MINSIZE, 1))
            : least;
    long max = configured.getLong(FileInputFormat.SPLIT_MAXSIZE, Long.MAX_VALUE);
    long block = configured.getLong(LocalRunner.BLOCK_SIZE, LocalRunner.BLOCK_BYTES);
    return Math.max(min, Math.min(max, block));
  }

  /** Returns whether the user has set split sizes. */
  static boolean hasSplitSizes(Configuration conf) {
    return ConfSettings.isSetByUser(conf, FileInputFormat.SPLIT_MINSIZE)
        || ConfSettings.isSetByUser(conf, FileInputFormat.SPLIT_MAXSIZE);
  }

  /** Returns the configured maximum size of a split in bytes. */
  public long maxSplitBytes() {
    Configuration configured = configured();
    return configured == null
        ? Long.MAX_VALUE
        : configured.getLong(FileInputFormat.SPLIT_MAXSIZE, Long.MAX_VALUE);
  }

  /** Returns the number of concurrent map tasks in this process. */
  public int mapThreads() {
    Configuration configured = configured();
    return configured == null
        ? Runtime.getRuntime().availableProcessors()
        : LocalRunner.mapTasks(configured);
  }

  /** Returns the threads of this process that run map tasks, in the order of their submission. */
  ExecutorService mapTasks() {
    return resources.mapTasks(mapThreads());
  }

  /**
   * Returns the number of jobs that may run at the same time: a job on YARN needs seconds to begin,
   * and a job in this process leaves threads idle at its beginning and end.
   */
  public int maxJobs() {
    if (!isInProcess()) {
      return MAX_SUBMITTED;
    }
    return shared(PlanningKeys.LOCAL_RUNNER) ? 1 : mapThreads(); // Hadoop's has threads of each job
  }

  /** Returns whether jobs run in this process. */
  public boolean isLocal() {
    return JobResources.isLocal(conf());
  }

  /** Returns a folder on the local disk for temporary files, which is deleted with the runner. */
  public java.nio.file.Path scratch() throws IOException {
    return resources.scratch();
  }

  /** Returns the folder on the local disk in which runners create their folders. */
  public static java.nio.file.Path temporaryRoot(@Nullable Configuration conf) {
    return ScratchFolder.parent(conf);
  }

  /**
   * Returns the folder in which {@link #scratch} would be created.
   *
   * @throws IOException if nothing can be created there
   */
  public StoragePath checkScratch() throws IOException {
    ScratchFolder.check(configured());
    return scratchRoot();
  }

  private StoragePath scratchRoot() {
    return new LocalPath(temporaryRoot(configured()).toAbsolutePath());
  }

  /**
   * Returns the path of a folder for temporary files that all tasks of a job can reach: in the
   * local folder if the default file system is the local disk, else below /tmp. The folder does not
   * exist yet.
   *
   * @param purpose the purpose, as part of the name
   */
  public StoragePath temporaryFolder(String purpose) throws IOException {
    StoragePath root = temporaryRoot();
    String name = "saev-hadoop-" + purpose + "-" + UUID.randomUUID();
    return root.isLocal() ? new LocalPath(scratch().resolve(name)) : root.child(name);
  }

  /** Returns the folder in which folders for temporary files are created. */
  private StoragePath temporaryRoot() throws IOException {
    StoragePath root = configured() == null ? null : path("/");
    return root == null || root.isLocal() ? scratchRoot() : root.child("tmp");
  }

  /**
   * Returns the folder in which folders for temporary files would be created.
   *
   * @throws IOException if nothing can be created there
   */
  public StoragePath checkTemporaryRoot() throws IOException {
    StoragePath root = temporaryRoot();
    if (root.isLocal()) {
      return checkScratch();
    }
    RunStorage storage = storage(root);
    storage.checkWritable(storage.existing(root));
    return root;
  }

  /**
   * One way to run a job.
   *
   * @param <R> the result of the job
   */
  interface Execution<R> extends Closeable {
    /**
     * Returns the plan of {@link #run}, after the checks that precede it. Nothing is written.
     *
     * @throws IOException if the job would not be run
     */
    JobPlan plan() throws IOException, InterruptedException;

    /**
     * Runs the job and returns its result.
     *
     * @throws JobFailedException if the job ends without success
     * @throws InterruptedException if the thread is interrupted; the job has been killed
     */
    R run() throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
  }

  /**
   * Returns the plan of a job, after the checks that precede it. Nothing is written.
   *
   * @throws IOException if the job would not be run
   */
  public JobPlan plan(DatasetJob<?> job) throws IOException, InterruptedException {
    try (Execution<?> execution = execution(job)) {
      return execution.plan();
    }
  }

  /**
   * Runs a job and returns its result.
   *
   * @throws JobFailedException if the job ends without success
   * @throws IOException if the job cannot be submitted, or its state is unknown, which does not
   *     mean that the job has ended
   * @throws InterruptedException if the thread is interrupted; the job has been killed
   */
  public <R> R run(DatasetJob<R> job) throws IOException, InterruptedException {
    try (Execution<R> execution = execution(job)) {
      return execution.run();
    }
  }

  private <R> Execution<R> execution(DatasetJob<R> job) throws IOException {
    return isInProcess() && job.isPlain() && !shared(PlanningKeys.LOCAL_RUNNER)
        ? new LocalTasks<>(job, job.output().local(job.task(), this), this)
        : new HadoopTasks<>(job, this);
  }

  /**
   * Returns the files of tasks in this process, with the kind of commit that their storage
   * requires.
   */
  public JobFiles committed(TaskFiles renamed) throws IOException {
    return renamed.target().isLocal() ? renamed : CommitterFiles.of(renamed, conf());
  }

  /**
   * Returns a call that runs as the current user: since JDK 24, a new thread does not inherit the
   * user.
   */
  public <T> Callable<T> asUser(Callable<T> call) throws IOException {
    if (configured() == null) {
      return call;
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    return () -> user.doAs((PrivilegedExceptionAction<T>) call::call);
  }

  /**
   * Deletes temporary files and stops watching servers. Files are deleted even if the thread is
   * interrupted.
   */
  @Override
  public void close() throws IOException {
    resources.close();
  }
}
