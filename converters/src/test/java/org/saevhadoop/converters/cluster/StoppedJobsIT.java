package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.converters.cluster.YarnCluster.path;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.JobFailedException;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;

/** Conversions on HDFS and YARN whose master or client dies or is stopped. */
@Tag("cluster")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(ClusterExtension.class)
@Order(1)
class StoppedJobsIT {
  /** A time in minutes that no job takes, on whatever machine. */
  private static final int LIMIT = 15;

  @TempDir static Path folder;
  private static YarnCluster cluster;

  @BeforeAll
  static void useCluster(YarnCluster shared) throws IOException {
    cluster = shared;
    fs().copyFromLocalFile(path(Fixtures.pickle("spec")), path("/stopped/data/spec"));
  }

  @Test
  @Tag("long")
  void aLostMasterIsDistinguishedFromAFailedJobAndFollowedByAnother() throws IOException {
    assertLostTwice("/data/", Fixtures.SMALL);
  }

  @Test
  @Tag("long")
  void soIsOneThatIsLostAfterTheJobThatStages() throws IOException {
    assertLostTwice("/stopped/data/", "spec");
  }

  private static void assertLostTwice(String parent, String dataset) throws IOException {
    String target = "/stopped/lost-" + dataset;
    String options = "--to safetensors -Dyarn.app.mapreduce.am.command-opts=-Xmx1k";
    Cli cli = Cli.run(cluster.conf(), "convert", parent + dataset, target, options.split(" "));
    cli.failsWithText("the application master failed", "yarn logs -applicationId application_");
    assertThat(((JobFailedException) cli.failure()).lostMaster()).isTrue();
    assertThat(cli.stderr()).containsOnlyOnce("the job is submitted again");
    assertThat(fs().exists(path(target))).isFalse();
  }

  @Test
  @Tag("long")
  void theCommitOfAMasterThatDiesInItIsRepeatedByTheNextOne() throws Exception {
    CompletableFuture<Cli> run =
        beginGated("/stopped/commit", "/stopped/_commit[.]saev-hadoop/work");
    ApplicationId application = cluster.application("/stopped/_commit.saev-hadoop", run);
    cluster.await(run, cluster.staging(application, "COMMIT_STARTED"));
    List<ProcessHandle> masters = YarnCluster.processes("MRAppMaster", application);
    masters.forEach(ProcessHandle::destroyForcibly);
    boolean ended = fs().exists(path(cluster.staging(application, "COMMIT_SUCCESS")));
    openGate("/stopped/commit");
    run.get(LIMIT, TimeUnit.MINUTES).succeeds();
    assertThat(masters).isNotEmpty();
    assertThat(ended).as("the commit had ended").isFalse();
    cluster.assertSameAsLocal("/stopped/commit", "--to", "safetensors", "--batch-size", 1);
  }

  /** Begins a conversion whose requests for some paths wait until its gate is opened. */
  private static CompletableFuture<Cli> beginGated(String destination, String paths)
      throws IOException {
    fs().create(path(destination + ".gate")).close();
    Configuration client = GatedFileSystem.client(cluster.conf(), destination + ".gate", paths);
    return YarnCluster.begin(client, YarnCluster.inParts(destination));
  }

  private static void openGate(String destination) throws IOException {
    assertThat(fs().delete(path(destination + ".gate"), false)).isTrue();
  }

  @Test
  @Tag("long")
  void aConversionThatWasKilledOnTheClusterContinuesWithTheMissingFiles() throws Exception {
    // the tasks of a master run one after another: all but the first one wait, whichever that is
    String folder = "/stopped/_resumed.saev-hadoop";
    String complete = folder + "/data/part-*";
    Configuration client = GatedFileSystem.client(cluster.conf(), complete, ".*/part-.*");
    CompletableFuture<Cli> run = YarnCluster.begin(client, YarnCluster.inParts("/stopped/resumed"));
    ApplicationId application = cluster.application(folder, run);
    cluster.await(run, complete);
    kill(application);
    Cli killed = run.get(LIMIT, TimeUnit.MINUTES);
    assertThat(killed.exitCode()).as(killed.stderr()).isEqualTo(1);
    List<String> lines = killed.stderr().lines().toList();
    assertThat(lines.get(lines.size() - 1))
        .startsWith(application + " was killed by user ")
        .doesNotContain("memory");
    assertThat(killed.stderr()).contains("1 of 5 files are complete");
    assertThat(fs().exists(path("/stopped/resumed"))).isFalse();
    Object[] again = YarnCluster.inParts("/stopped/resumed", "--resume", "--json");
    Cli resumed = Cli.run(cluster.local(), again).succeeds();
    assertThat(resumed.json().get("counters").get("examples").intValue()).isEqualTo(4);
    cluster.assertSameAsLocal("/stopped/resumed", "--to", "safetensors", "--batch-size", 1);
    assertThat(fs().exists(path(folder))).isFalse();
  }

  private static void kill(ApplicationId application) throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(cluster.conf());
      client.start();
      client.killApplication(application);
    }
  }

  /** When a call is interrupted: its job waits for a master, runs, or has only reducers left. */
  private enum Moment {
    SUBMITTED,
    RUNNING,
    REDUCING;

    boolean isReached(ApplicationReport report) {
      float progress = this == RUNNING ? 0 : 0.5f;
      return this == SUBMITTED
          || report.getYarnApplicationState() == YarnApplicationState.RUNNING
              && report.getProgress() >= progress;
    }
  }

  @Test
  void anInterruptedCallKillsItsJobAndLeavesNothing() throws Exception {
    assertKilledByInterrupt(Moment.SUBMITTED);
  }

  @ParameterizedTest
  @Tag("long")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SUBMITTED")
  void aCallThatIsInterruptedLaterKillsItsJobAndLeavesNothing(Moment moment) throws Exception {
    assertKilledByInterrupt(moment);
  }

  private static void assertKilledByInterrupt(Moment moment) throws Exception {
    CompletableFuture<ApplicationId> submitted = new CompletableFuture<>();
    RunListener listener =
        new RunListener() {
          @Override
          public void job(RunningJob job) {
            submitted.complete(ApplicationId.fromString(job.application()));
          }
        };
    String target = "/stopped/interrupted" + moment;
    Configuration conf = cluster.conf();
    conf.set("mapreduce.job.reduce.slowstart.completedmaps", "1");
    conf.set("saev.convert.plan", "shuffle"); // takes several seconds
    conf.setBoolean("mapreduce.job.ubertask.enable", false);
    Conversion conversion = Conversion.of("/data/" + Fixtures.SMALL, target, "safetensors", conf);
    FutureTask<Conversion.Result> call = new FutureTask<>(() -> conversion.run(listener));
    Thread thread = new Thread(call);
    thread.start();
    ApplicationId application = submitted.get(LIMIT, TimeUnit.MINUTES);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      while (!moment.isReached(yarn.getApplicationReport(application))) {
        assertThat(call).isNotDone();
        Thread.sleep(50);
      }
      thread.interrupt();
      assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
      assertThat(fs().exists(path(target))).isFalse();
      assertThat(fs().exists(path("/stopped/_interrupted" + moment + ".saev-hadoop"))).isFalse();
      assertThat(yarn.getApplicationReport(application).getFinalApplicationStatus())
          .isEqualTo(FinalApplicationStatus.KILLED);
    }
  }

  @Test
  void anInterruptedCallKillsTheJobsOfAllStreams() throws Exception {
    String other = "/stopped/data/other";
    fs().copyFromLocalFile(path(Fixtures.pickle("spec")), path(other));
    Set<ApplicationId> submitted = new ConcurrentSkipListSet<>();
    CountDownLatch both = new CountDownLatch(2);
    RunListener listener =
        new RunListener() {
          @Override
          public void job(RunningJob job) {
            submitted.add(ApplicationId.fromString(job.application()));
            both.countDown();
          }
        };
    Configuration conf = cluster.conf();
    conf.set("saev.input.with", other);
    conf.set("saev.input.renumber", "true");
    Conversion conversion =
        Conversion.of("/stopped/data/spec", "/stopped/streams", "safetensors", conf);
    FutureTask<Conversion.Result> call = new FutureTask<>(() -> conversion.run(listener));
    Thread thread = new Thread(call);
    thread.start();
    assertThat(both.await(LIMIT, TimeUnit.MINUTES)).isTrue();
    thread.interrupt();
    assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
    assertThat(fs().globStatus(path("/stopped/_streams*"))).isEmpty(); // with a hash in its name
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      assertThat(submitted).hasSize(2);
      for (ApplicationId application : submitted) {
        assertThat(yarn.getApplicationReport(application).getFinalApplicationStatus())
            .isEqualTo(FinalApplicationStatus.KILLED);
      }
    }
  }

  @Test
  void theJobOfAKilledClientKeepsItsFolderUntilItHasEnded() throws Exception {
    CompletableFuture<Cli> first = beginGated("/runs/first", ".*/part-00000.*");
    FileStatus[] jobs = cluster.await(first, "/runs/_first.saev-hadoop/application_*.json");
    // a killed client leaves a mark, the job, and a lock that is not renewed
    org.apache.hadoop.fs.Path dead = path("/runs/_second.saev-hadoop");
    fs().mkdirs(dead);
    Path record = KilledRun.of(Files.createDirectory(folder.resolve("runs")).resolve("second"));
    for (String name : new String[] {"run.json", "lock"}) {
      fs().copyFromLocalFile(path(record.resolve(name)), path(dead + "/" + name));
    }
    fs().setTimes(path(dead + "/lock"), 0, -1);
    FileUtil.copy(fs(), jobs[0].getPath(), fs(), dead, false, cluster.conf());
    Configuration local = cluster.local();
    Object[] second = {"convert", "/data/" + Fixtures.SMALL, "/runs/second", "--to", "safetensors"};
    Cli refused = Cli.run(local, second);
    openGate("/runs/first");
    Cli ended = first.get(LIMIT, TimeUnit.MINUTES).succeeds();
    String application = jobs[0].getPath().getName().replace(".json", "");
    refused.failsWithText(
        "/runs/_second.saev-hadoop: ",
        "has not ended",
        "yarn application -status " + application + " shows its state");
    assertThat(ended.lastLine()).isEqualTo(fs().getUri() + "/runs/first");
    Cli.run(local, second).succeeds();
    assertThat(fs().listStatus(path("/runs")))
        .extracting(status -> status.getPath().getName())
        .containsExactlyInAnyOrder("first", "second");
  }

  private static FileSystem fs() {
    return cluster.fs();
  }
}
