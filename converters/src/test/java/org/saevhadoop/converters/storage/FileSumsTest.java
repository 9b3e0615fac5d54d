package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.jobs.digest.FileSums;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.mapreduce.FaultyFileSystem;

class FileSumsTest {
  private static final long SPLIT_BYTES = 128L << 20;

  @TempDir Path folder;

  private void write(String name, long length) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
      file.setLength(length); // a sparse file
    }
  }

  @Test
  void smallFilesAreJoinedByBothExecutors() throws Exception {
    write("a", 1);
    write("b", SPLIT_BYTES - 1); // with the first one, enough for a task
    write("c", SPLIT_BYTES + 1);
    write("d", 2);
    write("e", 0);
    Configuration conf = new Configuration();
    FaultyFileSystem.register(conf);
    try (JobRunner runner = JobRunner.open(conf, RunListener.NONE, DatasetFormats.registry())) {
      String remote = FaultyFileSystem.uri(folder);
      for (String path : new String[] {folder.toString(), remote}) {
        assertThat(runner.plan(FileSums.job(runner.path(path))).maps()).as(path).isEqualTo(3);
      }
      Files.delete(folder.resolve("b"));
      Files.delete(folder.resolve("c"));
      assertThat(FileSums.of(runner.path(folder.toString()), runner))
          .isEqualTo(FileSums.of(runner.path(remote), runner))
          .containsOnlyKeys("a", "d", "e");
    }
  }
}
