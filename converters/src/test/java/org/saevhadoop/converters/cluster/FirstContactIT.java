package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.converters.cluster.YarnCluster.path;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.jobs.server.ContactError;
import org.saevhadoop.jobs.server.Servers;

/** A NameNode that answers: the first contact changes nothing. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class FirstContactIT {
  private static final String DATA = "/contacted/data";

  private static Hdfs hdfs;
  private static String root;

  @BeforeAll
  static void useHdfs(Hdfs shared) throws IOException {
    hdfs = shared;
    root = hdfs.fs().getUri().toString();
    hdfs.fs().copyFromLocalFile(path(Fixtures.small()), path(DATA + "/" + Fixtures.SMALL));
  }

  @Test
  void aConversionGoesThroughWithoutAWarning() {
    String source = root + DATA + "/" + Fixtures.SMALL;
    Cli cli = Cli.convert(source, root + "/contacted/out", "safetensors").succeeds();
    assertThat(cli.stderr()).doesNotContain("waiting");
    String digest = Cli.run("digest", root + "/contacted/out").succeeds().text();
    assertThat(digest).isEqualTo(Cli.run("digest", Fixtures.small()).succeeds().text());
  }

  @Test
  void theSettingsOfTheClientStayThoseOfTheUser() throws IOException {
    Configuration conf = new Configuration();
    Map<String, String> before = settings(conf);
    List<String> warnings = new ArrayList<>();
    new Servers(conf, warnings::add).awaitServer(path(root + DATA));
    assertThat(settings(conf)).containsExactlyInAnyOrderEntriesOf(before);
    assertThat(warnings).isEmpty();
  }

  @Test
  void whatTheServerAnswersIsReportedByTheCommand() {
    Cli.run("inspect", root + "/nosuch").failsWithText(FileError.NOT_FOUND, root + "/nosuch: ");
  }

  /** A NameNode of its own: the other one is not stopped. */
  @Test
  @Timeout(180)
  void aNameNodeInSafeModeIsMentionedOnlyAndOneThatIsAwayLaterIsReportedOnceAndSoIsItsReturn(
      @TempDir Path folder) throws Exception {
    Configuration conf = new Configuration();
    MiniDFSCluster.Builder builder = new MiniDFSCluster.Builder(conf, folder.toFile());
    try (MiniDFSCluster dfs = builder.numDataNodes(0).build()) {
      assertSafeModeIsMentioned(dfs.getFileSystem());
      assertAwayAndBackAreReported(dfs);
    }
  }

  private static void assertSafeModeIsMentioned(DistributedFileSystem fs) throws IOException {
    List<String> warnings = new ArrayList<>();
    String root = fs.getUri().toString();
    fs.setSafeMode(SafeModeAction.ENTER);
    new Servers(new Configuration(), warnings::add).awaitServer(path(root + "/data"));
    fs.setSafeMode(SafeModeAction.LEAVE);
    assertThat(warnings).singleElement().asString().startsWith(root).contains("safe mode");
  }

  private static void assertAwayAndBackAreReported(MiniDFSCluster dfs) throws Exception {
    Configuration conf = new Configuration();
    conf.set("saev.contact.timeout", "6"); // asks every two seconds
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String root = dfs.getFileSystem().getUri().toString();
    String server = "the NameNode " + dfs.getFileSystem().getUri().getAuthority();
    String away = server + " does not answer;"; // the rest may be folded
    String back = server + " answers again, after ";
    try (Console console =
        new Console(conf, DatasetFormats.registry(), System.out, new PrintStream(err, true))) {
      console.runner().servers().awaitServer(path(root + "/data"));
      console.runner().servers().awaitServer(path(root + "/out"));
      dfs.shutdownNameNode(0);
      await(() -> err.toString().contains(away));
      TimeUnit.SECONDS.sleep(3); // it is asked again
      dfs.restartNameNode(0);
      await(() -> err.toString().contains(back));
    }
    assertThat(err.toString().lines().filter(line -> line.startsWith("warning: "))).hasSize(2);
    assertThat(err.toString().replaceAll("\\s+", " "))
        .contains(server + " does not answer; requests to it are repeated for about 660 s (dfs.");
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /** Hadoop's defaults, which the JVMs of unit tests have only in part, name the class of s3a. */
  @Test
  void aFileSystemThatHadoopKnowsAndDoesNotHaveIsNamedWithItsLibrary() {
    Cli.run("inspect", "s3a://bucket/acts")
        .failsWith(ContactError.MISSING_LIBRARY, "s3a://bucket/acts");
  }

  @Test
  @Timeout(60) // with the retries for a single NameNode, 11 minutes
  void oneNameNodeOfAServiceIsEnough() throws IOException {
    String running = "127.0.0.1:" + hdfs.dfs().getNameNodePort();
    Configuration conf = FirstContactTest.service(FirstContactTest.closedPort(), running);
    conf.setBoolean("dfs.client.failover.random.order", false);
    Cli.run(conf, "inspect", "hdfs://acts" + DATA + "/" + Fixtures.SMALL).succeeds();
  }

  private static Map<String, String> settings(Configuration conf) {
    Map<String, String> settings = new HashMap<>();
    conf.forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
    return settings;
  }
}
