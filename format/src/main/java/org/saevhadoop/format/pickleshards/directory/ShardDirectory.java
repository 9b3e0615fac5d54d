package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;

/**
 * A directory with shards, with a metadata.json, or with both.
 *
 * @param path below the dataset's directory, with slashes; empty for this itself
 * @param hasManifest whether it has a metadata.json
 * @param shards in the order of their numbers
 */
public record ShardDirectory(
    Folder folder, String path, boolean hasManifest, List<ShardFile> shards) {
  /** Reads its metadata.json, where it has one. */
  public Optional<ActivationManifest> manifest() throws IOException {
    return hasManifest ? Optional.of(ActivationManifest.read(folder)) : Optional.empty();
  }
}
