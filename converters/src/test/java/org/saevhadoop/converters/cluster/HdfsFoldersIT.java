package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Queue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.AuditedOperations;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;

/** Folders of HDFS with encryption, access control lists and trash, and mounts of viewfs. */
@Tag("cluster")
@Tag("sampled")
@ExtendWith(ClusterExtension.class)
@Order(4)
class HdfsFoldersIT {
  private static final String USER = "zoe";
  private static final String ROOT = "/folders";

  private static Hdfs hdfs;
  private static DistributedFileSystem fs;
  private static Configuration conf;

  @BeforeAll
  static void useHdfs(Hdfs shared) throws Exception {
    hdfs = shared;
    fs = hdfs.fs();
    conf = hdfs.conf();
    hdfs.open(ROOT);
    KeyProvider provider = hdfs.dfs().getNameNode().getNamesystem().getProvider();
    provider.createKey("key", KeyProvider.options(conf));
    provider.flush();
  }

  @ParameterizedTest
  @CsvSource({
    "safetensors, /inside/zone, /inside/zone/out",
    "saev --family=clip --ckpt=x, /root/zone, /root/zone",
    "saev --family=clip --ckpt=x, /below/zone, /below/zone/new/out"
  })
  void everyFileOfAConversionIsCreatedInTheEncryptionZone(String to, String zone, String out)
      throws Exception {
    assumeTrue(TestExtent.isWhole() || zone.startsWith("/below"));
    createZone(new Path(ROOT + zone));
    Queue<AuditedOperations.Operation> audit = AuditedOperations.of(USER);
    audit.clear();
    convert(out, to.split(" ")).succeeds();
    assertThat(audit)
        .filteredOn(operation -> operation.command().equals("create"))
        .hasSizeGreaterThan(4)
        .allMatch(created -> created.path().startsWith(ROOT + zone + "/"));
    assertThat(fs.listStatus(new Path(ROOT + zone).getParent())).hasSize(1);
  }

  @Test
  void theRootOfAnEncryptionZoneIsNotReplaced() throws Exception {
    Path zone = new Path(ROOT + "/replaced/zone");
    createZone(zone);
    convert("/replaced/zone", "safetensors", "--overwrite")
        .failsWithText(ROOT + "/replaced/zone: is the root of an encryption zone");
    assertThat(fs.listStatus(zone.getParent())).hasSize(1);
    assertThat(fs.getFileStatus(zone).isEncrypted()).isTrue();
  }

  @Test
  void thePublishedFolderHasTheDefaultAclsOfItsParent() throws Exception {
    Path parent = new Path(ROOT + "/acls");
    fs.mkdirs(parent);
    fs.modifyAclEntries(
        parent, AclEntry.parseAclSpec("default:user:bob:r-x,default:other::---", true));
    convert("/acls/out", "safetensors").succeeds();
    Path out = new Path(ROOT + "/acls/out");
    assertThat(fs.getAclStatus(out).getEntries())
        .contains(AclEntry.parseAclEntry("user:bob:r-x", true));
    for (FileStatus file : fs.listStatus(out)) {
      assertThat(fs.getAclStatus(file.getPath()).getEntries())
          .contains(AclEntry.parseAclEntry("user:bob:r-x", true));
    }
  }

  @Test
  void theUmaskAppliesToWhatIsPublished() throws Exception {
    fs.mkdirs(new Path(ROOT + "/umask"));
    fs.setPermission(new Path(ROOT + "/umask"), new FsPermission("777"));
    Object[] convert = converted("/umask/out", "safetensors", "-Dfs.permissions.umask-mode=027");
    Hdfs.runAs("lea", "staff", conf, convert).succeeds(); // with a client of its own
    Path out = new Path(ROOT + "/umask/out");
    assertThat(fs.getFileStatus(out).getPermission()).isEqualTo(new FsPermission("750"));
    for (FileStatus file : fs.listStatus(out)) {
      assertThat(file.getPermission()).isEqualTo(new FsPermission("640"));
    }
  }

  @Test
  void whatIsReplacedDoesNotGoToTheTrash() throws IOException {
    for (int run = 0; run < 2; run++) {
      convert("/trash/out", "safetensors", "--overwrite").succeeds();
    }
    assertThat(fs.exists(new Path("/user/" + USER))).as("with a folder .Trash").isFalse();
  }

  @Test
  @Tag("long")
  void aDatasetInAFolderWithSnapshotsIsReplaced() throws IOException {
    Path parent = new Path(ROOT + "/snapshots");
    convert("/snapshots/out", "safetensors").succeeds();
    fs.allowSnapshot(parent);
    Path snapshot = fs.createSnapshot(parent);
    convert("/snapshots/out", "pickle", "--overwrite").succeeds();
    assertThat(fs.listStatus(parent)).hasSize(1);
    assertThat(fs.exists(new Path(snapshot, "out/dataset_manifest.json"))).isTrue();
  }

  @Test
  void aMountOfViewfsIsWrittenAndReplaced() throws IOException {
    fs.mkdirs(new Path(ROOT + "/mounted"));
    conf.set("fs.viewfs.mounttable.table.link./data", fs.getUri() + ROOT + "/mounted");
    String out = "viewfs://table/data/out";
    for (int run = 0; run < 2; run++) {
      Cli cli =
          Cli.run(conf, "convert", source(), out, "--to=safetensors", "--overwrite").succeeds();
      assertThat(cli.stderr()).doesNotContain("copies");
    }
    assertThat(fs.listStatus(new Path(ROOT + "/mounted"))).hasSize(1);
    assertThat(Cli.run(conf, "digest", out).succeeds().text())
        .isEqualTo(Cli.run("digest", source()).text());
  }

  private static void createZone(Path zone) throws IOException {
    fs.mkdirs(zone);
    new HdfsAdmin(fs.getUri(), conf)
        .createEncryptionZone(zone, "key", EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
  }

  private static String source() {
    return "file:" + Fixtures.pickle("spec");
  }

  /** Runs a conversion as a superuser, under whose name no other test does anything. */
  private static Cli convert(String path, String... options) {
    return Hdfs.runAs(USER, "supergroup", conf, converted(path, options));
  }

  private static Object[] converted(String path, String... options) {
    return new Object[] {"convert", source(), fs.getUri() + ROOT + path, "--to", options};
  }
}
