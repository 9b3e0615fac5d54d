package org.saevhadoop.converters.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A KDC, secured HDFS and YARN in this JVM, whose security they set: nothing else may run in it.
 * The daemons are one principal, as a JVM has one login user.
 */
public final class SecuredClusters implements AutoCloseable {
  private static final String DAEMON = "hdfs/localhost";
  private static final String WEB = "HTTP/localhost";

  /**
   * The user of this process: a shuffle serves only files of the user that has submitted the job.
   */
  private static final String USER = System.getProperty("user.name");

  private final Path folder;
  private final MiniKdc kdc;
  private final Path keytab;
  private final Configuration security = new Configuration();
  private final List<MiniDFSCluster> storages = new ArrayList<>();
  private MiniMRYarnCluster yarn;

  public SecuredClusters(Path folder) throws Exception {
    this.folder = folder;
    this.kdc =
        new MiniKdc(MiniKdc.createConf(), Files.createDirectory(folder.resolve("kdc")).toFile());
    kdc.start();
    keytab = folder.resolve("keytab");
    kdc.createPrincipal(keytab.toFile(), DAEMON, WEB, USER);
    secure();
    UserGroupInformation.setConfiguration(security);
    UserGroupInformation.loginUserFromKeytab(DAEMON, keytab.toString());
  }

  private void secure() {
    String daemon = DAEMON + "@" + kdc.getRealm();
    String web = WEB + "@" + kdc.getRealm();
    security.set("hadoop.security.authentication", "kerberos");
    security.set("hadoop.tmp.dir", Path.of("target", "secured").toAbsolutePath().toString());
    for (String server :
        List.of("dfs.namenode", "dfs.datanode", "yarn.resourcemanager", "yarn.nodemanager")) {
      boolean isDfs = server.startsWith("dfs.");
      security.set(server + (isDfs ? ".kerberos.principal" : ".principal"), daemon);
      security.set(server + (isDfs ? ".keytab.file" : ".keytab"), keytab.toString());
    }
    security.set("mapreduce.jobhistory.principal", daemon);
    security.set("mapreduce.jobhistory.keytab", keytab.toString());
    security.set("dfs.web.authentication.kerberos.principal", web);
    security.set("dfs.web.authentication.kerberos.keytab", keytab.toString());
    security.setBoolean("dfs.block.access.token.enable", true);
    security.setBoolean("ignore.secure.ports.for.testing", true);
    // a task without a token fails at once
    security.setBoolean("dfs.client.retry.policy.enabled", false);
  }

  /**
   * Starts NameNodes with a DataNode each, and returns the roots of their file systems. They start
   * one after another: servers that start at the same time share static state of Hadoop.
   */
  List<String> startStorages(int count) {
    return IntStream.range(0, count).mapToObj(this::startStorage).toList();
  }

  private String startStorage(int number) {
    try {
      MiniDFSCluster dfs =
          new MiniDFSCluster.Builder(
                  new Configuration(security), folder.resolve("dfs" + number).toFile())
              .numDataNodes(1)
              .build();
      storages.add(dfs);
      return open(dfs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String open(MiniDFSCluster dfs) throws IOException {
    FileSystem fs = dfs.getFileSystem();
    fs.setPermission(new org.apache.hadoop.fs.Path("/"), new FsPermission((short) 0777));
    return fs.getUri().toString();
  }

  /** Returns a configuration of clients. */
  Configuration client(String defaultStorage) {
    Configuration conf = new Configuration(security);
    conf.set("fs.defaultFS", defaultStorage);
    return conf;
  }

  /** Starts YARN, and returns the configuration of its clients, whose tasks run in the master. */
  public Configuration startYarn(String defaultStorage) {
    Configuration start = client(defaultStorage);
    YarnCluster.setQuick(start, "-Djava.security.krb5.conf=" + kdc.getKrb5conf());
    yarn = new MiniMRYarnCluster("secured", 1);
    yarn.init(start);
    yarn.start();
    return YarnCluster.client(yarn);
  }

  /** Returns a configuration of clients that run jobs in their own process. */
  public Configuration local() {
    Configuration conf = new Configuration(security);
    conf.unset("yarn.resourcemanager.principal");
    return conf;
  }

  /** Runs an action as a user with a Kerberos ticket. */
  public <T> T asUser(PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(USER, keytab.toString())
        .doAs(action);
  }

  @Override
  public void close() {
    if (yarn != null) {
      yarn.stop();
    }
    storages.forEach(MiniDFSCluster::shutdown);
    kdc.stop();
  }
}
