package org.saevhadoop.format.publish.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.StoragePath;

class InterruptedRunsTest {
  @TempDir Path folder;
  private RunRecord record;

  @BeforeEach
  void leaveTheFolderOfARun() throws IOException {
    record = RunRecord.of(path("hash1").qualified(), "data", "source", "me", "s", Map.of());
    Path left = Files.createDirectories(folder.resolve("shards/_hash1.saev-hadoop"));
    Files.write(left.resolve("run.json"), record.toJson());
  }

  private StoragePath path(String name) {
    return new LocalPath(folder.resolve("shards").resolve(name));
  }

  private Optional<RunRecord> find(String name, String source, boolean beside) throws IOException {
    return InterruptedRuns.find(path(name), source, beside, new LocalRunStorage(false));
  }

  /** A run beside the path is found only where names depend on the run. */
  @ParameterizedTest
  @CsvSource({
    "hash1,   source, false, true",
    "hash2,   source, true,  true",
    "hash2,   source, false, false",
    "hash1,   other,  true,  false",
    "none/in, source, true,  false"
  })
  void aRunIsFoundByItsPathAndItsSource(String name, String source, boolean beside, boolean found)
      throws IOException {
    assertThat(find(name, source, beside)).isEqualTo(Optional.of(record).filter(run -> found));
  }

  @Test
  void aFolderThatOnlyHasTheNameOfOneIsNotFound() throws IOException {
    Files.writeString(folder.resolve("shards/_hash1.saev-hadoop/run.json"), "{}");
    Files.createDirectory(folder.resolve("shards/_hash3.saev-hadoop"));
    assertThat(find("hash2", "source", true)).isEmpty();
  }
}
