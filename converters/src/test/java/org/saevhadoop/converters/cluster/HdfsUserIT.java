package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.AuditedOperations;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FileError;

/**
 * An ordinary user of an HDFS with permissions and quotas, in which folders of others are closed.
 */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class HdfsUserIT {
  private static final int BLOCK = Hdfs.BLOCK;
  private static final FsPermission CLOSED = new FsPermission("700");

  /** The operations of the user that the NameNode has logged. */
  private static final Queue<AuditedOperations.Operation> AUDIT = AuditedOperations.of("ann");

  /** The operations of the NameNode that change nothing. */
  static final Set<String> READS =
      Set.of("getfileinfo", "listStatus", "open", "checkAccess", "safemode_get");

  private static final String LARGER = "(expected a larger quota, or less data in that folder)";

  @TempDir static java.nio.file.Path folder;
  private static Hdfs hdfs;
  private static DistributedFileSystem superuser;

  @BeforeAll
  static void useHdfs(Hdfs shared) throws IOException {
    hdfs = shared;
    superuser = hdfs.fs();
    superuser.mkdirs(new Path("/user/alice"));
    superuser.setPermission(new Path("/user/alice"), CLOSED);
  }

  @BeforeEach
  void clearAudit() {
    AUDIT.clear();
  }

  @Test
  void aConversionAsksForNoQuotaAndWalksNoFolder() throws Exception {
    convert("/plain/out").succeeds();
    assertThat(commands())
        .contains("create", "rename (options=[NONE])")
        .doesNotContain("contentSummary", "quotaUsage");
  }

  @Test
  void aQuotaThatCannotBeReadCountsAsUnknown() throws Exception {
    assertThat(convert("/unknown", "--check-quota").succeeds().stderr())
        .contains("the quota of", "is unknown");
  }

  @Test
  void aQuotaIsComparedWhereTheUserAsksForIt() throws Exception {
    Path small = hdfs.open("/small");
    superuser.setQuota(small, Long.MAX_VALUE, 4 * BLOCK);
    convert("/small/out", "--check-quota").failsWithText("/small/out", "is free in", "/small ");
    assertThat(superuser.listStatus(small)).isEmpty();
  }

  @Test
  void aDryRunOnlyReadsAndIsRefusedWhereTheRunIs() throws Exception {
    convert("/planned", "--dry-run").succeeds();
    assertThat(commands())
        .contains("getfileinfo", "checkAccess")
        .allMatch(READS::contains, "reads");
    Path small = hdfs.open("/planned-small");
    superuser.setQuota(small, Long.MAX_VALUE, 4 * BLOCK);
    convert("/planned-small/out", "--check-quota", "--dry-run")
        .failsWithText("/planned-small/out", "is free in", "/planned-small ");
    superuser.mkdirs(new Path("/closed"), CLOSED);
    superuser.mkdirs(new Path("/readable"), new FsPermission("755"));
    for (String out : List.of("/closed/out", "/readable/out")) {
      convert(out).failsWithText("Permission denied");
      convert(out, "--dry-run").failsWithText("Permission denied");
    }
    assertThat(superuser.listStatus(new Path("/readable"))).isEmpty();
  }

  @Test
  void aSpaceQuotaThatTasksExceedIsNamedInOneLine() throws Exception {
    Path small = hdfs.open("/exceeded");
    superuser.setQuota(small, Long.MAX_VALUE, 4 * BLOCK);
    convert("/exceeded/out")
        .failsWithText(
            "cannot be written: The DiskSpace quota of /exceeded is exceeded", "262144", LARGER);
  }

  @ParameterizedTest
  @Tag("sampled")
  @ValueSource(booleans = {false, true})
  void aNameQuotaIsNamedInOneLineWithoutAClass(boolean staged) throws Exception {
    java.nio.file.Path source = staged ? Fixtures.pickle("spec") : Fixtures.saev(Fixtures.D768);
    int names = 1;
    Cli command = convertWithNames(source, names);
    while (command.exitCode() != 0) {
      command.failsWithText(" NameSpace quota", "/few" + names, "quota=" + names, LARGER);
      assertThat(command.stderr()).doesNotContain("Exception", "org.apache");
      names += TestExtent.of(3, staged ? 2 : 1);
      command = convertWithNames(source, names);
    }
    assertThat(names).isBetween(8, 32);
  }

  /** Converts to a folder that may have a number of names, itself included. */
  private static Cli convertWithNames(java.nio.file.Path source, int names) throws Exception {
    Path few = new Path("/few" + names);
    superuser.delete(few, true);
    superuser.setQuota(hdfs.open("/few" + names), names, Long.MAX_VALUE);
    return convertFrom(source, "/few" + names + "/out");
  }

  @Test
  void whatAnotherUserHasLeftIsRefused() throws Exception {
    Path place = hdfs.open("/planted");
    java.nio.file.Path local = KilledRun.of(folder.resolve("out"));
    Path run = new Path(place, "_out.saev-hadoop");
    superuser.copyFromLocalFile(new Path(local.toUri()), run);
    superuser.setOwner(run, "bob", "staff");
    String path = superuser.makeQualified(run).toString();
    convert("/planted/out", "--resume").failsWith(FileError.NOT_OWNED, path);
    superuser.setOwner(run, "ann", "staff");
    superuser.setOwner(new Path(run, "lock"), "bob", "staff");
    convert("/planted/out", "--resume").failsWith(FileError.NOT_OWNED, path + "/lock");
    assertThat(superuser.exists(run)).isTrue();
    assertThat(List.of(superuser.listStatus(place))).hasSize(1);
  }

  private static List<String> commands() {
    return AUDIT.stream().map(AuditedOperations.Operation::command).toList();
  }

  /** Converts a fixture as an ordinary user. */
  private static Cli convert(String path, String... options) throws Exception {
    return convertFrom(Fixtures.saev(Fixtures.D768), path, options);
  }

  private static Cli convertFrom(java.nio.file.Path source, String path, String... options)
      throws Exception {
    assertThat(Files.isDirectory(source)).isTrue();
    Configuration conf = hdfs.conf();
    conf.setInt("dfs.blocksize", BLOCK);
    Object[] convert = {
      "convert", "file:" + source, superuser.getUri() + path, "--to", "safetensors"
    };
    return Hdfs.runAs("ann", "staff", conf, convert, options);
  }
}
