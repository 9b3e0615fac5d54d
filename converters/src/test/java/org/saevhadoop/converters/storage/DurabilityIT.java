package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.program.SystemCalls;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.testing.Programs;

/**
 * After a power failure at any moment, a dataset is absent, old or complete. The calls of a real
 * conversion are recorded with strace and replayed on a disk that loses what was not forced.
 */
class DurabilityIT {
  @TempDir Path temporary;
  private Path folder;
  private Path out;

  @BeforeEach
  void createFolder() throws IOException, InterruptedException {
    Programs.require("strace", "-V");
    folder = Files.createDirectory(temporary.toRealPath().resolve("disk"));
    out = folder.resolve("new/out");
  }

  @ParameterizedTest
  @CsvSource({"safetensors, false", "safetensors, true", "pickle, false", "pickle, true"})
  void aPowerFailureLeavesNoDatasetTheOldOneOrTheNewOne(String to, boolean replaces)
      throws Exception {
    List<String> old = replaces ? createOld(to) : List.of();
    List<String> broken = lossesOf(old, convert(to));
    assertThat(broken).isEmpty();
  }

  @Test
  void withoutForcingFilesThatIsNotSo() throws Exception {
    List<String> old = createOld("safetensors");
    Object[] args = {convert("safetensors"), "--no-fsync"};
    assertThat(lossesOf(old, args)).isNotEmpty();
  }

  @Test
  void withoutForcingFilesNothingIsForced() throws Exception {
    Object[] args = {convert("safetensors"), "--no-fsync"};
    assertThat(SystemCalls.of(folder, 0, args))
        .isNotEmpty()
        .noneMatch(call -> Set.of("fsync", "fdatasync").contains(call.name()));
  }

  @Test
  @Tag("long")
  void whatIsReplacedIsRemovedOnlyAfterTheNewDatasetWasForced() throws Exception {
    createOld("safetensors");
    List<SystemCalls.Call> calls = SystemCalls.of(folder, 0, convert("safetensors"));
    List<String> order = new ArrayList<>();
    for (SystemCalls.Call call : calls) {
      String last = call.paths().get(call.paths().size() - 1).toString();
      if (call.name().startsWith("rename") && last.equals(out.toString())) {
        order.add("publish");
      } else if (call.name().startsWith("rename") && last.endsWith("/replaced")) {
        order.add("set aside");
      } else if (call.name().equals("fsync") && last.endsWith(".safetensors")) {
        order.add("force data");
      } else if (call.name().equals("fsync") && last.endsWith("manifest.json")) {
        order.add("force document");
      } else if (call.name().equals("fsync") && last.equals(out.getParent().toString())) {
        order.add("force parent");
      } else if (call.name().startsWith("unlink") && last.contains("/replaced/")) {
        order.add("remove");
      }
    }
    assertThat(order)
        .containsSubsequence(
            ("force data,force document,force parent,set aside,force parent,"
                    + "publish,force parent,remove")
                .split(","));
    assertThat(order.indexOf("remove")).isGreaterThan(order.lastIndexOf("force parent"));
  }

  @Test
  void theFolderOfASavedFileIsForcedAfterTheFileHasItsName() throws Exception {
    Path sums = folder.resolve("sums");
    List<String> after =
        SystemCalls.of(folder, 0, "digest", Fixtures.small(), "--save=" + sums).stream()
            .dropWhile(call -> !call.paths().get(call.paths().size() - 1).equals(sums))
            .map(call -> call.name() + " " + call.paths().get(0).getFileName())
            .toList();
    assertThat(after).startsWith("rename " + after.get(0).split(" ")[1]).contains("fsync disk");
  }

  @Test
  void eachFileIsForcedWhileItIsWrittenAndBeforeItsTaskCommitsIt() throws Exception {
    List<SystemCalls.Call> calls = SystemCalls.of(folder, 0, convertLarge());
    Map<Path, Integer> forces = new HashMap<>();
    Set<Path> unforced = new HashSet<>();
    int committed = 0;
    for (SystemCalls.Call call : calls) {
      Path file = call.paths().get(0);
      switch (call.name()) {
        case "write", "pwrite64", "ftruncate" -> unforced.add(file);
        case "fsync", "fdatasync" -> {
          forces.merge(file, 1, Integer::sum);
          unforced.remove(file);
        }
        case "rename", "renameat", "renameat2" -> {
          if (file.toString().contains("/work/")) {
            committed++;
            assertThat(unforced).as(call.text()).doesNotContain(file);
            assertThat(forces.get(file)).as(call.text()).isGreaterThan(1);
          }
        }
        default -> {}
      }
    }
    assertThat(committed).isEqualTo(1);
  }

  @Test
  @Tag("long")
  void aFileThatCannotBeForcedFailsItsTaskBeforeTheCommit() throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("strace", "-f", "--seccomp-bpf", "-o", "/dev/null"));
    // only steps of data files are forced without the other metadata of the file
    command.addAll(List.of("-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=1"));
    Object[] args = convertLarge();
    command.addAll(Launched.command(Main.class, Launched.SHORT, args));
    Path log = temporary.resolve("log");
    assertThat(Launched.run(command, log)).as(Launched.said(log)).isEqualTo(1);
    assertThat(Files.readString(Launched.errors(log)))
        .contains(".safetensors: cannot be written to the end: Input/output error");
    assertThat(folder).isEmptyDirectory();
  }

  /** Creates a dataset from which one file of more than one step is made. */
  private Path large() throws IOException {
    Geometry geometry = new Geometry(1, List.of(3), 9, 1 << 20);
    return SparseDataset.create(temporary.resolve("source"), geometry, 1);
  }

  private Object[] convert(String to) {
    return convert(Fixtures.small(), to);
  }

  /** Converts to a file that is written from its beginning to its end. */
  private Object[] convertLarge() throws IOException {
    return new Object[] {convert(large(), "safetensors"), "--columns", "acts"};
  }

  private Object[] convert(Path source, String to) {
    return new Object[] {"convert", source, out, "--to", to, "--overwrite"};
  }

  /** Creates a dataset to be replaced, with other files. */
  private List<String> createOld(String to) throws IOException {
    Cli.convert(Fixtures.small(), out, to + " --limit 2").succeeds();
    return ConvertTest.files(out);
  }

  /** Returns the calls after which a power failure would lose data. */
  private List<String> lossesOf(List<String> old, Object[] args) throws Exception {
    LossyDisk disk = new LossyDisk(folder);
    for (String name : old) {
      disk.addForced(out.resolve(name));
    }
    List<SystemCalls.Call> calls = SystemCalls.of(folder, 0, args);
    List<String> written = ConvertTest.files(out);
    List<String> losses = new ArrayList<>();
    boolean isPublished = false;
    for (SystemCalls.Call call : calls) {
      call.applyTo(disk);
      for (boolean strict : new boolean[] {true, false}) {
        Map<String, Boolean> left = disk.afterPowerFailure(strict);
        boolean isNew = isWhole(left, "new/out/", written);
        boolean isOld = !old.isEmpty() && isWhole(left, "new/out/", old);
        boolean isAside =
            isWhole(left, "new/_out.saev-hadoop/replaced/", old)
                && left.getOrDefault("new/_out.saev-hadoop/run.json", false);
        boolean isAbsent = left.keySet().stream().noneMatch(file -> file.startsWith("new/out/"));
        if (!isNew && !isOld && !(isAbsent && (old.isEmpty() || isAside))) {
          losses.add((strict ? "strict: " : "eager: ") + call.text() + " leaves " + left);
        }
      }
      isPublished = isWhole(disk.afterPowerFailure(true), "new/out/", written);
    }
    if (!isPublished) {
      losses.add("the dataset is not on the disk at the end");
    }
    if (calls.isEmpty()) {
      fail("no calls were recorded");
    }
    return losses;
  }

  private static boolean isWhole(Map<String, Boolean> left, String folder, List<String> names) {
    return !names.isEmpty()
        && names.stream().allMatch(name -> left.getOrDefault(folder + name, false));
  }
}
