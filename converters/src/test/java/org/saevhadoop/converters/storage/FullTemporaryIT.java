package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;

/** A full java.io.tmpdir: native libraries cannot be extracted to it. */
@Tag("late")
class FullTemporaryIT {
  @TempDir Path folder;
  private Path full;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    full = Files.createDirectory(folder.resolve("full"));
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full.toString()) == 0);
    Files.write(full.resolve("x"), new byte[(int) full.toFile().getUsableSpace()]);
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    run("umount", "--lazy", full.toString());
  }

  @Test
  void anotherFolderForTemporaryFilesIsEnough() throws IOException, InterruptedException {
    Path scratch = folder.resolve("scratch");
    String log = convert("-Dhadoop.tmp.dir=" + scratch, 0);
    assertThat(log.lines()).hasSize(2);
    assertThat(scratch).isEmptyDirectory();
    assertThat(folder.resolve("out/_tensor_index.parquet")).exists();
  }

  @Test
  void otherwiseOneLineNamesTheFolder() throws IOException, InterruptedException {
    String log = convert("-Dsaev.none=1", 1);
    assertThat(log.lines().filter(line -> !line.matches("(convert|warning): .*")))
        .singleElement()
        .asString()
        .startsWith(full.toString())
        .contains("No space left on device");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  private String convert(String option, int exitCode) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    List<String> jvm = Launched.shortWith("-Djava.io.tmpdir=" + full);
    Path source = Fixtures.saev(Fixtures.SMALL);
    Process process =
        Launched.start(
            log,
            jvm,
            "convert",
            source,
            folder.resolve("out"),
            "--to",
            "safetensors",
            "--kv",
            "--index",
            option);
    assertThat(process.waitFor()).as(Files.readString(log)).isEqualTo(exitCode);
    return Files.readString(log);
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }
}
