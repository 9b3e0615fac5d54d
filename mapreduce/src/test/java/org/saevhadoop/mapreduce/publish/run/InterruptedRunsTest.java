package org.saevhadoop.mapreduce.publish.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedRunsTest {
  @TempDir Path folder;
  private RunRecord record;

  @BeforeEach
  void leaveTheFolderOfARun() throws IOException {
    record = RunRecord.of(hadoop("hash1").toString(), "data", "source", "me", "s", Map.of());
    Path left = Files.createDirectories(folder.resolve("shards/_hash1.saev-hadoop"));
    Files.write(left.resolve("run.json"), record.toJson());
  }

  private org.apache.hadoop.fs.Path hadoop(String name) {
    return new org.apache.hadoop.fs.Path("file:" + folder.resolve("shards").resolve(name));
  }

  private Optional<RunRecord> find(String name, String source, boolean beside) throws IOException {
    return InterruptedRuns.find(hadoop(name), source, beside, new Configuration(false));
  }

  @Test
  void theRunToAPathIsFound() throws IOException {
    assertThat(find("hash1", "source", false)).contains(record);
  }

  @Test
  void aRunToAPathBesideIsFoundWhereNamesDependOnTheRun() throws IOException {
    assertThat(find("hash2", "source", true)).contains(record);
    assertThat(find("hash2", "source", false)).isEmpty();
  }

  @Test
  void aRunThatReadsAnotherSourceIsNotFound() throws IOException {
    assertThat(find("hash1", "other", true)).isEmpty();
  }

  @Test
  void aFolderThatOnlyHasTheNameOfOneIsNotFound() throws IOException {
    Files.writeString(folder.resolve("shards/_hash1.saev-hadoop/run.json"), "{}");
    Files.createDirectory(folder.resolve("shards/_hash3.saev-hadoop"));
    assertThat(find("hash2", "source", true)).isEmpty();
  }

  @Test
  void nothingIsFoundInAFolderThatDoesNotExist() throws IOException {
    org.apache.hadoop.fs.Path missing = new org.apache.hadoop.fs.Path("file:" + folder + "/no/out");
    assertThat(InterruptedRuns.find(missing, "source", true, new Configuration(false))).isEmpty();
  }
}
