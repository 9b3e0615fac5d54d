package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;

class SilentLogTest {
  @TempDir Path folder;

  /** parquet-java formats several debug messages for each value if log4j has no configuration. */
  @Test
  void librariesLogNothingInCommandsThatDoNotConfigureHadoop() throws Exception {
    Path output = folder.resolve("output");
    Process convert =
        Launched.start(
            output,
            Launched.shortWith("-Dlog4j.debug=true"),
            "convert",
            Fixtures.small(),
            folder.resolve("keyed"),
            "--to=safetensors",
            "--kv");
    assertThat(convert.waitFor()).as(Launched.said(output)).isZero();
    assertThat(Launched.said(output))
        .contains("silent-log4j.properties] for automatic log4j configuration")
        .doesNotContain("log4j:WARN");
  }
}
