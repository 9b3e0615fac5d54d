package org.saevhadoop.format.publish.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;

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
    return SourceState.of(Arrays.stream(paths).<StoragePath>map(LocalPath::new).toList());
  }

  @Test
  void filesThatDoNotChangeHaveTheSameState() throws IOException {
    assertThat(state(folder)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"time", "length", "file in a subfolder", "link to an enclosing folder"})
  void aChangeIsSeen(String change) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    switch (change) {
      case "time" -> Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
      case "length" -> {
        Files.writeString(file, "abcd");
        Files.setLastModifiedTime(file, time);
      }
      case "file in a subfolder" -> Files.writeString(folder.resolve("nested/c"), "c");
      default -> Files.createSymbolicLink(folder.resolve("nested/up"), folder); // not endless
    }
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
  void aLogInAFolderIsNotSeen() throws IOException {
    Files.writeString(folder.resolve("convert.log"), "x");
    Files.writeString(folder.resolve("nested/nohup.out"), "x");
    assertThat(state(folder)).isEqualTo(before);
  }

  @Test
  void aLogBesideAFileIsNotSeenAndADocumentIs() throws IOException {
    Path array = Files.writeString(folder.resolve("big.npy"), "x");
    String alone = state(array);
    Files.writeString(folder.resolve("big.err"), "x");
    Files.writeString(folder.resolve("big"), "x");
    assertThat(state(array)).isEqualTo(alone);
    Files.writeString(folder.resolve("big.json"), "x");
    assertThat(state(array)).isNotEqualTo(alone);
  }
}
