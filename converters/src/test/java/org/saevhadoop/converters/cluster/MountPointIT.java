package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.testing.Programs;

/** A destination on which a file system is mounted, which cannot be renamed. */
@Tag("late")
class MountPointIT {
  @TempDir Path folder;
  private Path log;

  @BeforeEach
  void tryToMount() throws IOException, InterruptedException {
    log = folder.resolve("log");
    Programs.require(mounted(folder, List.of("true")) == 0, "unshare -Urm and mount");
  }

  @Test
  void itIsFoundBeforeTheSourceIsUnpacked() throws IOException, InterruptedException {
    Path place = Files.createDirectory(folder.resolve("place"));
    Path out = Fixtures.copy(Fixtures.SMALL, place);
    String digest = ConvertTest.digest(out);
    for (Path source : List.of(Fixtures.pickle("spec"), Fixtures.small())) {
      Object[] convert = {"convert", source, out, "--to", "safetensors", "--overwrite"};
      List<String> jvm = Launched.shortWith("-Djava.io.tmpdir=" + folder);
      assertThat(mounted(out, Launched.command(Main.class, jvm, convert))).isEqualTo(1);
      assertThat(
              Files.readString(Launched.errors(log))
                  .lines()
                  .filter(line -> !line.startsWith("convert: ")))
          .singleElement()
          .asString()
          .startsWith(out + ": cannot be moved away to be replaced: ");
      assertThat(ConvertTest.digest(out)).isEqualTo(digest);
      assertThat(ConvertTest.files(place)).containsExactly(Fixtures.SMALL);
    }
  }

  /** Runs a command to which a folder is a mount point, of the same device as its parent. */
  private int mounted(Path point, List<String> command) throws IOException, InterruptedException {
    return Launched.mounted("mount --bind \"$0\" \"$0\"", point, command, log);
  }
}
