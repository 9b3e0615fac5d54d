package org.saevhadoop.format.publish;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.StoragePath;

/**
 * Determines whether a destination contains a source or is inside one. A source is the source of a
 * command, or a dataset from which a conversion takes labels, sample metadata or ids. Local paths
 * are compared by the files that they denote, so links, {@code ..}, mounts, and letter case on a
 * case-insensitive disk make no difference.
 */
public final class SourceOverlap {
  private static final int MAX_TRIES = 10;

  private SourceOverlap() {}

  /**
   * Checks that neither the source nor the destination contains the other.
   *
   * @param source the path of the dataset that is read
   * @param destination the destination, which does not have to exist
   * @throws FormatException if they overlap
   */
  public static void check(StoragePath source, StoragePath destination) throws IOException {
    check(source, destination, true);
  }

  /**
   * Checks that a folder for new files is not in the source. The folder may contain the source.
   *
   * @throws FormatException if the folder is in the source
   */
  public static void checkFolder(StoragePath source, StoragePath folder) throws IOException {
    check(source, folder, false);
  }

  private static void check(StoragePath source, StoragePath destination, boolean isReplaced)
      throws IOException {
    boolean overlap =
        source instanceof LocalPath from && destination instanceof LocalPath to
            ? overlaps(from.path(), to.path(), isReplaced)
            : source.contains(destination) || isReplaced && destination.contains(source);
    FileError.OVERLAP.check(
        !overlap,
        destination.shown(),
        "overlaps with %s, which is read (expected another path)",
        source.shown());
  }

  /** Tries again if an existing file disappears: another run may be replacing the destination. */
  private static boolean overlaps(Path source, Path destination, boolean isReplaced)
      throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return overlapsNow(source, destination, isReplaced);
      } catch (NoSuchFileException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private static boolean overlapsNow(Path source, Path destination, boolean isReplaced)
      throws IOException {
    Path read = source.toRealPath();
    Path existing = destination.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = Objects.requireNonNull(existing.getParent()); // the root exists
    }
    Path real = existing.toRealPath();
    boolean written = isReplaced && existing.equals(destination.toAbsolutePath());
    Reached reached = new Reached(real, written);
    if (isIn(real, read) || written && isIn(read, real)) {
      return true;
    }
    Files.walkFileTree(read, reached);
    return reached.found;
  }

  /** Returns whether a real path equals another one or is below it. */
  private static boolean isIn(Path inner, Path outer) throws IOException {
    for (Path path = inner; path != null; path = path.getParent()) {
      if (Files.isSameFile(path, outer)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Searches a source for links, including hard links, to the destination or to a folder that
   * contains it.
   */
  private static final class Reached extends SimpleFileVisitor<Path> {
    private final Path real;
    private final boolean isReplaced;
    private final @Nullable Object key;
    private boolean found;

    /**
     * @param real the destination, or the nearest existing folder above it
     * @param isReplaced whether {@code real} is the destination itself, which is replaced together
     *     with its content
     */
    Reached(Path real, boolean isReplaced) throws IOException {
      this.real = real;
      this.isReplaced = isReplaced;
      this.key =
          isReplaced ? Files.readAttributes(real, BasicFileAttributes.class).fileKey() : null;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isSymbolicLink() && Files.exists(file)) {
        Path target = file.toRealPath();
        found = isIn(real, target) || isReplaced && isIn(target, real);
      } else {
        found = key != null && key.equals(attributes.fileKey());
      }
      return found ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    /** Skips files that neither this search nor the command can read. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
