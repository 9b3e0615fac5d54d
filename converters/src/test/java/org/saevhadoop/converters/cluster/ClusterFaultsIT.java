package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.converters.cluster.YarnCluster.path;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobFailedException;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;
import org.saevhadoop.jobs.shuffle.Shuffle;

/**
 * Conversions on HDFS and YARN in which a process dies. They run at once, as their tasks mostly
 * wait.
 */
@Tag("cluster")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(ClusterExtension.class)
@Order(1)
class ClusterFaultsIT {
  /** A time in minutes that no job takes, on whatever machine. */
  private static final int LIMIT = 15;

  private static final Pattern ATTEMPT = Pattern.compile("attempt_\\d+_\\d+_m_\\d+_\\d+");

  @TempDir static Path folder;
  private static YarnCluster cluster;

  @BeforeAll
  static void useCluster(YarnCluster shared) throws IOException {
    cluster = shared;
    Path pickle = Fixtures.pickle("spec");
    fs().copyFromLocalFile(path(pickle), path("/data/spec"));
  }

  @Test
  void aJobThatFailsReportsWhyAndLeavesNothing() throws IOException {
    Path tensors = folder.resolve("tensors");
    Cli.convert(Fixtures.small(), tensors, "safetensors --batch-size 3").succeeds();
    String part = ConvertTest.files(tensors).get(2);
    ConvertTest.breakHeader(tensors.resolve(part));
    fs().copyFromLocalFile(path(tensors), path("/faults/data/broken"));
    Cli.run(cluster.conf(), "convert", "/faults/data/broken", "/faults/saev", "--to", "saev")
        .failsWithText("/faults/data/broken/" + part + ": InvalidHeaderDeserialization");
    assertThat(
            fs().exists(path("/faults/saev"))
                ? fs().listStatus(path("/faults/saev"))
                : new FileStatus[0])
        .isEmpty();
  }

  @Test
  void aTaskWithoutMemoryNamesTheSettingsOfTheCluster() throws IOException {
    String memory = "-Dmapreduce.map.java.opts=-Xmx400m -XX:MaxDirectMemorySize=900k";
    Object[] once = {
      "-Dmapreduce.map.maxattempts=1", "-Dmapreduce.input.fileinputformat.split.minsize=10000000"
    };
    Object[] digest = {"digest", "/data/" + Fixtures.SMALL, memory, once};
    Cli cli = Cli.run(cluster.conf(), digest, YarnCluster.IN_CONTAINERS);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.stderr())
        .contains("a map task ran out of memory: ", "mapreduce.map.memory.mb", "yarn logs")
        .doesNotContain("SAEV_HADOOP_OPTS");
    assertThat(((JobFailedException) cli.failure()).lostMaster()).isFalse();
  }

  @Test
  void aLostMasterIsDistinguishedFromAFailedJobAndFollowedByAnother() throws IOException {
    assertLostTwice(Fixtures.SMALL);
  }

  @Test
  @Tag("long")
  void soIsOneThatIsLostAfterTheJobThatStages() throws IOException {
    assertLostTwice("spec");
  }

  private static void assertLostTwice(String dataset) throws IOException {
    String target = "/faults/lost-" + dataset;
    String options = "--to safetensors -Dyarn.app.mapreduce.am.command-opts=-Xmx1k";
    Cli cli = Cli.run(cluster.conf(), "convert", "/data/" + dataset, target, options.split(" "));
    cli.failsWithText("the application master failed", "yarn logs -applicationId application_");
    assertThat(((JobFailedException) cli.failure()).lostMaster()).isTrue();
    assertThat(cli.stderr()).containsOnlyOnce("the job is submitted again");
    assertThat(fs().exists(path(target))).isFalse();
  }

  @Test
  void aTaskThatIsKilledAndOneThatHangsAreRepeated() throws Exception {
    String options = "--to=safetensors --batch-size=2";
    Object[] convert = {"convert", "/data/" + Fixtures.D768, "/faults/tasks", options.split(" ")};
    CompletableFuture<Cli> run =
        YarnCluster.begin(
            cluster.conf(),
            convert,
            YarnCluster.IN_CONTAINERS,
            "-Dmapreduce.map.memory.mb=512",
            "-Dmapreduce.map.speculative=true");
    ApplicationId application = cluster.application("/faults/_tasks.saev-hadoop", run);
    disturbTwoTasks(run, application);
    run.get(LIMIT, TimeUnit.MINUTES).succeeds();
    cluster.assertSameAsLocal("/faults/tasks", (Object[]) options.split(" "));
  }

  /** Kills a task of an application, and stops another one. */
  private static void disturbTwoTasks(CompletableFuture<Cli> run, ApplicationId application)
      throws IOException, InterruptedException {
    List<String> disturbed = new ArrayList<>();
    while (disturbed.size() < 2) {
      assertThat(run).isNotDone();
      for (ProcessHandle task : YarnCluster.processes("YarnChild", application)) {
        Matcher attempt = ATTEMPT.matcher(task.info().commandLine().orElse(""));
        if (attempt.find() && disturbed.size() < 2 && !disturbed.contains(attempt.group())) {
          // within the ten minutes of mapreduce.task.timeout, only speculation helps the second one
          String signal = disturbed.isEmpty() ? "-KILL" : "-STOP";
          new ProcessBuilder("kill", signal, Long.toString(task.pid())).start().waitFor();
          disturbed.add(attempt.group());
        }
      }
      Thread.sleep(50);
    }
  }

  /** The first pass writes rows in a folder of a longer name, and the second one the files. */
  @ParameterizedTest
  @Tag("long")
  @CsvSource({"first, .*, shuffle", "second, .saev-hadoop, convert"})
  void aShuffleWhoseTasksAreRepeatedHasTheBytesOfALocalRun(String pass, String runs, String step)
      throws Exception {
    String options = "--layers=11 --to=safetensors --batch-size=50 --provenance";
    Object[] shuffle = {"shuffle", "/data/" + Fixtures.D768, "/faults/" + pass, options.split(" ")};
    CompletableFuture<Cli> run =
        CompletableFuture.supplyAsync(
            () ->
                Cli.run(
                    cluster.conf(),
                    shuffle,
                    YarnCluster.IN_CONTAINERS,
                    "-Dmapreduce.map.memory.mb=512",
                    "-Dmapreduce.input.fileinputformat.split.maxsize=160000",
                    "-Dmapreduce.map.speculative=true",
                    "--json"));
    ApplicationId application = cluster.application("/faults/_" + pass + runs, run);
    disturbTwoTasks(run, application);
    Cli succeeded = run.get(LIMIT, TimeUnit.MINUTES).succeeds();
    JsonNode disturbed = succeeded.json().get("jobs").get(step.equals("shuffle") ? 0 : 1);
    assertThat(disturbed.get("step").textValue()).isEqualTo(step);
    assertThat(disturbed.get("application").textValue()).isEqualTo(application.toString());
    Path local = folder.resolve(pass);
    Cli.run("shuffle", cluster.labelled(), local, options.split(" ")).succeeds();
    ConvertTest.assertSameFiles(cluster.download("/faults/" + pass), local);
  }

  @Test
  void theCommitOfAMasterThatDiesInItIsRepeatedByTheNextOne() throws Exception {
    CompletableFuture<Cli> run = beginGated("/faults/commit", "/faults/_commit[.]saev-hadoop/work");
    ApplicationId application = cluster.application("/faults/_commit.saev-hadoop", run);
    cluster.await(run, cluster.staging(application, "COMMIT_STARTED"));
    List<ProcessHandle> masters = YarnCluster.processes("MRAppMaster", application);
    masters.forEach(ProcessHandle::destroyForcibly);
    boolean ended = fs().exists(path(cluster.staging(application, "COMMIT_SUCCESS")));
    openGate("/faults/commit");
    run.get(LIMIT, TimeUnit.MINUTES).succeeds();
    assertThat(masters).isNotEmpty();
    assertThat(ended).as("the commit had ended").isFalse();
    cluster.assertSameAsLocal("/faults/commit", "--to", "safetensors", "--batch-size", 1);
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
  void aConversionThatWasKilledOnTheClusterContinuesWithTheMissingFiles() throws Exception {
    // the tasks of a master run one after another: all but the first one wait, whichever that is
    String folder = "/faults/_resumed.saev-hadoop";
    String complete = folder + "/data/part-*";
    Configuration client = GatedFileSystem.client(cluster.conf(), complete, ".*/part-.*");
    CompletableFuture<Cli> run = YarnCluster.begin(client, YarnCluster.inParts("/faults/resumed"));
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
    assertThat(fs().exists(path("/faults/resumed"))).isFalse();
    Object[] again = YarnCluster.inParts("/faults/resumed", "--resume", "--json");
    Cli resumed = Cli.run(cluster.local(), again).succeeds();
    assertThat(resumed.json().get("counters").get("examples").intValue()).isEqualTo(4);
    cluster.assertSameAsLocal("/faults/resumed", "--to", "safetensors", "--batch-size", 1);
    assertThat(fs().exists(path(folder))).isFalse();
  }

  private static void kill(ApplicationId application) throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(cluster.conf());
      client.start();
      client.killApplication(application);
    }
  }

  /** Changes a bit of a staged file after the first job. */
  private static final class Damager implements RunListener {
    private static final String STAGED = " wait in ";
    private final String file;
    private final List<String> warnings = new ArrayList<>();
    private String staged = "";
    private boolean done;

    Damager(String file) {
      this.file = file;
    }

    @Override
    public void message(String line) {
      if (line.contains(STAGED)) {
        staged = line.substring(line.indexOf(STAGED) + STAGED.length());
      }
    }

    @Override
    public void warning(String line) {
      warnings.add(line);
    }

    @Override
    public void result(FinishedJob job) {
      if (done) {
        return;
      }
      done = true;
      try {
        FileStatus[] found = fs().globStatus(path(staged + "/" + file));
        byte[] bytes;
        try (var in = fs().open(found[0].getPath())) {
          bytes = in.readAllBytes();
        }
        bytes[bytes.length / 2] ^= 1;
        try (var out = fs().create(found[0].getPath(), true)) {
          out.write(bytes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void whatATaskFindsDamagedOnHdfsIsStagedAgain() throws Exception {
    assertStagedAgain(cluster.local(), "spec", "blocks-00000");
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({"spec, blocks-00000", Fixtures.SMALL + ", rows-*"})
  void whatATaskOfYarnFindsDamagedIsStagedAgainByTheClient(String dataset, String file)
      throws Exception {
    assertStagedAgain(cluster.conf(), dataset, file);
  }

  private static void assertStagedAgain(Configuration conf, String dataset, String file)
      throws Exception {
    Path local = Files.createTempDirectory(folder, "undamaged").resolve(dataset);
    Damager damager = new Damager(file);
    boolean shuffles = file.startsWith("rows");
    String source = "/data/" + dataset;
    String target = "/faults/" + local.getParent().getFileName();
    Conversion there = Conversion.of(source, target, "safetensors", conf);
    if (shuffles) {
      conf.set("saev.input.layers", "13");
      Shuffle.of(there, 7).run(damager);
      Cli.run("shuffle", Fixtures.small(), local, "--to=safetensors", "--layers=13", "--seed=7")
          .succeeds();
    } else {
      there.run(damager);
      Cli.convert(Fixtures.pickle(dataset), local, "safetensors").succeeds();
    }
    assertThat(damager.warnings)
        .filteredOn(line -> line.endsWith(" is damaged; it is made again"))
        .singleElement()
        .asString()
        .matches(".*/" + file.replace("*", ".*") + " is .*");
    ConvertTest.assertSameFiles(cluster.download(target), local);
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
    String target = "/faults/interrupted" + moment;
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
      assertThat(fs().exists(path("/faults/_interrupted" + moment + ".saev-hadoop"))).isFalse();
      assertThat(yarn.getApplicationReport(application).getFinalApplicationStatus())
          .isEqualTo(FinalApplicationStatus.KILLED);
    }
  }

  @Test
  void theJobOfAKilledClientKeepsItsFolderUntilItHasEnded() throws Exception {
    CompletableFuture<Cli> first = beginGated("/runs/first", ".*/part-00000.*");
    FileStatus[] jobs = cluster.await(first, "/runs/_first.saev-hadoop/application_*.json");
    // as a client that was killed leaves it: a mark and the job, and a lock that is no longer
    // renewed
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
