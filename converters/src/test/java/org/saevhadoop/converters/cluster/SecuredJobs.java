package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;

/**
 * Jobs on secured storages: tasks have tokens of all storages of a job, and no Kerberos ticket.
 * Security is a setting of a whole JVM, so each subclass needs its own.
 */
abstract class SecuredJobs {
  @TempDir static Path folder;
  @AutoClose static SecuredClusters clusters;
  static String source;
  static String target;

  /** The storage of job files, whose token Hadoop itself obtains. */
  static String jobs;

  static Configuration conf;

  static void startStorages() throws Exception {
    clusters = new SecuredClusters(folder);
    List<String> storages = clusters.startStorages(3);
    source = storages.get(0);
    target = storages.get(1);
    jobs = storages.get(2);
    conf = clusters.local();
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
    convert(conf, source + "/data/saev", out, "--verify");
    assertSameAs(folder.resolve(Fixtures.D768), out);
  }

  @Test
  void aStreamIsStagedAndReadWhereItIsWithTokens() throws Exception {
    String out = target + "/unpacked";
    convert(conf, source + "/data/pickle", out);
    assertSameAs(folder.resolve("pickle"), out);
  }

  @Test
  void aShuffleWorksWithTokens() throws Exception {
    String digest = asUser(conf, "digest", source + "/data/saev").succeeds().text();
    assertThat(digest).isEqualTo(ConvertTest.digest(folder.resolve(Fixtures.D768)));
  }

  static Cli asUser(Configuration conf, Object... args) throws Exception {
    RecordedJobs.assumeTheirUser(conf);
    return clusters.asUser(() -> Cli.run(conf, args));
  }

  static void convert(Configuration conf, String source, String out, Object... options)
      throws Exception {
    asUser(conf, "convert", source, out, "--to", "safetensors", options).succeeds();
  }

  /** Asserts that a dataset has the bytes that a local source converts to. */
  static void assertSameAs(Path source, String written) throws Exception {
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
}
