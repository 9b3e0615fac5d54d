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
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.jobs.server.ContactError;
import org.saevhadoop.jobs.server.Servers;
import org.saevhadoop.mapreduce.DatasetFormats;

/** A NameNode that answers: the first contact changes nothing. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("cluster")
class FirstContactIT {
  @TempDir static Path folder;
  @AutoClose private static MiniDFSCluster dfs;
  private static String root;

  @BeforeAll
  static void startDfs() throws IOException {
    Configuration conf = new Configuration();
    dfs = new MiniDFSCluster.Builder(conf, folder.resolve("dfs").toFile()).numDataNodes(1).build();
    root = dfs.getFileSystem().getUri().toString();
    dfs.getFileSystem().copyFromLocalFile(path(Fixtures.small()), path("/data/" + Fixtures.SMALL));
  }

  @Test
  void aConversionGoesThroughWithoutAWarning() {
    String source = root + "/data/" + Fixtures.SMALL;
    Cli cli = Cli.convert(source, root + "/out", "safetensors").succeeds();
    assertThat(cli.stderr()).doesNotContain("waiting");
    String digest = Cli.run("digest", root + "/out").succeeds().text();
    assertThat(digest).isEqualTo(Cli.run("digest", Fixtures.small()).succeeds().text());
  }

  @Test
  void theSettingsOfTheClientStayThoseOfTheUser() throws IOException {
    Configuration conf = new Configuration();
    Map<String, String> before = settings(conf);
    List<String> warnings = new ArrayList<>();
    new Servers(conf, warnings::add).awaitServer(path(root + "/data"));
    assertThat(settings(conf)).containsExactlyInAnyOrderEntriesOf(before);
    assertThat(warnings).isEmpty();
  }

  @Test
  void whatTheServerAnswersIsReportedByTheCommand() {
    Cli.run("inspect", root + "/nosuch").failsWithText(FileError.NOT_FOUND, root + "/nosuch: ");
  }

  @Test
  void aNameNodeInSafeModeIsMentionedOnly() throws IOException {
    List<String> warnings = new ArrayList<>();
    dfs.getFileSystem().setSafeMode(SafeModeAction.ENTER);
    try {
      new Servers(new Configuration(), warnings::add).awaitServer(path(root + "/data"));
    } finally {
      dfs.getFileSystem().setSafeMode(SafeModeAction.LEAVE);
    }
    assertThat(warnings).singleElement().asString().startsWith(root).contains("safe mode");
  }

  @Test
  @Order(Integer.MAX_VALUE) // connections of other tests are closed by it
  @Timeout(90)
  void aNameNodeThatIsAwayLaterIsReportedOnceAndSoIsItsReturn() throws Exception {
    Configuration conf = new Configuration();
    conf.set("saev.contact.timeout", "3");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String server = "the NameNode " + dfs.getFileSystem().getUri().getAuthority();
    String away = server + " does not answer;"; // the rest may be folded
    String back = server + " answers again, after ";
    try (Console console =
        new Console(conf, DatasetFormats.registry(), System.out, new PrintStream(err, true))) {
      console.runner().servers().awaitServer(path(root + "/data"));
      console.runner().servers().awaitServer(path(root + "/out"));
      dfs.shutdownNameNode(0);
      await(() -> err.toString().contains(away));
      TimeUnit.SECONDS.sleep(2);
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
    String running = "127.0.0.1:" + dfs.getNameNodePort();
    Configuration conf = FirstContactTest.service(FirstContactTest.closedPort(), running);
    conf.setBoolean("dfs.client.failover.random.order", false);
    Cli.run(conf, "inspect", "hdfs://acts/data/" + Fixtures.SMALL).succeeds();
  }

  private static Map<String, String> settings(Configuration conf) {
    Map<String, String> settings = new HashMap<>();
    conf.forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
    return settings;
  }
}
