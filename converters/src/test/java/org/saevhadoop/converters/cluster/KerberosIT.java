package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.jobs.server.ContactError;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;

/** Secured clusters: tasks have tokens of all storages of a job, and no Kerberos ticket. */
@Tag("kerberos")
class KerberosIT {
  /** Tasks run in the master, whose credentials are theirs: a JVM less for each job. */
  private static final String IN_MASTER = "-Dmapreduce.job.ubertask.enable=true";

  @TempDir static Path folder;
  @AutoClose private static SecuredClusters clusters;
  private static String source;
  private static String target;
  private static String jobs;
  private static Configuration conf;

  @BeforeAll
  static void startClusters() throws Exception {
    clusters = new SecuredClusters(folder);
    source = clusters.startStorage();
    target = clusters.startStorage();
    // that of job files, whose token Hadoop itself obtains
    jobs = clusters.startStorage();
    conf = clusters.startYarn(jobs);
    upload(Fixtures.labelled(Fixtures.D768, folder), source + "/data/saev");
    // shards that are not compressed, most of whose blocks stay where they are
    Path pickle = folder.resolve("pickle");
    Object[] convert = {"convert", Fixtures.small(), pickle, "--to", "pickle", "--uncompressed"};
    Cli.run(clusters.local(), convert).succeeds();
    upload(pickle, source + "/data/pickle");
  }

  private static void upload(Path local, String to) throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(to);
    FileSystem fs = path.getFileSystem(conf);
    fs.copyFromLocalFile(new org.apache.hadoop.fs.Path(local.toUri()), path);
  }

  @Test
  void tasksAndCommitterWorkWithTokens() throws Exception {
    String out = target + "/tensors";
    convert(conf, source + "/data/saev", out, "--verify", IN_MASTER);
    assertSameAs(folder.resolve(Fixtures.D768), out);
  }

  @Test
  void aStreamIsStagedAndReadWhereItIsWithTokens() throws Exception {
    String out = target + "/unpacked";
    convert(conf, source + "/data/pickle", out, IN_MASTER);
    assertSameAs(folder.resolve("pickle"), out);
  }

  /** Its map outputs are served to reducers only by a NodeManager with libhadoop. */
  @Test
  void aShuffleWorksWithTokens() throws Exception {
    if (!NativeIO.isAvailable()) {
      assertThat(System.getenv("CI")).as("CI must have libhadoop").isNotEqualTo("true");
      abort("libhadoop is not available for this system");
    }
    String digest = asUser(conf, "digest", source + "/data/saev").succeeds().text();
    assertThat(digest).isEqualTo(ConvertTest.digest(folder.resolve(Fixtures.D768)));
  }

  /** Its client has no configuration of YARN, whose principal Hadoop takes for the renewer. */
  @Test
  void theLocalRunnerNeedsNoPrincipalOfYarn() throws Exception {
    String out = target + "/local";
    convert(clusters.local(), source + "/data/saev", out);
    assertSameAs(folder.resolve(Fixtures.D768), out);
  }

  @Test
  void theJobOfAUserObtainsTokensThroughTheFormats() throws Exception {
    Job job = Job.getInstance(conf);
    FileInputFormat.setInputPaths(job, source + "/data/saev");
    Geometry geometry =
        new SaevInputFormat()
            .open(new org.apache.hadoop.fs.Path(source + "/data/saev"), conf)
            .requireActivations()
            .geometry();
    SafetensorsOutputFormat.setGeometry(job.getConfiguration(), geometry);
    SafetensorsOutputFormat.setLabels(
        job.getConfiguration(),
        new org.apache.hadoop.fs.Path(source + "/data/saev"),
        SaevInputFormat.class);
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(target + "/user"));
    clusters.asUser(
        () -> {
          new SafetensorsOutputFormat().checkOutputSpecs(job);
          assertThat(services(job)).isEqualTo(Set.of(service(source), service(target)));
          return null;
        });
    Job reading = Job.getInstance(conf);
    FileInputFormat.setInputPaths(reading, source + "/data/saev");
    clusters.asUser(() -> new SaevInputFormat().getSplits(reading));
    assertThat(services(reading)).isEqualTo(Set.of(service(source)));
  }

  @Test
  void aUserWithoutTicketIsAskedToRunKinit() throws Exception {
    String path = source + "/data/saev";
    PrivilegedExceptionAction<Cli> inspect = () -> Cli.run(conf, "inspect", path);
    UserGroupInformation.createRemoteUser("bob")
        .doAs(inspect)
        .failsWithText(ContactError.NOT_AUTHENTICATED, "this client has no ticket", "run kinit");
    // as a ticket that has expired, or a cache that was deleted
    Subject empty = new Subject();
    empty.getPrincipals().add(new KerberosPrincipal("alice@EXAMPLE.COM"));
    UserGroupInformation.getUGIFromSubject(empty)
        .doAs(inspect)
        .failsWithText(
            ContactError.NOT_AUTHENTICATED, "Failed to find any Kerberos tgt", "run kinit");
  }

  @Test
  void anotherPrincipalOfTheServerIsReportedWithItsKey() throws Exception {
    String path = source + "/data/saev";
    Configuration wrong = clusters.local();
    wrong.set("dfs.namenode.kerberos.principal.pattern", "nn/*");
    asUser(wrong, "inspect", path)
        .failsWithText(
            ContactError.SECURITY_MISMATCH,
            "hdfs/localhost@EXAMPLE.COM",
            "dfs.namenode.kerberos.principal");
  }

  @Test
  void aClientWithoutSecurityLearnsWhatItLacks() throws Exception {
    Path output = folder.resolve("simple");
    String path = source + "/data/saev";
    int exitCode = Launched.start(output, Launched.SHORT, "inspect", path).waitFor();
    assertThat(exitCode).isEqualTo(1);
    assertThat(Files.readAllLines(Launched.errors(output)))
        .last()
        .asString()
        .startsWith(path + ": the NameNode ")
        .contains("requires Kerberos", "hadoop.security.authentication=kerberos");
  }

  private static Cli asUser(Configuration conf, Object... args) throws Exception {
    return clusters.asUser(() -> Cli.run(conf, args));
  }

  private static void convert(Configuration conf, String source, String out, Object... options)
      throws Exception {
    asUser(conf, "convert", source, out, "--to", "safetensors", options).succeeds();
  }

  /** Asserts that a dataset has the bytes that a local source converts to. */
  private static void assertSameAs(Path source, String written) throws Exception {
    Path expected = Files.createTempDirectory(folder, "expected").resolve("tensors");
    convert(clusters.local(), source.toUri().toString(), expected.toUri().toString());
    org.apache.hadoop.fs.Path dataset = new org.apache.hadoop.fs.Path(written);
    FileSystem fs = dataset.getFileSystem(conf);
    assertThat(fs.listStatus(dataset)).hasSameSizeAs(ConvertTest.files(expected));
    for (String file : ConvertTest.files(expected)) {
      try (var in = fs.open(new org.apache.hadoop.fs.Path(dataset, file))) {
        assertThat(expected.resolve(file)).hasBinaryContent(in.readAllBytes());
      }
    }
  }

  private static Set<String> services(Job job) {
    return job.getCredentials().getAllTokens().stream()
        .map(token -> token.getService().toString())
        .collect(java.util.stream.Collectors.toSet());
  }

  private static String service(String storage) {
    return SecurityUtil.buildDTServiceName(URI.create(storage), 0);
  }
}
