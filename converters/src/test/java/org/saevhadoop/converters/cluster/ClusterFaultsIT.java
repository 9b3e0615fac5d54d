package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.converters.cluster.YarnCluster.path;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
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
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.jobs.convert.Conversion;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobFailedException;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.shuffle.Shuffle;

/**
 * Conversions on HDFS and YARN whose tasks fail, die or find damaged data. They run at once, as
 * their tasks mostly wait.
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
  @Tag("long")
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
  @Tag("long")
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
  @Tag("long")
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

  private static FileSystem fs() {
    return cluster.fs();
  }
}
