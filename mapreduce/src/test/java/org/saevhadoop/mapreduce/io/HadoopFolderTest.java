package org.saevhadoop.mapreduce.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FolderContract;
import org.saevhadoop.mapreduce.FaultyFileSystem;

@ResourceLock(FaultyFileSystem.SCHEME)
class HadoopFolderTest extends FolderContract {
  @Override
  protected Folder folder(Path local) throws IOException {
    Configuration conf = new Configuration(false);
    FaultyFileSystem.register(conf);
    Folder folder = HadoopFolder.of(FaultyFileSystem.path(local), conf);
    assertThat(folder).isInstanceOf(HadoopFolder.class);
    return folder;
  }
}
