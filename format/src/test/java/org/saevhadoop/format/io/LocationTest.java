package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocationTest {
  @TempDir Path folder;

  @Test
  void locationsOfTheFilesOfAFolderShareOneListing() throws IOException {
    Files.createFile(folder.resolve("a"));
    Files.createFile(folder.resolve("b"));
    Location first = Location.of(new LocalFolder(folder), "a");
    Location second = first.sibling("b");
    assertThat(second.listing()).isSameAs(first.listing());
    assertThat(second.files()).containsOnlyKeys("b");
    assertThat(second.path()).endsWith("/b");
    assertThat(first.checked().listing()).isNotSameAs(first.listing());
  }
}
