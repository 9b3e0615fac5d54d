package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.converters.cluster.YarnCluster.path;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.storage.LocalTree;

/** Pickled shards on HDFS: what is unpacked goes through a spool of the local disk. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class PickleClusterIT {
  private static final String USER = "pia";
  private static final String ROOT = "/pickles";

  @TempDir static Path folder;
  private static Configuration conf;
  private static FileSystem fs;

  @BeforeAll
  static void useHdfs(Hdfs hdfs) throws IOException {
    fs = hdfs.fs();
    conf = hdfs.conf();
    hdfs.open(ROOT);
    for (String name : List.of("spec", "ragged", "real_bf16")) {
      fs.copyFromLocalFile(path(Fixtures.pickle(name)), path(ROOT + "/data/" + name));
    }
  }

  @Test
  void aDatasetOfHdfsIsConvertedToTheSameNumbersAndSampleMetadataAsOnALocalDisk()
      throws IOException {
    assertSame("spec", "--to", "safetensors", "--verify");
    assertSame("spec", "--to", "saev", "--family", "clip", "--ckpt", "c");
    assertSame("real_bf16", "--to", "safetensors", "-Dsaev.convert.plan=shuffle");
    assertSame("ragged", "--to", "safetensors", "--ragged", "flatten");
    assertThat(names()).noneMatch(name -> name.startsWith("_"));
  }

  private static void assertSame(String name, Object... options) throws IOException {
    Cli there = run("convert", ROOT + "/data/" + name, ROOT + "/out", options).succeeds();
    Cli here = Cli.run("convert", Fixtures.pickle(name), folder.resolve("out"), options).succeeds();
    for (String command : List.of("digest", "cat --sample-metadata")) {
      String[] words = command.split(" ");
      String found = run(words, there.lastLine()).succeeds().text();
      assertThat(found).isEqualTo(Cli.run(words, here.lastLine()).succeeds().text());
    }
    assertThat(names()).containsExactlyInAnyOrder("data", "out");
    assertThat(fs.listStatus(path("/tmp"))).noneMatch(file -> file.getOwner().equals(USER));
    fs.delete(path(ROOT + "/out"), true);
    LocalTree.delete(folder.resolve("out"));
  }

  @Test
  void shardsOfHdfsAreReadWhereTheyAre() throws IOException {
    String listed = run("list", ROOT + "/data/spec", "--digests").succeeds().text();
    assertThat(listed).isEqualTo(Cli.run("list", Fixtures.pickle("spec"), "--digests").text());
    String cat = run("cat", ROOT + "/data/spec", "--example", 1).succeeds().text();
    assertThat(cat).isEqualTo(Cli.run("cat", Fixtures.pickle("spec"), "--example", 1).text());
    // from one storage to the other
    Path local = folder.resolve("local");
    run("convert", fs.getUri() + ROOT + "/data/spec", local.toUri(), "--to=safetensors").succeeds();
    assertThat(Cli.run("digest", local).text())
        .isEqualTo(Cli.run("digest", Fixtures.pickle("spec")).text());
  }

  @Test
  void aFailureLeavesNothing() throws IOException {
    run("convert", ROOT + "/data/ragged", ROOT + "/failed", "--to", "safetensors")
        .failsWithText(ROOT + "/data/ragged", "--ragged flatten");
    assertThat(names()).doesNotContain("failed").noneMatch(name -> name.startsWith("_"));
  }

  /** Runs a command as a user whose temporary files no other test has. */
  private static Cli run(Object... args) {
    return Hdfs.runAs(USER, "staff", conf, args);
  }

  private static List<String> names() throws IOException {
    return Arrays.stream(fs.listStatus(path(ROOT)))
        .map(FileStatus::getPath)
        .map(org.apache.hadoop.fs.Path::getName)
        .toList();
  }
}
