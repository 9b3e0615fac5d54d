package org.saevhadoop.jobs.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.util.ConfigUtil;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.storage.Uninterrupted;
import org.saevhadoop.jobs.server.ServerRetries;
import org.saevhadoop.jobs.server.Servers;
import org.saevhadoop.mapreduce.conf.CommandConfiguration;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.StoredChecksum;

/**
 * The objects that the runners of a command share, each created when it is first needed. Any number
 * of threads may use them.
 */
final class JobResources implements Closeable {
  /** The time after which an idle thread ends. */
  private static final long IDLE_SECONDS = 1;

  private final CommandConfiguration source;
  private final Consumer<String> warnings;
  private @Nullable Configuration conf;
  private @Nullable Servers servers;
  private Settings shared = Settings.NONE;
  private @Nullable ScratchFolder scratch;
  private @Nullable ExecutorService mapTasks;

  JobResources(CommandConfiguration source, Consumer<String> warnings) throws IOException {
    this.source = source;
    this.warnings = warnings;
    if (!source.isDefault()) {
      conf = prepared(source.get());
    }
  }

  synchronized Configuration conf() {
    if (conf == null) {
      try {
        conf = prepared(source.get());
        ConfSettings.write(shared, conf);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return conf;
  }

  /** Returns the configuration; null if it contains nothing but defaults, and is not needed. */
  synchronized @Nullable Configuration configured() {
    return source.isDefault() ? null : conf();
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
   * Loads the site files that exist. Hadoop itself loads only core-site.xml; the others are loaded
   * with the first class of MapReduce, YARN or HDFS, which is too late to determine whether jobs
   * run on YARN, or whether a key is set. If none of these files exist, a local command does not
   * load Hadoop's defaults.
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

  /** Returns whether jobs run in this process. */
  static boolean isLocal(Configuration conf) {
    return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME)
        .equals(MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  synchronized Servers servers() {
    if (servers == null) {
      servers = new Servers(conf(), warnings);
    }
    return servers;
  }

  /** Sets keys that all jobs and file systems share. */
  synchronized void share(Settings settings) {
    shared = shared.and(settings);
    if (conf != null) {
      ConfSettings.write(settings, conf);
    }
  }

  synchronized Settings shared() {
    return shared;
  }

  /** Returns a folder on the local disk for temporary files, which is deleted at the end. */
  synchronized Path scratch() throws IOException {
    if (scratch == null) {
      scratch = new ScratchFolder(configured());
    }
    return scratch.path();
  }

  /** Returns the threads that run the map tasks of all jobs. */
  synchronized ExecutorService mapTasks(int threads) {
    if (mapTasks == null) {
      ThreadPoolExecutor created =
          new ThreadPoolExecutor(
              threads,
              threads,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              task -> new Thread(task, "map task"));
      created.allowCoreThreadTimeOut(true);
      mapTasks = created;
    }
    return mapTasks;
  }

  /**
   * Deletes temporary files and stops watching servers. Files are deleted even if the thread is
   * interrupted.
   */
  @Override
  public synchronized void close() throws IOException {
    if (mapTasks != null) {
      mapTasks.shutdown();
      mapTasks = null;
    }
    if (servers != null) {
      servers.close();
    }
    if (scratch != null) {
      Uninterrupted.run(scratch::close);
    }
  }
}
