package org.saevhadoop.converters.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.MountedFolder;
import org.saevhadoop.format.io.FileError;

/** Dry runs beside other runs, alive and dead, and on disks without room. */
@Tag("mounts")
class DryRunLeftoversTest {
  private static final String OPTIONS =
      "safetensors --batch-size 1 --no-space-check -Dmapreduce.local.map.tasks.maximum=1"
          + " -Dmapreduce.input.fileinputformat.split.maxsize=2000";

  @TempDir Path folder;
  private MountedFolder disk;
  private Path mounted;

  @Test
  void theFilesOfADeadRunAreNotPlannedAgain() throws Exception {
    mount("size=20480");
    Path out = mounted.resolve("out");
    Cli dead = convert(out, OPTIONS);
    assertThat(dead.exitCode()).isEqualTo(1);
    FolderState left = FolderState.of(mounted);
    JsonNode anew = convert(out, OPTIONS + " --dry-run --json").succeeds().json();
    JsonNode plan = convert(out, OPTIONS + " --dry-run --resume --json").succeeds().json();
    convert(out, OPTIONS + " --align 64 --dry-run --resume")
        .failsWithText(FileError.NOT_RESUMABLE, mounted.toString());
    assertThat(FolderState.of(mounted)).isEqualTo(left);
    disk.remount("size=1048576");
    JsonNode run = convert(out, OPTIONS + " --resume --json").succeeds().json();
    assertThat(anew.get("files")).isEqualTo(run.get("files"));
    assertThat(anew.get("bytes_written")).isEqualTo(run.get("bytes"));
    assertThat(plan.get("tasks").longValue()).isBetween(1L, 6L);
    assertThat(plan.get("files")).isEqualTo(plan.get("tasks"));
    assertThat(plan.get("bytes_written")).isEqualTo(run.at("/counters/bytes_written"));
    assertThat(plan.get("bytes_read").longValue() * 7)
        .isEqualTo(anew.get("bytes_read").longValue() * plan.get("files").longValue());
  }

  @ParameterizedTest
  @CsvSource({"size=8192, NO_SPACE", "'size=1048576,ro', ACCESS_DENIED"})
  void aDiskThatIsSmallOrReadOnlyIsRefused(String options, FileError kind) throws Exception {
    mount(options);
    Path out = mounted.resolve("out");
    for (String format : List.of("safetensors --batch-size 1", "npy")) {
      convert(out, format + " --dry-run").failsWithText(kind, mounted.toString());
      assertThat(convert(out, format).exitCode()).isEqualTo(1);
    }
    if (kind == FileError.NO_SPACE) {
      convert(out, "npy --no-space-check --dry-run").succeeds();
    }
    assertThat(FolderState.of(mounted).entries()).containsOnlyKeys(mounted);
  }

  @Test
  void theLockOfAnotherProcessIsSeenAndStays() throws Exception {
    Path run = Files.createDirectory(folder.resolve("_out.saev-hadoop"));
    Path lock = Files.createFile(run.resolve("lock"));
    String code =
        "import fcntl,sys; f=open(sys.argv[1],'r+'); fcntl.lockf(f,fcntl.LOCK_EX); print(1,flush=True);"
            + " sys.stdin.read()";
    Process other = new ProcessBuilder("python3", "-c", code, lock.toString()).start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('1');
      FolderState before = FolderState.of(folder);
      Path out = folder.resolve("out");
      convert(out, "npy --dry-run").failsWithText(FileError.IN_USE, run.toString());
      assertThat(FolderState.of(folder)).isEqualTo(before);
      convert(out, "npy").failsWithText(FileError.IN_USE, run.toString());
    } finally {
      other.destroyForcibly().waitFor();
    }
    convert(folder.resolve("out"), "npy --dry-run").succeeds();
    assertThat(lock).exists();
    convert(folder.resolve("out"), "npy").succeeds();
  }

  private static Cli convert(Path out, String options) {
    return Cli.run("convert", Fixtures.small(), out, "--to", options.split(" "));
  }

  private void mount(String options) throws IOException, InterruptedException {
    disk = MountedFolder.disk(folder.resolve("disk"), options);
    mounted = disk.path();
  }

  @AfterEach
  void unmount() throws InterruptedException {
    if (disk != null) {
      disk.unmount();
    }
  }
}
