package org.saevhadoop.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The archive as a user unpacks it. */
final class UnpackedArchive {
  static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

  private UnpackedArchive() {}

  /** Unpacks the archive in a folder, and returns the folder with its contents. */
  static Path in(Path folder) throws Exception {
    Path archive;
    try (Stream<Path> files = Files.list(CHECKOUT.resolve("dist/target"))) {
      archive = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
    }
    Launch tar =
        Launch.of(folder, Map.of(), "tar", "xzf", archive.toString(), "-C", folder.toString());
    assertThat(tar.exitCode()).as(tar.stderr()).isZero();
    return folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
  }
}
