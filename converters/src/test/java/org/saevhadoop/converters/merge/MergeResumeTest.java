package org.saevhadoop.converters.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.converters.run.RecordedRun;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.testing.Programs;

/** A merge that is killed at any moment: the path is free or has the whole dataset. */
@Tag("late")
class MergeResumeTest extends ConvertedDatasets {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000_000_000L);

  private Path a;
  private Path b;
  private Path place;
  private Path out;
  private RecordedRun run;
  private Map<String, String> expected;

  @BeforeEach
  void recordRun() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    Path whole =
        new NaiveActivations(13, List.of(1, 3), 5, 16, true, true)
            .writeSaev(folder.resolve("whole"));
    a = convert(whole, "a", "safetensors --batch-size 2", "--examples", "0:8");
    b = convert(whole, "b", "safetensors --batch-size 2", "--examples", "8:13");
    place = Files.createDirectory(folder.toRealPath().resolve("place"));
    out = place.resolve("out");
    run = RecordedRun.of(place, "merge", a, b, out);
    expected = contents(out);
    Files.move(out, folder.resolve("expected"));
  }

  private Cli merge(Object... options) {
    return Cli.run("merge", a, b, out, options, "--no-fsync");
  }

  private static Map<String, String> contents(Path dataset) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String name : files(dataset)) {
      contents.put(name, HexFormat.of().formatHex(Files.readAllBytes(dataset.resolve(name))));
    }
    return contents;
  }

  private static long copies(Set<Path> paths) {
    return paths.stream()
        .filter(path -> path.getParent().endsWith("data"))
        .filter(path -> path.toString().endsWith(".safetensors"))
        .count();
  }

  /** Restores what a run leaves that is killed as soon as some files are complete. */
  private void killAfter(int complete) throws IOException {
    run.restore(run.moments(paths -> copies(paths) == complete).get(0));
    assertThat(out).doesNotExist();
  }

  @Test
  void onlyFilesThatAreNotCompleteAreCopied() throws IOException {
    for (int complete : List.of(1, 3, 7)) {
      killAfter(complete);
      Path data = KilledRun.folder(out).resolve("data");
      List<String> old = files(data).stream().filter(name -> !name.startsWith("_")).toList();
      for (String name : old) {
        Files.setLastModifiedTime(data.resolve(name), OLD);
      }
      Cli resumed = merge("--resume").succeeds();
      assertThat(resumed.stderr()).containsPattern("continues the run of .* of 14 files");
      assertThat(contents(out)).isEqualTo(expected);
      for (String name : old) {
        assertThat(Files.getLastModifiedTime(out.resolve(name))).as(name).isEqualTo(OLD);
      }
      assertThat(files(place)).containsExactly("out");
    }
  }

  @Test
  void thePathIsFreeOrHasTheWholeDataset() throws IOException {
    Map<String, String> ofA = contents(a);
    List<Integer> moments = run.moments(paths -> true);
    for (int i = 0; i < moments.size(); i += 7) {
      run.restore(moments.get(i));
      if (Files.exists(out)) {
        assertThat(contents(out)).isEqualTo(expected);
      }
      assertThat(merge("--resume").succeeds().lastLinePath()).isEqualTo(out);
      assertThat(contents(out)).isEqualTo(expected);
      assertThat(files(place)).containsExactly("out");
    }
    assertThat(contents(a)).isEqualTo(ofA);
  }

  @Test
  void withoutTheOptionTheMergeBeginsAgain() throws IOException {
    killAfter(3);
    assertThat(merge().succeeds().stderr()).contains("complete files of the run of");
    assertThat(contents(out)).isEqualTo(expected);
  }

  @Test
  void sourcesThatHaveChangedAreRefused() throws IOException {
    killAfter(3);
    Files.setLastModifiedTime(a.resolve("dataset_manifest.json"), OLD);
    merge("--resume").failsWith(FileError.NOT_RESUMABLE, KilledRun.folder(out));
    Cli.run("merge", b, a, out, "--resume")
        .failsWith(FileError.NOT_RESUMABLE, KilledRun.folder(out));
  }

  /** Changes a file of a source, and restores it as it was. */
  private void assertRefusedWhile(Path file, byte[] changed) throws IOException {
    boolean isThere = Files.exists(file);
    byte[] before = isThere ? Files.readAllBytes(file) : new byte[0];
    FileTime time = isThere ? Files.getLastModifiedTime(file) : OLD;
    Files.delete(isThere ? file : Files.createFile(file));
    if (changed.length > 0) {
      Files.write(file, changed);
    }
    Cli resumed = merge("--resume");
    assertThat(resumed.exitCode()).as(resumed.stderr()).isOne();
    assertThat(out).doesNotExist();
    Files.deleteIfExists(file);
    if (isThere) {
      Files.write(file, before);
      Files.setLastModifiedTime(file, time);
    }
  }

  @Test
  void sourcesMustBeAsTheyWereBeforeTheInterruption() throws IOException {
    killAfter(3);
    Path file =
        b.resolve(
            files(b).stream().filter(n -> n.endsWith(".safetensors")).findFirst().orElseThrow());
    byte[] bytes = Files.readAllBytes(file);
    byte[] other = bytes.clone();
    other[other.length - 1] ^= 1;
    assertRefusedWhile(file, other);
    assertRefusedWhile(file, Arrays.copyOf(bytes, bytes.length - 4));
    assertRefusedWhile(file, Arrays.copyOf(bytes, bytes.length + 4));
    assertRefusedWhile(file, new byte[0]);
    assertRefusedWhile(b.resolve("added.safetensors"), bytes);
    assertThat(merge("--resume").succeeds().stderr()).containsPattern("continues the run of .*");
    assertThat(contents(out)).isEqualTo(expected);
  }
}
