package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.mapreduce.SaevInputFormat;

/** The same conversions on HDFS and YARN: the same bytes as in the local runner. */
@Tag("cluster")
class ClusterIT {
  private static final int BLOCK = 128 << 10;

  /** Splits of whole files, not of the many small blocks. */
  private static final String FEW_SPLITS =
      "-Dmapreduce.input.fileinputformat.split.minsize=10000000";

  @TempDir static Path folder;
  private static Path labelled;
  private static MiniDFSCluster dfs;
  private static MiniMRYarnCluster yarn;
  private static Configuration conf;
  private static FileSystem fs;

  @BeforeAll
  static void startClusters() throws IOException {
    Configuration start = new Configuration();
    start.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    start.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK);
    start.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    start.set("yarn.nodemanager.log.retain-seconds", "0");
    start.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99");
    start.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
    start.set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100");
    start.set("mapreduce.client.completion.pollinterval", "50");
    String quickly = "-Xmx400m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    start.set("mapreduce.map.java.opts", quickly);
    start.set("mapreduce.reduce.java.opts", quickly);
    start.set("mapreduce.map.maxattempts", "2");
    start.set(
        "yarn.app.mapreduce.am.command-opts",
        quickly + " --add-opens=java.base/java.lang=ALL-UNNAMED");
    dfs = new MiniDFSCluster.Builder(start, folder.resolve("dfs").toFile()).numDataNodes(2).build();
    fs = dfs.getFileSystem();
    yarn = new MiniMRYarnCluster("saev-hadoop", 1);
    start.set("fs.defaultFS", fs.getUri().toString());
    yarn.init(start);
    yarn.start();
    conf = new Configuration(yarn.getConfig());
    conf.set("fs.defaultFS", fs.getUri().toString());
    conf.set("mapreduce.framework.name", "yarn");
    labelled = Fixtures.labelled(Fixtures.D768, folder);
    for (Path dataset : new Path[] {labelled, Fixtures.saev(Fixtures.SMALL)}) {
      fs.copyFromLocalFile(hadoop(dataset), hadoop("/data/" + dataset.getFileName()));
    }
  }

  @AfterAll
  static void stopClusters() {
    if (yarn != null) {
      yarn.stop();
    }
    if (dfs != null) {
      dfs.shutdown();
    }
  }

  @Test
  void severalShardsASplitGiveTheSameBytesAsLocally() throws IOException {
    String source = "/data/" + Fixtures.D768;
    Cli cli = onCluster("convert", source, "/out/whole", "--to", "safetensors", "--batch-size", 5);
    assertThat(cli.stderr()).contains("map-only");
    assertThat(cli.lastLine()).isEqualTo(fs.getUri() + "/out/whole");
    assertSameAsLocal("/out/whole", "whole", "--to", "safetensors", "--batch-size", 5);
    String back = onCluster("convert", "/out/whole", "/out/back", "--to", "saev").lastLine();
    Path local = download(back);
    Fixtures.assertSameDataset(local, labelled);
  }

  @Test
  void filesAreSizedForTheTasksThatTheClusterHasRoomFor() throws IOException {
    Cli cli =
        onCluster(
            "convert",
            "/data/" + Fixtures.D768,
            "/out/sized",
            "--to",
            "safetensors",
            "-Dmapreduce.map.memory.mb=2048");
    // the node has 4 GiB and so room for two tasks; two of five examples are less than half
    assertThat(cli.stderr()).contains("convert: --batch-size=2, so that", "target files: 3");
  }

  @Test
  void severalSplitsAShardGiveTheSameBytesAsLocally() throws IOException {
    String source = "/data/" + Fixtures.D768;
    Cli cli =
        onCluster(
            "convert",
            source,
            "/out/pieces",
            "--to",
            "safetensors",
            "--batch-size",
            2,
            "-Dmapreduce.input.fileinputformat.split.maxsize=310000");
    assertThat(cli.stderr()).contains("shuffle");
    assertSameAsLocal("/out/pieces", "pieces", "--to", "safetensors", "--batch-size", 2);
    assertThat(onCluster("digest", "/out/pieces", FEW_SPLITS).text())
        .isEqualTo(ConvertTest.digest(Fixtures.saev(Fixtures.D768)));
  }

  @Test
  void aJobThatFailsSaysWhyAndLeavesNothing() throws IOException {
    Path tensors = folder.resolve("tensors");
    Cli.run(
            "convert",
            Fixtures.saev(Fixtures.SMALL),
            tensors,
            "--to",
            "safetensors",
            "--batch-size",
            3)
        .succeeds();
    String part = ConvertTest.files(tensors).get(2);
    byte[] bytes = Files.readAllBytes(tensors.resolve(part));
    bytes[8] = '[';
    Files.write(tensors.resolve(part), bytes);
    fs.copyFromLocalFile(hadoop(tensors), hadoop("/data/broken"));
    Cli.run(conf, "convert", "/data/broken", "/out/saev", "--to", "saev")
        .failsWithText("/data/broken/" + part + ": InvalidHeaderDeserialization");
    assertThat(
            fs.exists(hadoop("/out/saev")) ? fs.listStatus(hadoop("/out/saev")) : new FileStatus[0])
        .isEmpty();
  }

  @Test
  void theReportNamesTheApplicationThatStandardErrorHasAnnounced() throws IOException {
    String source = "/data/" + Fixtures.SMALL;
    Cli cli = onCluster("convert", source, "/out/json", "--to", "safetensors", "--json");
    String application = cli.json().get("applications").get(0).textValue();
    assertThat(application).matches("application_\\d+_\\d+");
    assertThat(cli.stderr())
        .containsPattern("convert: " + application + ", http\\S+" + application);
    assertThat(cli.json().get("path").textValue()).isEqualTo(fs.getUri() + "/out/json");
    assertThat(cli.json().get("counters").get("blocks").longValue()).isEqualTo(7 * 3);
  }

  @Test
  void aTaskWithoutMemoryNamesTheSettingsOfTheCluster() throws IOException {
    Cli cli =
        Cli.run(
            conf,
            "digest",
            "/data/" + Fixtures.SMALL,
            "-Dmapreduce.map.maxattempts=1",
            "-Dmapreduce.map.java.opts=-Xmx400m -XX:MaxDirectMemorySize=900k");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.stderr())
        .contains("a map task ran out of memory: ", "mapreduce.map.memory.mb", "yarn logs")
        .doesNotContain("SAEV_HADOOP_OPTS");
    assertThat(((JobRun.Failed) cli.failure()).lostMaster()).isFalse();
  }

  @Test
  void aLostMasterIsToldFromAFailedJob() throws IOException {
    Cli cli =
        Cli.run(
            conf,
            "convert",
            "/data/" + Fixtures.SMALL,
            "/out/lost",
            "--to",
            "safetensors",
            "-Dyarn.app.mapreduce.am.command-opts=-Xmx1k");
    cli.failsWithText("the application master failed", "yarn logs -applicationId application_");
    assertThat(((JobRun.Failed) cli.failure()).lostMaster()).isTrue();
    assertThat(cli.stderr()).containsOnlyOnce("the job is submitted again");
    assertThat(fs.exists(hadoop("/out/lost"))).isFalse();
  }

  @Test
  void theCommitOfAMasterThatDiesInItIsRepeatedByTheNextOne() throws Exception {
    CompletableFuture<Cli> run = inParts("/out/commit");
    ApplicationId application = application("/out/_commit.saev-hadoop", run);
    while (!staging(application, "COMMIT_STARTED")) {
      assertThat(run).isNotDone();
    }
    // the commit waits for the NameNode, and dies while it waits
    dfs.getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    boolean ended = staging(application, "COMMIT_SUCCESS");
    List<ProcessHandle> masters = masters(application);
    masters.forEach(ProcessHandle::destroyForcibly);
    dfs.getNameNodeRpc().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    run.get(3, TimeUnit.MINUTES).succeeds();
    assertThat(masters).isNotEmpty();
    assertThat(ended).as("the commit had ended").isFalse();
    assertSameAsLocal("/out/commit", "commit", "--to", "safetensors", "--batch-size", 1);
  }

  @Test
  void aConversionThatWasKilledOnTheClusterContinuesWithTheMissingFiles() throws Exception {
    CompletableFuture<Cli> run = inParts("/out/resumed");
    org.apache.hadoop.fs.Path folder = hadoop("/out/_resumed.saev-hadoop");
    ApplicationId application = application(folder.toString(), run);
    while (fs.globStatus(new org.apache.hadoop.fs.Path(folder, "data/*")).length == 0) {
      assertThat(run).isNotDone();
    }
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      client.killApplication(application);
    }
    Cli killed = run.get(3, TimeUnit.MINUTES);
    assertThat(killed.exitCode()).as(killed.stderr()).isEqualTo(1);
    Matcher complete = Pattern.compile("(\\d) of 5 files are complete").matcher(killed.stderr());
    assertThat(complete.find()).as(killed.stderr()).isTrue();
    int missing = 5 - Integer.parseInt(complete.group(1));
    assertThat(fs.exists(hadoop("/out/resumed"))).isFalse();
    Cli resumed = onCluster(parts("/out/resumed", "--resume", "--json"));
    assertThat(resumed.json().get("counters").get("examples").intValue()).isEqualTo(missing);
    assertSameAsLocal("/out/resumed", "resumed", "--to", "safetensors", "--batch-size", 1);
    assertThat(fs.exists(folder)).isFalse();
  }

  /** Begins a conversion in which each of five tasks writes one file. */
  private static CompletableFuture<Cli> inParts(String destination) {
    return CompletableFuture.supplyAsync(() -> Cli.run(conf, parts(destination)));
  }

  private static Object[] parts(String destination, Object... more) {
    Stream<Object> words =
        Stream.of("convert", "/data/" + Fixtures.D768, destination, "--to", "safetensors");
    return Stream.concat(Stream.concat(words, Stream.of("--batch-size", 1)), Stream.of(more))
        .toArray();
  }

  /** Waits for the application that is recorded in the folder of a run. */
  private static ApplicationId application(String folder, CompletableFuture<Cli> run)
      throws IOException {
    FileStatus[] recorded = {};
    while (recorded.length == 0) {
      assertThat(run).isNotDone();
      recorded = fs.globStatus(hadoop(folder + "/application_*.json"));
    }
    String name = recorded[0].getPath().getName();
    return ApplicationId.fromString(name.substring(0, name.indexOf('.')));
  }

  /** Returns whether a file is in the staging folder of a job. */
  private static boolean staging(ApplicationId application, String name) throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    String job = application.toString().replace("application", "job");
    String root = conf.get(MRJobConfig.MR_AM_STAGING_DIR);
    return fs.exists(hadoop(root + "/" + user + "/.staging/" + job + "/" + name));
  }

  private static List<ProcessHandle> masters(ApplicationId application) {
    return ProcessHandle.current()
        .descendants()
        .filter(
            process -> {
              String line = process.info().commandLine().orElse("");
              return line.contains("MRAppMaster") && line.contains(application.toString());
            })
        .toList();
  }

  @Test
  void theJobOfAKilledClientKeepsItsFolderUntilItHasEnded() throws Exception {
    String source = "/data/" + Fixtures.SMALL;
    CompletableFuture<Cli> first =
        CompletableFuture.supplyAsync(
            () -> Cli.run(conf, "convert", source, "/runs/first", "--to", "safetensors"));
    FileStatus[] jobs = {};
    while (jobs.length == 0 && !first.isDone()) {
      jobs = fs.globStatus(hadoop("/runs/_first.saev-hadoop/application_*.json"));
      Thread.sleep(50);
    }
    assertThat(jobs).as("the job is recorded").hasSize(1);
    // as a client that was killed leaves it: a mark and the job, and a lock that nobody holds
    org.apache.hadoop.fs.Path dead = hadoop("/runs/_second.saev-hadoop");
    fs.mkdirs(dead);
    Path record = KilledRun.of(Files.createDirectory(folder.resolve("runs")).resolve("second"));
    for (String name : new String[] {"run.json", "lock"}) {
      fs.copyFromLocalFile(hadoop(record.resolve(name)), hadoop(dead + "/" + name));
    }
    FileUtil.copy(fs, jobs[0].getPath(), fs, dead, false, conf);
    Configuration local = new Configuration(conf);
    local.set("mapreduce.framework.name", "local");
    Object[] second = {"convert", source, "/runs/second", "--to", "safetensors"};
    Cli refused = Cli.run(local, second);
    Cli ended = first.get(3, TimeUnit.MINUTES).succeeds();
    refused.failsWithText("/runs/_second.saev-hadoop: ", "have not ended");
    assertThat(ended.lastLine()).isEqualTo(fs.getUri() + "/runs/first");
    Cli.run(local, second).succeeds();
    assertThat(fs.listStatus(hadoop("/runs")))
        .extracting(status -> status.getPath().getName())
        .containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void splitsAreCutAtExamplesAndKnowTheirHosts() throws IOException, InterruptedException {
    Job job = Job.getInstance(conf);
    FileInputFormat.setInputPaths(job, "/data/" + Fixtures.D768);
    var splits = new SaevInputFormat().getSplits(job);
    // an example is larger than a block: each is a split of its own
    assertThat(splits).hasSize(5);
    for (InputSplit split : splits) {
      assertThat(split.getLocations()).isNotEmpty();
      assertThat(split.getLength()).isEqualTo(2 * 50 * 768 * 4);
    }
  }

  private static Cli onCluster(Object... args) {
    return Cli.run(conf, args).succeeds();
  }

  private static void assertSameAsLocal(String found, String name, Object... options)
      throws IOException {
    Path expected = folder.resolve("local-" + name);
    Object[] args = new Object[options.length + 3];
    args[0] = "convert";
    args[1] = labelled;
    args[2] = expected;
    System.arraycopy(options, 0, args, 3, options.length);
    Cli.run(args).succeeds();
    Path downloaded = download(found);
    assertThat(ConvertTest.files(downloaded)).isEqualTo(ConvertTest.files(expected));
    for (String file : ConvertTest.files(expected)) {
      assertThat(downloaded.resolve(file)).hasSameBinaryContentAs(expected.resolve(file));
    }
  }

  private static Path download(String path) throws IOException {
    Path local = Files.createTempDirectory(folder, "download").resolve(hadoop(path).getName());
    Files.createDirectory(local);
    for (FileStatus file : fs.listStatus(hadoop(path))) {
      try (var in = fs.open(file.getPath())) {
        Files.copy(in, local.resolve(file.getPath().getName()));
      }
    }
    return local;
  }

  private static org.apache.hadoop.fs.Path hadoop(Object path) {
    return new org.apache.hadoop.fs.Path(path.toString());
  }
}
