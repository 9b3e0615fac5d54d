package org.saevhadoop.mapreduce.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FileError;

/** A path that is the base name of shards is that of the first shard. */
class ShardBaseNameTest {
  @TempDir Path folder;

  private final HadoopStorage storage = new HadoopStorage(new Configuration(false));

  @BeforeEach
  void createShards() throws IOException {
    Files.createFile(folder.resolve("m[1].shard0-of-2.sdnb"));
    Files.createFile(folder.resolve("m[1].shard1-of-2.sdnb"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"m[1]", "m[1].sdnb"})
  void theBaseNameIsThatOfTheShards(String name) throws IOException {
    assertThat(storage.locate(folder.resolve(name).toString()).file())
        .isEqualTo("m[1].shard0-of-2.sdnb");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"m", "m1", "m[1].", "m[1].sdnb.old", "m[1].sdz", "m[1].shard0", "none/m[1]"})
  void anyOtherNameDoesNotExist(String name) {
    Path path = folder.resolve(name);
    assertFails(FileError.NOT_FOUND, path, () -> storage.locate(path.toString()));
  }

  @Test
  void aFileOfTheNameItselfIsMeant() throws IOException {
    Files.createFile(folder.resolve("m[1].sdnb"));
    assertThat(storage.locate(folder.resolve("m[1].sdnb").toString()).file())
        .isEqualTo("m[1].sdnb");
  }
}
