package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;

/**
 * A directory with shards, a metadata.json, or both.
 *
 * @param path the path relative to the directory of the dataset, with slashes; empty for that
 *     directory
 */
public record ShardDirectory(
    Folder folder, String path, boolean hasManifest, List<ShardFile> shards) {
  /** Reads the metadata.json, if present. */
  public Optional<ActivationManifest> manifest() throws IOException {
    return hasManifest ? Optional.of(ActivationManifest.read(folder)) : Optional.empty();
  }
}
