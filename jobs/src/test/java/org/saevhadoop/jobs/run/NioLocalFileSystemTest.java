package org.saevhadoop.jobs.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.mapreduce.io.NioLocalFileSystem;

class NioLocalFileSystemTest {
  private static final String KEY = "fs.file.impl";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0700, 0755, 0644, 0400, 0000, 01777})
  void permissionsAreThoseThatHadoopSets(int mode) throws IOException {
    assertThat(modeSetBy(new NioLocalFileSystem(), mode))
        .isEqualTo(modeSetBy(new LocalFileSystem(), mode))
        .isEqualTo(mode);
  }

  private int modeSetBy(LocalFileSystem files, int mode) throws IOException {
    files.initialize(folder.toUri(), new Configuration());
    Path file = Files.createTempFile(folder, "file", "");
    files.setPermission(
        new org.apache.hadoop.fs.Path(file.toUri()), new FsPermission((short) mode));
    return (Integer) Files.getAttribute(file, "unix:mode") & 07777;
  }

  @Test
  void filesAreCreatedWithThePermissionsOfTheUmask() throws IOException {
    Configuration conf = new Configuration();
    conf.set(FsPermission.UMASK_LABEL, "027");
    NioLocalFileSystem files = new NioLocalFileSystem();
    files.initialize(folder.toUri(), conf);
    files.create(new org.apache.hadoop.fs.Path(folder.resolve("new").toUri())).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("new"))))
        .isEqualTo("rw-r-----");
  }

  @Test
  void localJobsUseItThoughItIsNotNamedInTheirConfiguration() throws Exception {
    Configuration local = new Configuration();
    ClassLoader other = ClassLoader.getPlatformClassLoader(); // S3A's does not know the job's jar
    assertThat(localFilesOf(local, other)).isInstanceOf(NioLocalFileSystem.class);
    assertThat(local.getTrimmed(KEY, "")).isEmpty();
  }

  @Test
  void theUsersOwnLocalFileSystemIsKept() throws Exception {
    Configuration own = new Configuration();
    own.setClass(KEY, LocalFileSystem.class, FileSystem.class);
    assertThat(localFilesOf(own, own.getClassLoader())).isExactlyInstanceOf(LocalFileSystem.class);
  }

  @Test
  void clientsOfYarnDoNotUseIt() throws Exception {
    Configuration yarn = new Configuration();
    yarn.set("mapreduce.framework.name", "yarn");
    assertThat(localFilesOf(yarn, yarn.getClassLoader()))
        .isExactlyInstanceOf(LocalFileSystem.class);
  }

  /**
   * Prepares a command, as a user of its own, since Hadoop caches file systems by user, and returns
   * the local file system that code with a class loader then receives.
   */
  private static FileSystem localFilesOf(Configuration conf, ClassLoader loader) throws Exception {
    return UserGroupInformation.createRemoteUser("someone")
        .doAs(
            (PrivilegedExceptionAction<FileSystem>)
                () -> {
                  JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry());
                  Configuration used = new Configuration(conf);
                  used.setClassLoader(loader);
                  return FileSystem.getLocal(used);
                });
  }
}
