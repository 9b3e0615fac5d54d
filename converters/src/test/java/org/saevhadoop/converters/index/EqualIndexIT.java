package org.saevhadoop.converters.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;

/** Equal conversions write equal files, also in JVMs whose hash codes differ. */
@Tag("long")
class EqualIndexIT {
  @TempDir Path folder;

  @Test
  void theIndexDependsNeitherOnTheJvmNorOnTheTasks() throws Exception {
    Path source = Fixtures.saev(Fixtures.SMALL);
    List<Path> written = new ArrayList<>();
    // how the JVM makes identity hash codes: 2 is a constant, 3 a sequence, 5 the default, as here
    for (int hashes : new int[] {5, 2, 3}) {
      Path out = folder.resolve("out" + hashes);
      Object[] convert = {
        "convert",
        source,
        out,
        "--to=safetensors",
        "--batch-size=2",
        "--index",
        "-Dmapreduce.input.fileinputformat.split.maxsize=" + 1500 * hashes
      };
      if (hashes == 5) {
        Cli.run(convert).succeeds();
      } else {
        List<String> jvm =
            Launched.shortWith("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=" + hashes);
        Launched.succeeds(folder.resolve("log"), jvm, convert);
      }
      written.add(out);
    }
    for (Path other : written) {
      assertThat(ConvertTest.files(other)).hasSize(6);
      for (String name : ConvertTest.files(other)) {
        assertThat(other.resolve(name)).hasSameBinaryContentAs(written.get(0).resolve(name));
      }
    }
  }
}
