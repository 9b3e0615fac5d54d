package org.saevhadoop.format.storage;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Trees of local files. Symbolic links are entries like any other and are not followed. */
public final class LocalTree {
  private LocalTree() {}

  /**
   * Deletes a file, or a folder with its content. Other threads may delete files at the same time.
   *
   * @throws java.nio.file.DirectoryNotEmptyException if another thread creates a file in the folder
   *     at the same time
   */
  public static void delete(Path path) throws IOException {
    Files.walkFileTree(path, new Deletion());
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      if (e != null && !(e instanceof NoSuchFileException)) {
        throw e;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
