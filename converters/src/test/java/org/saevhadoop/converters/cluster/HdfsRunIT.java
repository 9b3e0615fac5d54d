package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.publish.run.Leftovers;
import org.saevhadoop.format.publish.run.RunFolder;
import org.saevhadoop.format.publish.run.RunPaths;
import org.saevhadoop.format.publish.run.RunRecord;
import org.saevhadoop.format.storage.RunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.publish.HadoopRunStorage;

/** Runs to one path of HDFS, where the client of a run renews its lock. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class HdfsRunIT {
  private static final long LOCK_TIMEOUT_MILLIS = 60_000;

  @TempDir static Path folder;
  private static Hdfs hdfs;
  private static Configuration conf;

  @BeforeAll
  static void useHdfs(Hdfs shared) throws IOException {
    hdfs = shared;
    hdfs.open("/runs-to-one-path");
    conf = hdfs.conf();
    // each use of a file system is that of another client
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
  }

  @Test
  void aRunIsRefusedWhileTheClientOfAnotherOneLives() throws IOException {
    org.apache.hadoop.fs.Path out = path("/living/new/out");
    try (RunFolder first = claim(out)) {
      assertThat(fs().exists(HadoopPath.hadoop(first.path()))).isTrue();
      assertFailsWithAnyText(FileError.IN_USE, first.path().toString(), () -> claim(out));
    }
    assertThat(fs().exists(path("/living"))).isFalse();
    claim(out).close();
  }

  @Test
  void theFolderOfADeadClientIsTakenOver() throws Exception {
    org.apache.hadoop.fs.Path out = path("/dead/out");
    try (DistributedFileSystem client = (DistributedFileSystem) fs()) {
      org.apache.hadoop.fs.Path folder = HadoopPath.hadoop(RunPaths.of(HadoopPath.of(out, conf)));
      client.mkdirs(folder);
      Path record = KilledRun.of(HdfsRunIT.folder.resolve("out"));
      client.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(record.resolve("run.json").toUri()), folder);
      client.create(new org.apache.hadoop.fs.Path(folder, "lock"), false); // stays open
      assertFailsWithAnyText(FileError.IN_USE, folder.toString(), () -> claim(out));
      client.setTimes(
          new org.apache.hadoop.fs.Path(folder, "lock"),
          System.currentTimeMillis() - LOCK_TIMEOUT_MILLIS,
          -1);
      claim(out).close();
    }
    assertThat(fs().listStatus(path("/dead"))).isEmpty();
  }

  @Test
  void conversionsReplaceADatasetAndLeaveNothingElse() throws IOException {
    String out = root() + "/replaced/out";
    String source = Fixtures.small().toString();
    String digest = ConvertTest.digest(Fixtures.small());
    for (String to : new String[] {"safetensors", "pickle", "safetensors"}) {
      Cli.convert(source, out, to + " --overwrite -Dsaev.output.sync=always").succeeds();
      assertThat(Cli.run("digest", out).succeeds().text()).isEqualTo(digest);
      assertThat(fs().listStatus(path("/replaced"))).hasSize(1);
    }
    fs().create(path("/replaced/out/thesis.tex")).close();
    Cli.convert(source, out, "safetensors --overwrite")
        .failsWith(FileError.NOT_REPLACEABLE, out + "/thesis.tex");
    assertThat(fs().listStatus(path("/replaced"))).hasSize(1);
  }

  @Test
  void namesThatTheNameNodeDoesNotAllowAreFoundBeforeAnythingIsRead() throws IOException {
    String root = root();
    String longName = "n".repeat(256);
    for (Path source : sources()) {
      String path = root + "/names/" + longName;
      assertNotCreated(convert(source, path), FileError.BAD_PATH, path);
      assertNotCreated(convert(source, path + "/out"), FileError.WRITE_FAILED, path);
      assertThat(fs().exists(path("/names"))).isFalse();
    }
  }

  private static void assertNotCreated(Cli refused, FileError kind, String path) {
    refused.failsWithText(kind, path + ": cannot be created: ", "limit=255 length=256");
  }

  @Test
  void aDatasetThatTheNameNodeDoesNotLetMoveIsFoundBeforeAnythingIsRead() throws Exception {
    String root = root();
    DistributedFileSystem fs = hdfs.fs();
    fs.mkdirs(path("/sticky"));
    fs.setPermission(path("/sticky"), new FsPermission("1777"));
    for (String out : List.of("/sticky/out", "/snapshots/out")) {
      Cli.convert(sources().get(0), root + out, "safetensors").succeeds();
    }
    fs.allowSnapshot(path("/snapshots/out"));
    fs.createSnapshot(path("/snapshots/out"));
    UserGroupInformation una = UserGroupInformation.createRemoteUser("una");
    for (Path source : sources()) {
      Cli sticky =
          una.doAs(
              (PrivilegedAction<Cli>) () -> convert(source, root + "/sticky/out", "--overwrite"));
      assertUnmoved(sticky, "/sticky");
      assertThat(sticky.stderr()).contains("sticky bit: user=una");
      assertUnmoved(convert(source, root + "/snapshots/out", "--overwrite"), "/snapshots");
    }
  }

  private static void assertUnmoved(Cli refused, String parent) throws IOException {
    String out = root() + parent + "/out";
    refused.failsWithText(
        FileError.NOT_REPLACEABLE, out + ": cannot be moved away to be replaced: ");
    assertThat(fs().listStatus(path(parent))).hasSize(1);
  }

  /** A dataset, and shards that would be unpacked first. */
  private static List<Path> sources() {
    return List.of(Fixtures.small(), Fixtures.pickle("spec"));
  }

  private static Cli convert(Path source, String out, Object... options) {
    Cli run = Cli.convert(source, out, "safetensors", options);
    assertThat(run.stderr()).doesNotContain("unpack: ");
    return run;
  }

  private static String root() throws IOException {
    return hdfs.fs().getUri() + "/runs-to-one-path";
  }

  private static org.apache.hadoop.fs.Path path(String path) throws IOException {
    return new org.apache.hadoop.fs.Path(root() + path);
  }

  private static FileSystem fs() throws IOException {
    return path("/").getFileSystem(conf);
  }

  private static RunFolder claim(org.apache.hadoop.fs.Path out) throws IOException {
    StoragePath run = RunPaths.of(HadoopPath.of(out, conf));
    RunRecord record =
        RunRecord.of(out.toString(), RunPaths.data(run).qualified(), "", "me", "", Map.of());
    RunStorage storage = HadoopRunStorage.of(run, conf);
    return RunFolder.claim(run, record, job -> true, Leftovers.REMOVED, storage);
  }
}
