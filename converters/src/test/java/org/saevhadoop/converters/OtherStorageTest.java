package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.find;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.saevhadoop.format.io.FileError;

/** Storages that have neither the locks of an operating system nor the leases of HDFS. */
@Tag("late")
@ResourceLock(FullFileSystem.SCHEME)
class OtherStorageTest {
  @TempDir Path folder;

  @Test
  void theFolderOfAKilledRunIsTakenForThatOfALivingOneUntilItIsRemoved() throws IOException {
    FullFileSystem.setFree(Long.MAX_VALUE, false);
    Configuration conf = FullFileSystem.conf();
    Path out = folder.resolve("out");
    Path dead = KilledRun.of(out);
    Path part =
        Files.write(Files.createDirectory(dead.resolve("data")).resolve("part"), new byte[9]);
    Object[] convert = {
      "convert",
      Fixtures.saev(Fixtures.SMALL),
      FullFileSystem.path(out),
      "--to",
      "safetensors",
      "--overwrite"
    };
    Cli refused = Cli.run(conf, convert).failsWithText(dead.toString(), "remove this folder");
    assertThat(find(refused.failure()).kind()).isEqualTo(FileError.IN_USE);
    assertThat(part).exists();
    for (Path file : new Path[] {part, part.getParent(), dead.resolve("lock")}) {
      Files.delete(file);
    }
    Files.delete(dead.resolve("run.json"));
    Files.delete(dead);
    for (int run = 0; run < 2; run++) {
      Cli.run(conf, convert).succeeds();
      try (Stream<Path> left = Files.list(folder)) {
        assertThat(left).containsExactly(out);
      }
    }
  }
}
