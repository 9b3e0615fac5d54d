package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.AuditedOperations;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.normalize.NormalizeError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.stats.DatasetStatistics;
import org.saevhadoop.jobs.stats.Statistics;
import org.saevhadoop.mapreduce.SaevInputFormat;

/** The same conversions on HDFS and YARN: the same bytes as in the local runner. */
@Tag("cluster")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(ClusterExtension.class)
@Order(2)
class ClusterIT {
  /** Splits of whole files, not of the many small blocks. */
  private static final String FEW_SPLITS =
      "-Dmapreduce.input.fileinputformat.split.minsize=10000000";

  private static final String SOURCE = "/data/" + Fixtures.D768;

  @TempDir static Path folder;
  private static YarnCluster cluster;
  private static Hdfs hdfs;

  @BeforeAll
  static void useCluster(Hdfs storage, YarnCluster shared) {
    hdfs = storage;
    cluster = shared;
  }

  /** Each task in a container of its own; the sizes of containers do not matter. */
  @Test
  void aConversionDoesWhatADryRunAnnouncesAndItsReportNamesTheApplication() throws Exception {
    String options = "--to safetensors --batch-size 3 --json -Dmapreduce.map.memory.mb=2048";
    Object[] convert = {"convert", SOURCE, "/out/sized", options.split(" ")};
    JsonNode plan = cluster.run(convert, "--dry-run").json();
    Cli cli = cluster.run(convert, "--verbose", YarnCluster.IN_CONTAINERS);
    assertThat(cli.stderr()).contains("convert: map-only: ");
    cluster.assertSameAsLocal("/out/sized", "--to", "safetensors", "--batch-size", 3);
    assertThat(plan.get("path")).isEqualTo(cli.json().get("path"));
    assertThat(plan.get("files")).isEqualTo(cli.json().get("files"));
    assertThat(plan.get("bytes_written")).isEqualTo(cli.json().get("bytes"));
    String application = cli.json().get("jobs").get(0).get("application").textValue();
    assertThat(application).matches("application_\\d+_\\d+");
    assertThat(cli.stderr())
        .containsPattern("convert: " + application + ", http\\S+" + application);
    Cluster jobs = new Cluster(cluster.conf());
    JobID job = JobID.forName(application.replace("application", "job"));
    assertThat(jobs.getJob(job).getTaskReports(TaskType.MAP)).hasSize(plan.get("tasks").intValue());
    jobs.close();
    assertThat(cli.json().get("path").textValue()).isEqualTo(cluster.fs().getUri() + "/out/sized");
    JsonNode report = cluster.run("inspect", "/out/sized", "--json").json();
    assertThat(report.get("bytes")).isEqualTo(cli.json().get("bytes"));
    assertThat(report.get("bytes_on_disk").longValue())
        .isGreaterThanOrEqualTo(report.get("bytes").longValue());
    assertThat(cli.json().get("counters").get("blocks").longValue()).isEqualTo(5 * 2);
    Object[] back = {"convert", "/out/sized", "/out/back", "--to", "saev"};
    Cli there = Cli.run(cluster.local(), back).succeeds();
    assertThat(there.lastLine()).startsWith(cluster.fs().getUri() + "/out/back/");
    Fixtures.assertSameDataset(cluster.download(there.lastLine()), cluster.labelled());
  }

  @Test
  @Tag("long")
  void severalDatasetsAreOneInTasksToo() throws IOException {
    String npy = "/several/npy";
    String pickle = "/several/pickle";
    Cli.run(cluster.local(), "convert", SOURCE, npy, "--to=npy", "--examples=0:2").succeeds();
    Cli.run(cluster.local(), "convert", SOURCE, pickle, "--to=pickle", "--examples=2:").succeeds();
    Object[] others = {"--with", pickle, "--with", SOURCE, "-Dsaev.input.2.examples=4"};
    Object[] last = {"--with", SOURCE, "-Dsaev.input.1.examples=4"};
    String digest = Cli.run(cluster.local(), "digest", SOURCE, last).succeeds().lastLine();
    assertThat(cluster.run("digest", npy, others).lastLine()).isEqualTo(digest);
    String out = "/several/all";
    cluster.run("convert", npy, out, "--to=safetensors", "--batch-size=3", others);
    assertThat(Cli.run(cluster.local(), "digest", out).lastLine()).isEqualTo(digest);
  }

  @Test
  @Tag("long")
  void severalSplitsAShardGiveTheSameBytesAsLocally() throws IOException {
    assertSameFromSplits("/out/pieces", "--batch-size=5");
  }

  @Test
  @Tag("long")
  void severalReducersGiveTheSameBytesAsLocally() throws IOException {
    assertSameFromSplits("/out/reduced", "--batch-size=3", YarnCluster.IN_CONTAINERS);
    assertThat(cluster.run("digest", "/out/reduced", FEW_SPLITS).text())
        .isEqualTo(ConvertTest.digest(Fixtures.saev(Fixtures.D768)));
  }

  private static void assertSameFromSplits(String out, String batches, String... options)
      throws IOException {
    String splits = "-Dmapreduce.input.fileinputformat.split.maxsize=620000";
    String format = "--to=safetensors";
    Cli cli = cluster.run("convert", SOURCE, out, format, batches, splits, "--verbose", options);
    assertThat(cli.stderr()).contains("convert: shuffle: ");
    cluster.assertSameAsLocal(out, format, batches);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"map-only", "shuffle"})
  void normalizedVectorsAreThoseOfALocalRun(String plan) throws IOException {
    Path local = Files.createTempDirectory(folder, "stats").resolve("stats.safetensors");
    Cli.run("stats", cluster.labelled(), "--to-safetensors", local).succeeds();
    String remote = "/normalized/" + plan + "/stats.safetensors";
    cluster.fs().copyFromLocalFile(YarnCluster.path(local), YarnCluster.path(remote));
    String out = "/out/normalized-" + plan;
    Object[] options = {"--to=safetensors", "--batch-size=3", "--normalize-by=center-scale"};
    Object[] convert = {"convert", SOURCE, out, options, "-Dsaev.convert.plan=" + plan};
    Cli.run(cluster.conf(), convert, "--normalize=file://" + local)
        .failsWithText(NormalizeError.NOT_SHARED, "local disk");
    cluster.run(convert, "--normalize=" + remote, "--verify");
    cluster.assertSameAsLocal(out, options, "--normalize=" + local);
    if (plan.equals("shuffle")) {
      Object[] shuffle = {"shuffle", SOURCE, "/out/shuffled-normalized", options, "--layers=11"};
      cluster.run(shuffle, "--unit=example", "--normalize=" + remote, "--verify");
    }
  }

  @Test
  void digestsAndSumsOnHdfsAreThoseOfALocalRun() throws IOException {
    assertSameDigests(cluster.local(), cluster.labelled());
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"saev", "safetensors --columns layers", "safetensors --kv", "pickle"})
  void digestsAndSumsOfYarnAreThoseOfALocalRun(String options) throws IOException {
    Path dataset = Files.createTempDirectory(folder, "digested").resolve("dataset");
    Cli converted = Cli.convert(cluster.labelled(), dataset, options).succeeds();
    assertSameDigests(cluster.conf(), converted.lastLinePath());
  }

  private static void assertSameDigests(Configuration conf, Path dataset) throws IOException {
    Path saved = Files.createTempDirectory(folder, "sums");
    String line =
        Cli.run("digest", dataset, "--save=" + saved.resolve("local")).succeeds().lastLine();
    String copy = "/digested/" + saved.getFileName() + "/" + dataset.getFileName();
    cluster.fs().copyFromLocalFile(YarnCluster.path(dataset), YarnCluster.path(copy));
    Cli remote =
        Cli.run(conf, "digest", copy, "--save=file://" + saved.resolve("remote")).succeeds();
    assertThat(remote.lastLine()).isEqualTo(line);
    assertThat(saved.resolve("remote")).hasSameTextualContentAs(saved.resolve("local"));
  }

  @Test
  void findingsOnHdfsAreThoseOfALocalRun() throws IOException {
    assertSameFindings(cluster.local(), "--duplicates");
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"", "--duplicates"})
  void findingsOfYarnAreThoseOfALocalRun(String options) throws IOException {
    assertSameFindings(cluster.conf(), options);
  }

  private static void assertSameFindings(Configuration conf, String options) throws IOException {
    Path dataset = Fixtures.copy(Fixtures.SMALL, Files.createTempDirectory(folder, "verified"));
    Path file = dataset.resolve("acts000001.bin");
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 64, 128, (byte) 0x3f);
    System.arraycopy(bytes, 128, bytes, 192, 64);
    Files.write(file, bytes);
    String copy = "/verify/" + dataset.getParent().getFileName() + "/" + dataset.getFileName();
    cluster.fs().copyFromLocalFile(YarnCluster.path(dataset), YarnCluster.path(copy));
    List<String> words = options.isEmpty() ? List.of("--json") : List.of("--json", options);
    JsonNode local = Cli.run("verify", dataset, words).json();
    JsonNode remote = Cli.run(conf, "verify", copy, words).json();
    assertThat(local.findValuesAsText("kind")).contains("CONSTANT_VECTOR", "DUPLICATE_VECTOR");
    for (String key : List.of("layers", "checked", "not_listed", "ok")) {
      assertThat(remote.get(key)).isEqualTo(local.get(key));
    }
    for (String key : List.of("kind", "where", "problem")) {
      assertThat(remote.findValuesAsText(key)).isEqualTo(local.findValuesAsText(key));
    }
  }

  @Test
  @Tag("long")
  void statisticsOnHdfsHaveTheBitsOfALocalRun() throws Exception {
    assertSameStatistics("local.npy", cluster.local());
  }

  @Test
  @Tag("long")
  void statisticsOfYarnHaveTheBitsOfALocalRun() throws Exception {
    assertSameStatistics("yarn.npy", cluster.conf());
  }

  /** Of 6 MiB of vectors of 16 values, in about 20 groups of examples. */
  private static void assertSameStatistics(String name, Configuration pieces) throws Exception {
    Path array = folder.resolve(name);
    Random random = new Random(11);
    ByteBuffer bytes = ByteBuffer.allocate(6 << 20).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; bytes.hasRemaining(); i++) {
      bytes.putFloat((float) (random.nextGaussian() * Math.pow(10, i % 7 - 3)));
    }
    bytes.putFloat(1_234_568, Float.NaN);
    long vectors = bytes.capacity() / (16 * Float.BYTES);
    OwnArrays.writeNpy(array, DType.F32, List.of(vectors, 16L), bytes.array());
    cluster.fs().copyFromLocalFile(YarnCluster.path(array), YarnCluster.path("/" + name));
    pieces.setLong(FileInputFormat.SPLIT_MINSIZE, 1 << 20); // of several blocks of the cluster
    pieces.setLong(FileInputFormat.SPLIT_MAXSIZE, 1 << 20);
    Statistics remote = Statistics.of("/" + name, pieces);
    assertThat(remote.describe(RunListener.NONE).get(0).tasks()).isBetween(4L, 8L);
    Configuration whole = new Configuration(false);
    whole.setLong(FileInputFormat.SPLIT_MINSIZE, 1 << 30);
    Statistics local = Statistics.of(array.toString(), whole);
    assertThat(local.describe(RunListener.NONE).get(0).tasks()).isEqualTo(1);
    DatasetStatistics expected = local.run(RunListener.NONE);
    assertThat(expected.layers().get(0).cosines().pairs()).isGreaterThan(4000);
    assertThat(remote.run(RunListener.NONE))
        .usingRecursiveComparison()
        .ignoringFields("path")
        .isEqualTo(expected);
  }

  @Test
  @Tag("long")
  void shuffledRowsOnHdfsHaveTheBytesOfALocalRun() throws IOException {
    assertSameRows(cluster.local(), "shuffled");
  }

  @Test
  @Tag("long")
  void rowsThatAreShuffledInContainersHaveTheBytesOfALocalRun() throws IOException {
    assertSameRows(cluster.conf(), "verified", YarnCluster.IN_CONTAINERS);
  }

  private static void assertSameRows(Configuration conf, String out, String... more)
      throws IOException {
    String options =
        "--layers 11 --tokens image --seed 7 --provenance --tokens-per-shard 100"
            + " -Dmapreduce.input.fileinputformat.split.maxsize=160000";
    Object[] shuffle = {"shuffle", SOURCE, "/out/" + out, options.split(" ")};
    JsonNode plan =
        Cli.run(conf, shuffle, "--dry-run", "--json").succeeds().json().get("datasets").get(0);
    assertThat(plan.get("tasks").intValue()).as("splits and files").isEqualTo(5 + 3);
    Cli shuffled = Cli.run(conf, shuffle, "--verify", more).succeeds();
    assertThat(shuffled.stderr()).contains("verified: all rows match the source");
    String remote = shuffled.lastLine();
    Path local =
        Cli.run("shuffle", cluster.labelled(), folder.resolve(out), options.split(" "))
            .succeeds()
            .lastLinePath();
    assertThat(remote).endsWith("/" + local.getFileName());
    ConvertTest.assertSameFiles(cluster.download(remote), local);
    assertThat(local.resolve("labels.bin")).exists();
  }

  /** 70 MiB, so that there are two files of which the second one is short. */
  @Test
  @Tag("long")
  void filesOfTheDefaultSizeAreThoseOfALocalRun() throws IOException {
    Geometry geometry = new Geometry(70, List.of(3), 256, 1024);
    Path source = SparseDataset.create(folder.resolve("sparse"), geometry, 35);
    Cli.convert(source, folder.resolve("several"), "safetensors").succeeds();
    cluster.run("convert", source.toUri(), "/out/several", "--to", "safetensors");
    Path found = cluster.download("/out/several");
    ConvertTest.assertSameFiles(found, folder.resolve("several"));
    assertThat(ConvertedDatasets.files(found)).hasSize(3); // with the manifest
  }

  @Test
  void aDryRunLeavesTheClusterAsItIs() throws Exception {
    hdfs.open("/out");
    hdfs.fs()
        .copyFromLocalFile(
            YarnCluster.path(Fixtures.pickle("spec")), YarnCluster.path("/streams/spec"));
    String[] options = "--to safetensors --batch-size 2 --json".split(" ");
    String uri = cluster.fs().getUri().toString();
    Queue<AuditedOperations.Operation> audit = AuditedOperations.of("dora");
    dryRun("convert", SOURCE, "/out/dry/x", options);
    dryRun("digest", SOURCE, "--save");
    JsonNode diff = dryRun("diff", SOURCE, SOURCE, "--json").json();
    Cli staged = dryRun("convert", "/streams/spec", "/out/y", "--to=npy");
    assertThat(audit)
        .extracting(AuditedOperations.Operation::command)
        .contains("getfileinfo")
        .isSubsetOf(HdfsUserIT.READS);
    assertThat(staged.text()).contains("plan       staged, 1 task", uri + "/out/_y.");
    assertThat(diff.get("temporary").get(0).get("path").textValue()).isEqualTo(uri + "/tmp");
    assertThat(diff.get("tasks").intValue()).isEqualTo(5);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.conf());
      yarn.start();
      assertThat(yarn.getApplications())
          .filteredOn(report -> report.getUser().equals("dora"))
          .isEmpty();
    }
  }

  /** Plans a command as a user who does nothing else. */
  private static Cli dryRun(Object... args) {
    return Hdfs.runAs("dora", "staff", cluster.conf(), args, "--dry-run").succeeds();
  }

  @Test
  void splitsAreCutAtExamplesAndKnowTheirHosts() throws IOException, InterruptedException {
    Job job = Job.getInstance(cluster.conf());
    FileInputFormat.setInputPaths(job, SOURCE);
    var splits = new SaevInputFormat().getSplits(job);
    // an example is larger than a block: each is a split of its own
    assertThat(splits).hasSize(5);
    for (InputSplit split : splits) {
      assertThat(split.getLocations()).isNotEmpty();
      assertThat(split.getLength()).isEqualTo(2 * 50 * 768 * 4);
    }
  }
}
