package org.saevhadoop.converters.storage;

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
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.testing.Programs;

/** A full java.io.tmpdir: native libraries cannot be extracted to it. */
@Tag("late")
class FullTemporaryIT {
  @TempDir Path folder;
  private Path full;
  private Path log;

  @BeforeEach
  void tryToMount() throws IOException, InterruptedException {
    full = Files.createDirectory(folder.resolve("full"));
    Programs.require(run(List.of("true")) == 0, "unshare -Urm and mount");
  }

  @Test
  @Tag("long")
  void anotherFolderForTemporaryFilesIsEnough() throws IOException, InterruptedException {
    Path scratch = folder.resolve("scratch");
    String log = convert("-Dhadoop.tmp.dir=" + scratch, 0);
    assertThat(log.lines()).last().asString().startsWith(Console.NEXT);
    assertThat(log.lines()).allMatch(line -> line.matches("(convert|note|next): .*"));
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
    List<String> jvm = Launched.shortWith("-Djava.io.tmpdir=" + full);
    Path source = Fixtures.small();
    Object[] words = {
      "convert", source, folder.resolve("out"), "--to", "safetensors", "--kv", "--index", option
    };
    int ended = run(Launched.command(Main.class, jvm, words));
    assertThat(ended).as(Launched.said(log)).isEqualTo(exitCode);
    return Files.readString(Launched.errors(log));
  }

  /** Runs a command to which the folder is a disk without space. */
  private int run(List<String> command) throws IOException, InterruptedException {
    String mount =
        "mount -t tmpfs -o size=64k tmpfs \"$0\" && { head -c 65536 /dev/zero > \"$0\"/x; true; }";
    log = folder.resolve("log");
    return Launched.mounted(mount, full, command, log);
  }
}
