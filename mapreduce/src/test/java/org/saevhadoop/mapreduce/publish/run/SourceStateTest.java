package org.saevhadoop.mapreduce.publish.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceStateTest {
  @TempDir Path folder;
  private Path file;
  private String before;

  @BeforeEach
  void createFiles() throws IOException {
    file = Files.writeString(folder.resolve("a"), "abc");
    Files.createDirectory(folder.resolve("nested"));
    Files.writeString(folder.resolve("nested/b"), "b");
    before = state(folder);
  }

  private static String state(Path... paths) throws IOException {
    return SourceState.of(
        Arrays.stream(paths).map(path -> new org.apache.hadoop.fs.Path("file:" + path)).toList(),
        new Configuration(false));
  }

  @Test
  void filesThatDoNotChangeHaveTheSameState() throws IOException {
    assertThat(state(folder)).isEqualTo(before);
  }

  @Test
  void aTimeThatChangesIsSeen() throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    assertThat(state(folder)).isNotEqualTo(before);
  }

  @Test
  void aLengthThatChangesIsSeenThoughTheTimeDoesNot() throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "abcd");
    Files.setLastModifiedTime(file, time);
    assertThat(state(folder)).isNotEqualTo(before);
  }

  @Test
  void aFileInASubfolderIsSeen() throws IOException {
    Files.writeString(folder.resolve("nested/c"), "c");
    assertThat(state(folder)).isNotEqualTo(before);
  }

  @Test
  void filesOfTheSameNameBesideAFileAreSeenAndOthersAreNot() throws IOException {
    Path first = Files.writeString(folder.resolve("a.shard0.sdnb"), "x");
    String alone = state(first);
    Files.writeString(folder.resolve("b.shard0.sdnb"), "x");
    assertThat(state(first)).isEqualTo(alone);
    Files.writeString(folder.resolve("a.shard1.sdnb"), "x");
    assertThat(state(first)).isNotEqualTo(alone);
  }

  @Test
  void aLinkToAnEnclosingFolderDoesNotMakeItEndless() throws IOException {
    Files.createSymbolicLink(folder.resolve("nested/up"), folder);
    assertThat(state(folder)).isNotEqualTo(before);
  }
}
