package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LocalFolderTest extends FolderContract {
  @Override
  protected Folder folder(Path local) {
    return new LocalFolder(local);
  }

  @Test
  void aLinkThatLeadsBackIsNoFolderAndOneThatLeadsElsewhereIs() throws IOException {
    Path inner = Files.createDirectories(directory.resolve("data/host_0"));
    Files.createDirectory(directory.resolve("elsewhere"));
    Files.createSymbolicLink(inner.resolve("self"), inner);
    Files.createSymbolicLink(inner.resolve("up"), directory);
    Files.createSymbolicLink(inner.resolve("other"), directory.resolve("elsewhere"));
    Files.createSymbolicLink(inner.resolve("nowhere"), directory.resolve("none"));
    assertThat(new LocalFolder(inner).folders()).containsExactly("other");
  }
}
