package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.AuditedOperations;
import org.saevhadoop.converters.program.Fixtures;

/** Folders of HDFS with encryption, access control lists and trash, and mounts of viewfs. */
@Tag("cluster")
class HdfsFoldersIT {
  /** The paths of files that the NameNode has created. */
  private static final Queue<String> CREATED = new ConcurrentLinkedQueue<>();

  @TempDir static java.nio.file.Path folder;
  @AutoClose private static MiniDFSCluster dfs;
  private static DistributedFileSystem fs;
  private static Configuration conf;

  /** Collects the files that are created. */
  public static final class Creations extends AuditedOperations {
    @Override
    public void accept(String command, String path) {
      if (command.equals("create")) {
        CREATED.add(path);
      }
    }
  }

  @BeforeAll
  static void startDfs() throws Exception {
    System.setProperty("jdk.jceks.iterationCount", "10000"); // a key is opened for each file
    Configuration started = new Configuration();
    started.setInt("dfs.namenode.fs-limits.min-block-size", 64 << 10);
    started.setBoolean("dfs.namenode.acls.enabled", true);
    started.setInt("fs.trash.interval", 60);
    started.set("dfs.namenode.audit.loggers", Creations.class.getName());
    started.set(
        "hadoop.security.key.provider.path",
        JavaKeyStoreProvider.SCHEME_NAME + "://file" + folder.resolve("keys.jks"));
    dfs =
        new MiniDFSCluster.Builder(started, folder.resolve("dfs").toFile()).numDataNodes(1).build();
    fs = dfs.getFileSystem();
    conf = new Configuration(dfs.getConfiguration(0));
    KeyProvider provider = dfs.getNameNode().getNamesystem().getProvider();
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
    createZone(new Path(zone));
    CREATED.clear();
    convert(out, to.split(" ")).succeeds();
    assertThat(CREATED).hasSizeGreaterThan(4).allMatch(path -> path.startsWith(zone + "/"));
    assertThat(fs.listStatus(new Path(zone).getParent())).hasSize(1);
  }

  @Test
  void theRootOfAnEncryptionZoneIsNotReplaced() throws Exception {
    Path zone = new Path("/replaced/zone");
    createZone(zone);
    convert("/replaced/zone", "safetensors", "--overwrite")
        .failsWithText("/replaced/zone: is the root of an encryption zone");
    assertThat(fs.listStatus(zone.getParent())).hasSize(1);
    assertThat(fs.getFileStatus(zone).isEncrypted()).isTrue();
  }

  @Test
  void thePublishedFolderHasTheDefaultAclsOfItsParent() throws Exception {
    Path parent = new Path("/acls");
    fs.mkdirs(parent);
    fs.modifyAclEntries(
        parent, AclEntry.parseAclSpec("default:user:bob:r-x,default:other::---", true));
    convert("/acls/out", "safetensors").succeeds();
    Path out = new Path("/acls/out");
    assertThat(fs.getAclStatus(out).getEntries())
        .contains(AclEntry.parseAclEntry("user:bob:r-x", true));
    for (FileStatus file : fs.listStatus(out)) {
      assertThat(fs.getAclStatus(file.getPath()).getEntries())
          .contains(AclEntry.parseAclEntry("user:bob:r-x", true));
    }
  }

  @Test
  void theUmaskAppliesToWhatIsPublished() throws Exception {
    fs.mkdirs(new Path("/umask"));
    fs.setPermission(new Path("/umask"), new FsPermission("777"));
    UserGroupInformation.createUserForTesting(
            "ann", new String[] {"staff"}) // with a client of its own
        .doAs(
            (PrivilegedAction<Cli>)
                () -> convert("/umask/out", "safetensors", "-Dfs.permissions.umask-mode=027"))
        .succeeds();
    Path out = new Path("/umask/out");
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
    assertThat(fs.exists(fs.getTrashRoot(new Path("/trash/out")))).isFalse();
  }

  @Test
  void aDatasetInAFolderWithSnapshotsIsReplaced() throws IOException {
    Path parent = new Path("/snapshots");
    convert("/snapshots/out", "safetensors").succeeds();
    fs.allowSnapshot(parent);
    Path snapshot = fs.createSnapshot(parent);
    convert("/snapshots/out", "pickle", "--overwrite").succeeds();
    assertThat(fs.listStatus(parent)).hasSize(1);
    assertThat(fs.exists(new Path(snapshot, "out/dataset_manifest.json"))).isTrue();
  }

  @Test
  void aMountOfViewfsIsWrittenAndReplaced() throws IOException {
    fs.mkdirs(new Path("/mounted"));
    conf.set("fs.viewfs.mounttable.table.link./data", fs.getUri() + "/mounted");
    String out = "viewfs://table/data/out";
    for (int run = 0; run < 2; run++) {
      Cli cli =
          Cli.run(conf, "convert", source(), out, "--to=safetensors", "--overwrite").succeeds();
      assertThat(cli.stderr()).doesNotContain("copies");
    }
    assertThat(fs.listStatus(new Path("/mounted"))).hasSize(1);
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

  private static Cli convert(String path, String... options) {
    return Cli.run(conf, "convert", source(), fs.getUri() + path, "--to", options);
  }
}
