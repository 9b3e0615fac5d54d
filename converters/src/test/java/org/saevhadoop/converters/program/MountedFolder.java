package org.saevhadoop.converters.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.saevhadoop.testing.Programs;

/** A folder on which a file system is mounted until it is unmounted, in tests tagged mounts. */
public record MountedFolder(Path path) {
  /** Mounts a disk, and creates the folder if it is missing. */
  public static MountedFolder disk(Path path, String options)
      throws IOException, InterruptedException {
    return mount(Files.createDirectories(path), "-t", "tmpfs", "-o", options, "tmpfs");
  }

  /** Mounts a folder on itself: a mount point of the same device as its parent. */
  public static MountedFolder itself(Path path) throws InterruptedException {
    return mount(path, "--bind", path.toString());
  }

  private static MountedFolder mount(Path path, String... options) throws InterruptedException {
    List<String> command =
        Stream.of(Stream.of("mount"), Stream.of(options), Stream.of(path.toString()))
            .flatMap(words -> words)
            .toList();
    Programs.require(Programs.succeeds(command.toArray(String[]::new)), "mount, or unshare -Urm");
    return new MountedFolder(path);
  }

  public void remount(String options) throws InterruptedException {
    Programs.require("mount", "-o", "remount," + options, path.toString());
  }

  public void unmount() throws InterruptedException {
    assertThat(Programs.succeeds("umount", "--lazy", path.toString())).isTrue();
  }
}
