package org.saevhadoop.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates the temporary folders of unit tests in memory, if the system has a folder for that: with
 * small datasets, a conversion on ext4 spends half of its time on creating and deleting folders and
 * files. Tests tagged {@code long} write more data than may fit into the memory of a machine.
 */
public final class MemoryFolders implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");

  /** The minimum usable space in memory, which containers often do not have. */
  private static final long MIN_BYTES = 2L << 30;

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    boolean memory =
        !context.getTags().contains("long")
            && Files.isWritable(MEMORY)
            && Files.getFileStore(MEMORY).getUsableSpace() >= MIN_BYTES;
    String prefix = "junit-";
    return memory ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
  }
}
