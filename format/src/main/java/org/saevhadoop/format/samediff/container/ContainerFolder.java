package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;

/**
 * A folder in which each container appears as one file, under the name of its SDZ file, its SDNB
 * file or its first shard.
 */
public final class ContainerFolder extends ForwardingFolder {
  private final @Nullable String name;
  private final @Nullable SameDiffContainer given;

  /** Wraps a folder. */
  public ContainerFolder(Folder folder) {
    this(folder, null, null);
  }

  private ContainerFolder(Folder folder, @Nullable String name, @Nullable SameDiffContainer given) {
    super(folder);
    this.name = name;
    this.given = given;
  }

  /** Returns the location of a container; if the container was staged, its files are elsewhere. */
  public static Location locate(Folder folder, String name, SameDiffContainer container) {
    return Location.of(new ContainerFolder(folder, name, container), name);
  }

  /** Returns whether a file of this name is a container, or the first of its shards. */
  public static boolean isContainer(String file) {
    return ContainerFiles.isNamed(file)
        && ShardName.parse(file).map(shard -> shard.index() == 0).orElse(true);
  }

  /** Reads the descriptions of the arrays of a container. */
  public static SameDiffContainer read(Folder folder, String file) throws IOException {
    if (!(folder instanceof ContainerFolder containers)) {
      return SameDiffContainer.read(Location.of(folder, file));
    }
    return containers.given != null && file.equals(containers.name)
        ? containers.given
        : SameDiffContainer.read(Location.of(containers.folder(), file));
  }

  /**
   * Returns whether a file name denotes the container that was given, rather than one found by
   * name.
   */
  public boolean isGiven(String file) {
    return given != null && file.equals(name);
  }

  @Override
  public Optional<Folder> folder(String below) throws IOException {
    return super.folder(below).map(ContainerFolder::new);
  }

  @Override
  public Input open(String file) throws IOException {
    return isGiven(file) || ContainerFiles.isNamed(file) && ContainerFiles.isSeveral(folder(), file)
        ? read(this, file).open()
        : folder().open(file);
  }
}
