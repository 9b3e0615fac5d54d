package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a folder of any storage does; each shows the same local directory. */
public abstract class FolderContract {
  @TempDir Path directory;

  /** The storage's view of a local directory. */
  protected abstract Folder folder(Path local) throws IOException;

  @Test
  void filesAndFoldersAreDistinguished() throws IOException {
    Files.createDirectories(directory.resolve("host_10/deeper"));
    Files.createDirectory(directory.resolve("host_2"));
    Files.write(directory.resolve("file"), new byte[3]);
    Folder folder = folder(directory);
    assertThat(folder.folders()).containsExactly("host_10", "host_2");
    assertThat(folder.files()).containsOnlyKeys("file").containsEntry("file", 3L);
    assertThat(folder.list()).isEqualTo(new Folder.Listing(folder.files(), folder.folders()));
  }

  @Test
  void everyFolderThatIsListedCanBeEntered() throws IOException {
    Files.createDirectories(directory.resolve("a/b"));
    Folder inner = folder(directory).folder("a").orElseThrow();
    assertThat(inner.folders()).containsExactly("b");
    assertThat(inner.folder("b").orElseThrow().folders()).isEmpty();
    assertThat(inner.folder("c")).isEmpty();
  }
}
