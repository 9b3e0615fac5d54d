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
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.mapreduce.io.LocalTree;

/** Pickled shards on HDFS: what is unpacked goes through a spool of the local disk. */
@Tag("cluster")
class PickleClusterIT {
  @TempDir static Path folder;
  @AutoClose private static MiniDFSCluster dfs;
  private static Configuration conf;
  private static FileSystem fs;

  @BeforeAll
  static void startCluster() throws IOException {
    Configuration start = new Configuration();
    start.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    dfs = new MiniDFSCluster.Builder(start, folder.resolve("dfs").toFile()).numDataNodes(1).build();
    fs = dfs.getFileSystem();
    conf = new Configuration(start);
    conf.set("fs.defaultFS", fs.getUri().toString());
    for (String name : List.of("spec", "ragged", "real_bf16")) {
      fs.copyFromLocalFile(path(Fixtures.pickle(name)), path("/data/" + name));
    }
  }

  @Test
  void aDatasetOfHdfsIsConvertedToTheSameNumbersAndSampleMetadataAsOnALocalDisk()
      throws IOException {
    assertSame("spec", "--to", "safetensors", "--verify");
    assertSame("spec", "--to", "saev", "--family", "clip", "--ckpt", "c");
    assertSame("real_bf16", "--to", "safetensors", "-Dsaev.convert.plan=shuffle");
    assertSame("ragged", "--to", "safetensors", "--ragged", "flatten");
    assertThat(names("/")).noneMatch(name -> name.startsWith("_"));
  }

  private static void assertSame(String name, Object... options) throws IOException {
    Cli there = Cli.run(conf, "convert", "/data/" + name, "/out", options).succeeds();
    Cli here = Cli.run("convert", Fixtures.pickle(name), folder.resolve("out"), options).succeeds();
    for (String command : List.of("digest", "cat --sample-metadata")) {
      String[] words = command.split(" ");
      String found = Cli.run(conf, words, there.lastLine()).succeeds().text();
      assertThat(found).isEqualTo(Cli.run(words, here.lastLine()).succeeds().text());
    }
    assertThat(names("/")).containsExactlyInAnyOrder("data", "out", "tmp");
    assertThat(names("/tmp")).noneMatch(file -> file.startsWith("saev-hadoop"));
    fs.delete(path("/out"), true);
    LocalTree.delete(folder.resolve("out"));
  }

  @Test
  void shardsOfHdfsAreReadWhereTheyAre() throws IOException {
    String listed = Cli.run(conf, "list", "/data/spec", "--digests").succeeds().text();
    assertThat(listed).isEqualTo(Cli.run("list", Fixtures.pickle("spec"), "--digests").text());
    String cat = Cli.run(conf, "cat", "/data/spec", "--example", 1).succeeds().text();
    assertThat(cat).isEqualTo(Cli.run("cat", Fixtures.pickle("spec"), "--example", 1).text());
    // from one storage to the other
    Path local = folder.resolve("local");
    Cli.run(conf, "convert", fs.getUri() + "/data/spec", local.toUri(), "--to=safetensors")
        .succeeds();
    assertThat(Cli.run("digest", local).text())
        .isEqualTo(Cli.run("digest", Fixtures.pickle("spec")).text());
  }

  @Test
  void aFailureLeavesNothing() throws IOException {
    Cli.run(conf, "convert", "/data/ragged", "/failed", "--to", "safetensors")
        .failsWithText("/data/ragged", "--ragged flatten");
    assertThat(names("/")).doesNotContain("failed").noneMatch(name -> name.startsWith("_"));
  }

  private static List<String> names(String directory) throws IOException {
    return fs.exists(path(directory))
        ? Arrays.stream(fs.listStatus(path(directory)))
            .map(FileStatus::getPath)
            .map(org.apache.hadoop.fs.Path::getName)
            .toList()
        : List.of();
  }
}
