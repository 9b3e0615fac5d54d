package org.saevhadoop.converters.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.AuditedOperations;
import org.saevhadoop.format.storage.LocalTree;

/**
 * The HDFS of three DataNodes that all tests of a JVM share. A class of tests writes to a folder of
 * its own and, where it looks at the audit log or at the owners of files, as a user of its own. No
 * test stops the NameNode or makes it read-only.
 */
public final class Hdfs implements AutoCloseable {
  /** The minimum length of a block, and its length for clients that want several in a file. */
  static final int BLOCK = 64 << 10;

  private final Path folder;
  private final MiniDFSCluster dfs;

  Hdfs() throws IOException {
    System.setProperty("jdk.jceks.iterationCount", "10000"); // a key is opened for each file
    folder = Files.createTempDirectory("saev-hadoop-cluster");
    Configuration conf = new Configuration();
    conf.setInt("dfs.namenode.fs-limits.min-block-size", BLOCK);
    conf.setInt("dfs.replication", 1);
    conf.setInt("fs.trash.interval", 60);
    // a DataNode on a busy machine reports a block late; the default of 5 gives it seconds
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 10);
    conf.set("dfs.namenode.audit.loggers", AuditedOperations.class.getName());
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set(
        "hadoop.security.key.provider.path",
        JavaKeyStoreProvider.SCHEME_NAME + "://file" + folder.resolve("keys.jks"));
    dfs = new MiniDFSCluster.Builder(conf, folder.resolve("dfs").toFile()).numDataNodes(3).build();
    open("/");
    fs().mkdirs(YarnCluster.path("/tmp"));
    fs().setPermission(YarnCluster.path("/tmp"), new FsPermission("1777"));
  }

  @Override
  public void close() throws IOException {
    dfs.shutdown();
    LocalTree.delete(folder);
  }

  /** Returns a folder of the local disk that is deleted in the end. */
  Path folder() {
    return folder;
  }

  MiniDFSCluster dfs() {
    return dfs;
  }

  /** Returns a client of the user of this process, who may do anything. */
  public DistributedFileSystem fs() throws IOException {
    return dfs.getFileSystem();
  }

  /** Returns a new configuration of a client, whose default file system this is. */
  public Configuration conf() {
    return new Configuration(dfs.getConfiguration(0));
  }

  /** Creates a folder to which all users may write. */
  public org.apache.hadoop.fs.Path open(String path) throws IOException {
    org.apache.hadoop.fs.Path created = YarnCluster.path(path);
    fs().mkdirs(created);
    fs().setPermission(created, new FsPermission("777"));
    return created;
  }

  /** Runs a command as a user, who has clients of its own. */
  public static Cli runAs(String user, String group, Configuration conf, Object... args) {
    return UserGroupInformation.createUserForTesting(user, new String[] {group})
        .doAs((PrivilegedAction<Cli>) () -> Cli.run(conf, args));
  }
}
