package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;

/**
 * A YARN of one NodeManager on the {@link Hdfs} of the tests, with the datasets {@link
 * Fixtures#D768}, labelled, and {@link Fixtures#SMALL} in {@code /data}. Tasks run in the
 * application master, which saves their JVMs, unless a test asks for containers.
 */
public final class YarnCluster implements AutoCloseable {
  /** For tests of containers, and of more tasks or reducers than a master runs. */
  static final String IN_CONTAINERS = "-Dmapreduce.job.ubertask.enable=false";

  private final Path folder;
  private final Path labelled;
  private final Configuration conf;

  /** Its files have several blocks. */
  private final FileSystem fs;

  YarnCluster(Hdfs hdfs) throws IOException {
    this.folder = hdfs.folder();
    MiniMRYarnCluster yarn = new MiniMRYarnCluster("saev-hadoop", 1);
    yarn.init(settings(hdfs.conf()));
    yarn.start();
    conf = client(yarn);
    fs = FileSystem.newInstance(conf);
    labelled = Fixtures.labelled(Fixtures.D768, folder);
    for (Path dataset : new Path[] {labelled, Fixtures.small()}) {
      fs.copyFromLocalFile(path(dataset), path("/data/" + dataset.getFileName()));
    }
  }

  private static Configuration settings(Configuration start) {
    start.setLong("dfs.blocksize", 2 * Hdfs.BLOCK);
    start.set("mapreduce.client.completion.pollinterval", "50");
    start.set("mapreduce.map.maxattempts", "2");
    start.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, 16 << 10);
    setQuick(start, "");
    return start;
  }

  /** Returns the configuration of clients of a cluster, whose tasks run in the master. */
  public static Configuration client(MiniMRYarnCluster yarn) {
    Configuration client = new Configuration(yarn.getConfig());
    client.set("mapreduce.framework.name", "yarn");
    client.setBoolean("mapreduce.job.ubertask.enable", true); // which a mini cluster switches off
    client.setLong("mapreduce.job.ubertask.maxbytes", 1 << 30);
    return client;
  }

  /** Sets what makes small jobs on a YARN of one node quick. */
  public static void setQuick(Configuration start, String jvmOptions) {
    start.set("yarn.nodemanager.log.retain-seconds", "0");
    start.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99");
    start.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
    start.set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100");
    // a master lives for five seconds after its job, and the next one would wait for its place
    start.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    start.set("yarn.app.mapreduce.am.resource.mb", "1024");
    String quickly = "-Xmx400m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC " + jvmOptions;
    start.set("mapreduce.map.java.opts", quickly);
    start.set("mapreduce.reduce.java.opts", quickly);
    start.set(
        "yarn.app.mapreduce.am.command-opts",
        quickly + " --add-opens=java.base/java.lang=ALL-UNNAMED");
  }

  /** Leaves the daemons to the end of this JVM, which their own end would delay by seconds. */
  @Override
  public void close() throws IOException {
    fs.close();
    ProcessHandle.current()
        .descendants()
        .filter(process -> process.info().commandLine().orElse("").contains(".mapred"))
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** Returns a new configuration of a client. */
  public Configuration conf() {
    return new Configuration(conf);
  }

  /** Returns a configuration of a client that runs jobs in its own process. */
  Configuration local() {
    Configuration local = conf();
    local.set("mapreduce.framework.name", "local");
    return local;
  }

  /** Returns the local copy of the labelled dataset. */
  public Path labelled() {
    return labelled;
  }

  public FileSystem fs() {
    return fs;
  }

  public static org.apache.hadoop.fs.Path path(Object path) {
    return new org.apache.hadoop.fs.Path(path.toString());
  }

  /** Runs a command, which succeeds. */
  public Cli run(Object... args) {
    return Cli.run(conf, args).succeeds();
  }

  /** Begins a command of a client. */
  public static CompletableFuture<Cli> begin(Configuration client, Object... args) {
    return CompletableFuture.supplyAsync(() -> Cli.run(client, args));
  }

  /**
   * Returns the command line of a conversion of the labelled dataset in which each of five tasks
   * writes one file.
   */
  public static Object[] inParts(String destination, Object... options) {
    String source = "/data/" + Fixtures.D768;
    return new Object[] {
      "convert", source, destination, "--to=safetensors", "--batch-size=1", options
    };
  }

  /** Waits for files that a running command writes. */
  public FileStatus[] await(CompletableFuture<Cli> run, String pattern)
      throws IOException, InterruptedException {
    FileStatus[] found = fs().globStatus(path(pattern));
    while (found == null || found.length == 0) {
      assertThat(run).isNotDone();
      Thread.sleep(20);
      found = fs().globStatus(path(pattern));
    }
    return found;
  }

  /** Waits for the application that is recorded in the folder of a run. */
  public ApplicationId application(String folder, CompletableFuture<Cli> run)
      throws IOException, InterruptedException {
    String name = await(run, folder + "/application_*.json")[0].getPath().getName();
    return ApplicationId.fromString(name.substring(0, name.indexOf('.')));
  }

  /** Returns the path of a file in the staging folder of a job. */
  public String staging(ApplicationId application, String name) throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    String job = application.toString().replace("application", "job");
    String root = conf.get(MRJobConfig.MR_AM_STAGING_DIR);
    return root + "/" + user + "/.staging/" + job + "/" + name;
  }

  /**
   * Returns the JVMs of an application.
   *
   * @param mainClass a part of the name of their main class
   */
  public static List<ProcessHandle> processes(String mainClass, ApplicationId application) {
    return ProcessHandle.current()
        .descendants()
        .filter(
            process -> {
              String line = process.info().commandLine().orElse("");
              return process.info().command().orElse("").endsWith("/java")
                  && line.contains(mainClass)
                  && line.contains(application.toString().replace("application", ""));
            })
        .toList();
  }

  /** Asserts that a dataset has the bytes of the labelled one after a local conversion. */
  public void assertSameAsLocal(String found, Object... options) throws IOException {
    Path expected = Files.createTempDirectory(folder, "local").resolve(path(found).getName());
    Cli.run("convert", labelled, expected, options).succeeds();
    ConvertTest.assertSameFiles(download(found), expected);
  }

  /** Copies a dataset to the local disk. */
  public Path download(String path) throws IOException {
    Path local = Files.createTempDirectory(folder, "download").resolve(path(path).getName());
    Files.createDirectory(local);
    for (FileStatus file : fs().listStatus(path(path))) {
      try (var in = fs().open(file.getPath())) {
        Files.copy(in, local.resolve(file.getPath().getName()));
      }
    }
    return local;
  }
}
