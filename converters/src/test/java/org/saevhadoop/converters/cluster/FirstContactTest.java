package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.jobs.server.ContactError;
import org.saevhadoop.mapreduce.job.ContactKeys;

/** Servers that are not there, or that do not answer: one line, soon. */
@Tag("late")
class FirstContactTest {
  private static final String SHORT = "-Dsaev.contact.timeout=2";

  /** Far less than Hadoop's clients take, and more than a loaded machine does. */
  private static final Duration SOON = Duration.ofMinutes(1);

  @TempDir Path folder;

  @Test
  void theFirstContactTakesAtMostHalfAMinuteByDefault() {
    assertThat(ContactKeys.TIMEOUT.defaultValue()).isEqualTo(30);
  }

  /** The commands wait side by side. */
  @Test
  void aNameNodeThatAcceptsAndIsSilentEndsEachCommand() throws Exception {
    try (ServerSocket silent = server()) {
      String source = "hdfs://" + address(silent) + "/acts";
      List<FutureTask<Cli>> running =
          Stream.of("inspect", "cat --example=0", "digest", "list", "bench")
              .map(command -> new FutureTask<>(() -> run(command.split(" "), source)))
              .toList();
      running.forEach(command -> new Thread(command).start());
      for (FutureTask<Cli> command : running) {
        Cli cli = command.get();
        assertError(cli, ContactError.NO_ANSWER, source);
        assertThat(cli.stderr())
            .contains("warning: waiting for the NameNode " + address(silent) + ", for up to 2 s")
            .contains("no answer from " + address(silent) + " for 2 s")
            .contains("saev.contact.timeout");
      }
    }
  }

  @Test
  void aClosedPortIsReportedWithHostAndPort() throws IOException {
    String closed = closedPort();
    String source = "hdfs://" + closed + "/acts";
    assertThat(assertFails(ContactError.UNREACHABLE, source, "inspect", source).stderr())
        .contains(
            "cannot connect to " + closed + ": Connection refused (expected a running NameNode)");
  }

  @Test
  void aConnectionThatTheServerClosesIsReportedWithHostAndPort() throws IOException {
    try (ServerSocket server = server()) {
      Thread closing = new Thread(() -> closeConnections(server));
      closing.setDaemon(true);
      closing.start();
      String source = "hdfs://" + address(server) + "/acts";
      assertThat(assertFails(ContactError.UNREACHABLE, source, "inspect", source).stderr())
          .contains("cannot connect to " + address(server));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hdfs://host.invalid/acts, host.invalid:8020",
    "hdfs://host.invalid:9000/acts, host.invalid:9000",
    "hdfs://host_9.invalid:9000/acts, host_9.invalid:9000",
    "webhdfs://host.invalid/acts, host.invalid:9870"
  })
  void anUnknownHostIsNamedWithItsPort(String source, String server) throws IOException {
    assertThat(assertFails(ContactError.UNKNOWN_HOST, source, "inspect", source).stderr())
        .contains("unknown host in " + server + " (expected the host and port of a running ");
  }

  /** A file system that lacks a class of another jar. */
  public static final class UnlinkedFileSystem extends RawLocalFileSystem {
    @Override
    public void initialize(URI uri, Configuration conf) {
      throw new NoClassDefFoundError("of/another/Jar");
    }
  }

  @Test
  void aFileSystemThatLacksALibraryIsReportedWithItsScheme() {
    Configuration conf = new Configuration();
    conf.setClass("fs.unlinked.impl", UnlinkedFileSystem.class, FileSystem.class);
    String path = "unlinked://host/acts";
    Cli.run(conf, "inspect", path).failsWith(ContactError.MISSING_LIBRARY, path);
  }

  @Test
  void theDestinationAndOtherNamedDatasetsAreReachedBeforeAnythingIsWritten() throws IOException {
    String there = "hdfs://" + closedPort() + "/acts";
    Path source = Fixtures.small();
    assertFails(ContactError.UNREACHABLE, there, "convert", source, there, "--to", "safetensors");
    Path out = folder.resolve("out");
    for (String key : List.of("labels", "sample.metadata", "ids")) {
      String option = "-Dsaev.output." + key + "=" + there;
      assertFails(
          ContactError.UNREACHABLE, there, "convert", source, out, "--to=safetensors", option);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void thePathAndTheDefaultFileSystemAreNamedWhereThePathHasNoServer() throws IOException {
    String fs = "hdfs://" + closedPort();
    for (String source : List.of("/acts", "acts", "hdfs:/acts")) {
      assertThat(
              assertFails(
                      ContactError.UNREACHABLE, source, "inspect", source, "-Dfs.defaultFS=" + fs)
                  .stderr())
          .contains("as fs.defaultFS is " + fs);
    }
  }

  @Test
  void tasksOverLocalDataNeedNoOtherFileSystem() throws IOException {
    String option = "-Dfs.defaultFS=hdfs://" + closedPort();
    Cli.run("digest", Fixtures.small().toUri(), option).succeeds();
    URI out = folder.resolve("out").toUri();
    Cli.run("convert", Fixtures.small().toUri(), out, "--to=npy", "--dry-run", option).succeeds();
    Cli.run("convert", Fixtures.small().toUri(), out, "--to=npy", option).succeeds();
  }

  @Test
  void theTemporaryFolderOfAJobIsOnTheDefaultFileSystem() throws IOException {
    String fs = "hdfs://" + closedPort();
    String source = Fixtures.small().toUri().toString();
    String option = "-Dfs.defaultFS=" + fs;
    URI out = folder.resolve("out").toUri();
    String shuffled = "-Dsaev.convert.plan=shuffle";
    assertFails(
        ContactError.UNREACHABLE, "/", "convert", source, out, "--to=npy", option, shuffled);
  }

  @Test
  void allNameNodesOfAServiceAreAsked() throws IOException {
    try (ServerSocket silent = server()) {
      String closed = closedPort();
      Configuration conf = service(closed, address(silent));
      conf.set("saev.contact.timeout", "2");
      long begin = System.nanoTime();
      Cli cli = Cli.run(conf, "inspect", "hdfs://acts/data");
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
      assertError(cli, ContactError.NO_ANSWER, "hdfs://acts/data");
      assertThat(cli.stderr()).contains(closed + " and " + address(silent));
    }
  }

  @Test
  void aResourceManagerThatIsSilentOrAbsentEndsAJobBeforeItsSubmission() throws IOException {
    String source = Fixtures.small().toString();
    try (ServerSocket silent = server()) {
      Cli cli = onYarn(ContactError.NO_ANSWER, address(silent), "digest", source);
      assertThat(cli.stderr()).contains("waiting for the ResourceManager " + address(silent));
    }
    Path out = folder.resolve("out");
    onYarn(ContactError.UNREACHABLE, closedPort(), "convert", source, out, "--to", "safetensors");
    assertThat(folder).isEmptyDirectory();
    onYarn(ContactError.UNKNOWN_HOST, "host.invalid:8032", "digest", source);
  }

  /** A client of the service acts, with two NameNodes. */
  static Configuration service(String first, String second) {
    Configuration conf = new Configuration();
    conf.set("dfs.nameservices", "acts");
    conf.set("dfs.ha.namenodes.acts", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.acts.nn1", first);
    conf.set("dfs.namenode.rpc-address.acts.nn2", second);
    conf.set(
        "dfs.client.failover.proxy.provider.acts", ConfiguredFailoverProxyProvider.class.getName());
    return conf;
  }

  private static Cli onYarn(ContactError kind, String manager, Object... words) throws IOException {
    String address = "-Dyarn.resourcemanager.address=" + manager;
    Cli cli = assertFails(kind, "YARN", words, "-Dmapreduce.framework.name=yarn", address);
    assertThat(cli.stderr()).contains(manager).contains("as in yarn.resourcemanager.address");
    return cli;
  }

  @ParameterizedTest
  @CsvSource({
    "https://host.invalid/acts, UNSUPPORTED_SCHEME",
    "http://host.invalid/acts, UNSUPPORTED_SCHEME",
    "nosuch://host.invalid/acts, UNSUPPORTED_SCHEME",
    "s3a://bucket/acts, MISSING_LIBRARY",
    "gs://bucket/acts, MISSING_LIBRARY",
    "abfs://container@account.invalid/acts, MISSING_LIBRARY"
  })
  void aSchemeThatIsNoFileSystemIsRefused(String path, ContactError kind) {
    Cli.run("inspect", path).failsWith(kind, path);
    Cli.convert(Fixtures.small(), path, "safetensors").failsWith(kind, path);
  }

  @Test
  void timesThatTheUserSetsAreKept() throws IOException {
    try (ServerSocket silent = server()) {
      String source = "hdfs://" + address(silent) + "/acts";
      long begin = System.nanoTime();
      Cli cli =
          Cli.run(
              "inspect", source, "-Dipc.client.rpc-timeout.ms=300", "-Dsaev.contact.timeout=60");
      assertError(cli, ContactError.NO_ANSWER, source);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "x", "86401", "1.5"})
  void aTimeThatIsNoneIsRefused(String seconds) {
    Cli.run("inspect", "hdfs://127.0.0.1:1/acts", "-Dsaev.contact.timeout=" + seconds)
        .failsAsUsage("saev.contact.timeout is ");
  }

  private static Cli run(Object... words) {
    long begin = System.nanoTime();
    Cli cli = Cli.run(words, SHORT);
    Duration taken = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(taken).as("%s", Cli.words(words).toList()).isLessThan(SOON);
    return cli;
  }

  private static Cli assertFails(ContactError kind, String path, Object... words) {
    Cli cli = run(words);
    assertError(cli, kind, path);
    return cli;
  }

  private static void assertError(Cli cli, ContactError kind, String path) {
    cli.failsWithText(path + ": ");
    FormatException error = ErrorAssertions.find(cli.failure());
    assertThat(List.of(error.kind(), error.path())).as(cli.stderr()).isEqualTo(List.of(kind, path));
  }

  /** A server whose connections the operating system accepts and that answers nothing. */
  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  static String closedPort() throws IOException {
    try (ServerSocket closed = server()) {
      return address(closed);
    }
  }

  private static String address(ServerSocket server) {
    return "127.0.0.1:" + server.getLocalPort();
  }

  private static void closeConnections(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        server.accept().close();
      } catch (IOException e) {
        return; // the server is closed
      }
    }
  }
}
