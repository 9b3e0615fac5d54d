package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.MountedFolder;

/** A destination on which a file system is mounted, which cannot be renamed. */
@Tag("mounts")
class MountPointTest {
  @TempDir Path place;
  private MountedFolder mounted;

  @Test
  void itIsFoundBeforeTheSourceIsUnpacked() throws Exception {
    Path out = Fixtures.copy(Fixtures.SMALL, place);
    String digest = ConvertTest.digest(out);
    mounted = MountedFolder.itself(out);
    for (Path source : List.of(Fixtures.pickle("spec"), Fixtures.small())) {
      Cli refused = Cli.convert(source, out, "safetensors --overwrite");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.stderr().lines().filter(line -> !line.startsWith("convert: ")))
          .singleElement()
          .asString()
          .startsWith(out + ": cannot be moved away to be replaced: ");
      assertThat(ConvertTest.digest(out)).isEqualTo(digest);
      assertThat(ConvertTest.files(place)).containsExactly(Fixtures.SMALL);
    }
  }

  @AfterEach
  void unmount() throws InterruptedException {
    if (mounted != null) {
      mounted.unmount();
    }
  }
}
