package org.saevhadoop.jobs.plan;

import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.storage.StoragePath;

/**
 * The free space for a file or folder that would be created.
 *
 * @param existing the nearest folder that exists
 * @param bytes the number of free bytes, before division by the number of replicas; null if the
 *     storage does not report it
 */
public record FreeSpace(StoragePath existing, @Nullable Long bytes) {
  /** Returns the space at a path, which does not have to exist yet. */
  public static FreeSpace of(StoragePath path) throws IOException {
    StoragePath existing = path;
    while (!existing.isRoot() && existing.kind() == StoragePath.Kind.MISSING) {
      existing = existing.folderAbove();
    }
    OptionalLong free = existing.freeBytes();
    return new FreeSpace(existing, free.isPresent() ? free.getAsLong() : null);
  }
}
