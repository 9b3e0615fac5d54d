package org.saevhadoop.jobs.server;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.PrivilegedExceptionAction;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeMode;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.ContactKeys;

/**
 * The servers that a command needs. Each is asked once, before it is used: this request fails soon,
 * with one line, whereas Hadoop's clients would retry for minutes without a message. Time limits
 * are shortened only for this request; later requests use the clients as the user has configured
 * them. NameNodes that have answered are watched until this object is closed.
 */
public final class Servers implements Closeable {
  /** The time after which the user is told that the command is waiting. */
  private static final long SILENCE_MILLIS = 2000;

  /** Schemes of other programs, mapped to Hadoop's schemes for the same stores. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("s3", "s3a", "s3n", "s3a", "gcs", "gs", "az", "abfs", "dbfs", "abfs");

  /** The modules, from Hadoop or other projects, that contain the file system of a scheme. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "s3a", "hadoop-aws",
          "abfs", "hadoop-azure",
          "abfss", "hadoop-azure",
          "wasb", "hadoop-azure",
          "wasbs", "hadoop-azure",
          "gs", "gcs-connector",
          "oss", "hadoop-aliyun",
          "cosn", "hadoop-cos",
          "ofs", "ozone-filesystem-hadoop3",
          "o3fs", "ozone-filesystem-hadoop3");

  private final Configuration conf;
  private final Consumer<String> warnings;
  private final long timeoutMillis;

  private final Set<URI> reached = new HashSet<>();

  private @Nullable ServerWatch watch;
  private boolean hasReachedManager;

  /**
   * Creates an object that has not contacted any server.
   *
   * @param warnings accepts, on any thread, a line of text if an answer takes a few seconds
   */
  public Servers(Configuration conf, Consumer<String> warnings) {
    this.conf = conf;
    this.warnings = warnings;
    this.timeoutMillis = TimeUnit.SECONDS.toMillis(ConfSettings.get(conf, ContactKeys.TIMEOUT));
  }

  /**
   * Waits for an answer from the server of a path, unless the path is local or the server has
   * answered before. The file does not have to exist.
   *
   * @throws FormatException if there is no such file system, or its server does not answer
   */
  public synchronized void awaitServer(Path path) throws IOException {
    URI named = path.toUri();
    boolean isDefault = named.getScheme() == null;
    URI uri = isDefault ? FileSystem.getDefaultUri(conf) : named;
    if (uri.getScheme().equals("file")) {
      return;
    }
    checkScheme(path.toString(), uri.getScheme());
    if (uri.getAuthority() == null
        && uri.getScheme().equals(FileSystem.getDefaultUri(conf).getScheme())) {
      isDefault = true;
      uri = FileSystem.getDefaultUri(conf);
    }
    if (uri.getAuthority() != null && timeoutMillis > 0) {
      URI root = URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
      if (reached.contains(root)) {
        return;
      }
      RemoteServer server = RemoteServer.ofFileSystem(path.toString(), root, isDefault, conf);
      if (root.getScheme().equals("hdfs") && root.getHost() == null) { // with an underscore
        throw unknownHost(server);
      }
      await(server, () -> ask(root, server.addresses().size()));
      reached.add(root);
      if (server.isNameNode()) {
        watch = watch == null ? new ServerWatch(conf, warnings) : watch;
        watch.add(server, root);
      }
    }
  }

  /** Returns whether the server of a file system answers in time. */
  boolean answers(RemoteServer server, URI root) throws IOException {
    try {
      await(server, () -> ask(root, server.addresses().size()));
      return true;
    } catch (FormatException e) {
      if (e.kind() == ContactError.UNREACHABLE || e.kind() == ContactError.NO_ANSWER) {
        return false;
      }
      throw e;
    }
  }

  private void checkScheme(String path, String scheme) throws IOException {
    if (scheme.equals("http") || scheme.equals("https")) {
      throw ContactError.UNSUPPORTED_SCHEME.in(
          path,
          "%s: can be neither read nor written (expected a path on a file system such as file:,"
              + " hdfs: or s3a:; download the files first)",
          scheme);
    }
    ContactError.UNSUPPORTED_SCHEME.check(
        !scheme.equals("hf"),
        path,
        "hf: can be neither read nor written (expected a local copy: huggingface-cli download"
            + " REPOSITORY --repo-type dataset --local-dir FOLDER)");
    try {
      FileSystem.getFileSystemClass(scheme, conf);
    } catch (UnsupportedFileSystemException e) {
      if (LIBRARIES.containsKey(scheme)) {
        throw missingLibrary(path, scheme).causedBy(e);
      }
      if (OTHER_NAMES.containsKey(scheme)) {
        throw ContactError.UNSUPPORTED_SCHEME
            .in(
                path,
                "unknown file system %s: (expected %s%s, or fs.%s.impl with its class)",
                scheme,
                OTHER_NAMES.get(scheme),
                path.substring(scheme.length()),
                scheme)
            .causedBy(e);
      }
      throw ContactError.UNSUPPORTED_SCHEME
          .in(
              path,
              "unknown file system %s: (expected file:, hdfs:, webhdfs:, s3a:, abfs:, gs: or"
                  + " another Hadoop file system; fs.%s.impl names its class)",
              scheme,
              scheme)
          .causedBy(e);
    } catch (RuntimeException e) {
      if (find(e, ClassNotFoundException.class) == null) {
        throw e;
      }
      throw missingLibrary(path, scheme).causedBy(e);
    }
  }

  private static FormatException missingLibrary(String path, String scheme) {
    return ContactError.MISSING_LIBRARY.in(
        path,
        "the library for the file system %s: is not on the class path (expected %s and its"
            + " dependencies, in HADOOP_CLASSPATH or -libjars)",
        scheme,
        LIBRARIES.getOrDefault(scheme, "the jar that contains its class"));
  }

  /**
   * Waits for an answer from the ResourceManager, unless it has answered before.
   *
   * @throws FormatException if it does not answer
   */
  public synchronized void reachResourceManager() throws IOException {
    if (timeoutMillis > 0 && !hasReachedManager) {
      await(RemoteServer.resourceManager(conf), this::askResourceManager);
      hasReachedManager = true;
    }
  }

  private Void ask(URI root, int servers) throws IOException {
    Configuration once = withoutRetries(servers);
    once.setBoolean(ServerRetries.NAMENODE, false);
    shorten(once, "dfs.client.failover.max.attempts", servers - 1);
    once.setBoolean("dfs.client.failover.random.order", false); // the last error is reported
    try (FileSystem fs = FileSystem.newInstance(root, once)) {
      fs.getFileStatus(new Path("/"));
      if (fs instanceof SafeMode mode && mode.setSafeMode(SafeModeAction.GET)) {
        warnings.accept(root + " is in safe mode; writes will wait until it leaves safe mode");
      }
    }
    return null;
  }

  private Void askResourceManager() throws IOException, InterruptedException {
    int servers = RemoteServer.resourceManager(conf).addresses().size();
    Configuration once = withoutRetries(servers);
    once.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    shorten(once, "yarn.resourcemanager.connect.retry-interval.ms", 500);
    shorten(once, "yarn.resourcemanager.connect.max-wait.ms", 500);
    shorten(once, "yarn.client.failover-max-attempts", servers - 1);
    Cluster cluster = new Cluster(once);
    try {
      cluster.getClusterStatus();
    } finally {
      cluster.close();
    }
    return null;
  }

  /** Returns a configuration in which each server is asked once, within its share of the time. */
  private Configuration withoutRetries(int servers) {
    Configuration once = new Configuration(conf);
    int millis = (int) (timeoutMillis / servers);
    shorten(once, "ipc.client.connect.max.retries", 0);
    shorten(once, "ipc.client.connect.max.retries.on.timeouts", 0);
    shorten(once, "ipc.client.connect.max.retries.on.sasl", 0);
    shorten(once, "ipc.client.connect.timeout", millis);
    shorten(once, "ipc.client.rpc-timeout.ms", millis);
    shorten(once, "dfs.client.failover.sleep.base.millis", 50);
    return once;
  }

  private static void shorten(Configuration once, String key, int value) {
    if (!ConfSettings.isSetByUser(once, key)) {
      once.setInt(key, value);
    }
  }

  private void await(RemoteServer server, Callable<Void> question) throws IOException {
    // from JDK 24 on, a new thread does not inherit the user
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    FutureTask<Void> answer =
        new FutureTask<>(() -> user.doAs((PrivilegedExceptionAction<Void>) question::call));
    Thread thread = new Thread(answer, "first contact with " + server.shownAddresses());
    thread.setDaemon(true);
    thread.start();
    try {
      await(server, answer);
    } catch (TimeoutException e) {
      boolean kerberos = SecurityFailure.awaitsKerberos(thread);
      throw (kerberos ? noKerberos(server) : noAnswer(server)).causedBy(e);
    } catch (ExecutionException e) {
      // other failures, such as a missing permission, are left to the operation that follows
      FormatException failure = failure(server, e.getCause());
      if (failure != null) {
        throw failure.causedBy(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      answer.cancel(true);
    }
  }

  private void await(RemoteServer server, FutureTask<Void> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    long silence = Math.min(SILENCE_MILLIS, timeoutMillis / 2);
    try {
      answer.get(silence, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      warnings.accept(
          "waiting for the %s %s, for up to %d s"
              .formatted(server.role(), server.shownAddresses(), timeoutMillis / 1000));
      answer.get(timeoutMillis - silence, TimeUnit.MILLISECONDS);
    }
  }

  private @Nullable FormatException failure(RemoteServer server, @Nullable Throwable thrown) {
    FormatException security = SecurityFailure.of(server, thrown);
    if (security != null) {
      return security;
    }
    if (find(thrown, UnknownHostException.class) != null) {
      return unknownHost(server);
    }
    if (find(thrown, SocketTimeoutException.class) != null) {
      return noAnswer(server);
    }
    if (find(thrown, LinkageError.class) != null) {
      return missingLibrary(server.path(), new Path(server.path()).toUri().getScheme());
    }
    Throwable closed = find(thrown, SocketException.class);
    closed = closed == null ? find(thrown, EOFException.class) : closed;
    return closed == null
        ? null
        : ContactError.UNREACHABLE.in(
            server.path(),
            "cannot connect to %s: %s (expected a running %s%s)",
            server.shownAddresses(),
            reason(closed),
            server.role(),
            server.origin());
  }

  private static FormatException unknownHost(RemoteServer server) {
    return ContactError.UNKNOWN_HOST.in(
        server.path(),
        "unknown host in %s (expected the host and port of a running %s%s)",
        server.shownAddresses(),
        server.role(),
        server.origin());
  }

  private FormatException noAnswer(RemoteServer server) {
    return ContactError.NO_ANSWER.in(
        server.path(),
        "no answer from %s for %d s (expected a running %s%s; %s sets the time)",
        server.shownAddresses(),
        timeoutMillis / 1000,
        server.role(),
        server.origin(),
        ContactKeys.TIMEOUT);
  }

  private FormatException noKerberos(RemoteServer server) {
    return ContactError.NO_ANSWER.in(
        server.path(),
        "no answer from Kerberos for %d s, which %s requires (expected a running KDC, as in"
            + " krb5.conf; %s sets the time)",
        timeoutMillis / 1000,
        server.shownAddresses(),
        ContactKeys.TIMEOUT);
  }

  /** Returns the reason that the operating system reports, without the advice that Hadoop adds. */
  private static String reason(Throwable closed) {
    Throwable first = closed;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return first instanceof SocketException && first.getMessage() != null
        ? first.getMessage()
        : "the connection was closed";
  }

  private static @Nullable Throwable find(
      @Nullable Throwable thrown, Class<? extends Throwable> type) {
    Throwable cause = thrown;
    while (cause != null && !type.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Stops watching servers. */
  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
