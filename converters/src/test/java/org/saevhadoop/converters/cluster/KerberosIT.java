package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.cluster.RecordedJobs.Recorded;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.jobs.server.ContactError;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.SafetensorsOutputFormat;

/** Secured storages: the tokens that jobs are submitted with, and clients that are refused. */
@Tag("kerberos")
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class KerberosIT extends SecuredJobs {
  @BeforeAll
  static void useRecordedJobs() throws Exception {
    startStorages();
    conf = recorded("any");
  }

  private static Configuration recorded(String cluster) {
    Configuration client = clusters.client(jobs);
    RecordedJobs.use(client, cluster);
    return client;
  }

  @Test
  void aJobIsSubmittedWithTheTokensOfAllItsStorages() throws Exception {
    Configuration client = recorded("tokens");
    Queue<Recorded> recorded = RecordedJobs.of("tokens");
    convert(client, source + "/data/pickle", target + "/tokens", "--verify");
    assertThat(recorded.stream().map(Recorded::step)).contains("unpack", "convert", "verify");
    assertThat(recorded)
        .allSatisfy(job -> assertThat(job.services()).contains(service(target)))
        .filteredOn(job -> !job.step().equals("verify")) // one of them reads the target only
        .allSatisfy(job -> assertThat(job.services()).contains(service(source)));
    recorded.clear();
    asUser(client, "digest", source + "/data/saev").succeeds();
    assertThat(recorded.remove().services())
        .containsExactlyInAnyOrder(service(source), service(jobs));
  }

  @Test
  void aComparisonIsSubmittedWithTheTokensOfBothDatasets() throws Exception {
    convert(clusters.local(), source + "/data/saev", target + "/compared");
    Configuration client = recorded("compared");
    asUser(client, "diff", source + "/data/saev", target + "/compared").succeeds();
    assertThat(RecordedJobs.of("compared").remove().services())
        .contains(service(source), service(target));
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
    PrivilegedExceptionAction<Cli> inspect = () -> Cli.run(clusters.client(jobs), "inspect", path);
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

  private static Set<String> services(Job job) {
    return job.getCredentials().getAllTokens().stream()
        .map(token -> token.getService().toString())
        .collect(Collectors.toSet());
  }

  private static String service(String storage) {
    return SecurityUtil.buildDTServiceName(URI.create(storage), 0);
  }
}
