package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.Corpus;

/** Several users of one machine, which shares its folder for temporary files. */
@Tag("late")
class OtherUserIT {
  private static final String NOBODY = "65534";

  @TempDir Path folder;
  private Path shared;
  private Path source;
  private List<String> jvm;

  @BeforeEach
  void shareFolders() throws IOException, InterruptedException {
    assumeTrue(Launched.run(List.of("id", "-u"), folder.resolve("id")) == 0);
    assumeTrue(Files.readString(folder.resolve("id")).strip().equals("0"), "needs root");
    assumeTrue(
        Launched.run(
                List.of("setpriv", "--reuid", NOBODY, "--clear-groups", "true"),
                folder.resolve("id"))
            == 0,
        "needs setpriv");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    shared = Files.createDirectory(folder.resolve("tmp"));
    Launched.run(List.of("chmod", "1777", shared.toString()), folder.resolve("id"));
    source = Fixtures.copy(Fixtures.SMALL, folder);
    jvm = Launched.shortWith("-Djava.io.tmpdir=" + shared);
  }

  @Test
  void eachUserRunsJobsAndLeavesNothingBehind() throws IOException, InterruptedException {
    Path mine = openFolder("mine");
    Path theirs = openFolder("theirs");
    Object[] convert = {"convert", source, mine.resolve("out"), "--to", "safetensors"};
    assertThat(launch(false, convert)).isZero();
    convert[2] = theirs.resolve("out");
    assertThat(launch(true, convert)).as(log()).isZero();
    assertThat(ConvertTest.digest(theirs.resolve("out"))).isEqualTo(ConvertTest.digest(source));
    assertThat(ConvertTest.files(shared)).allMatch(name -> name.startsWith("hsperfdata"));
  }

  @Test
  void filesOfAJobCannotBeReadByOthers() throws IOException, InterruptedException {
    Path out = openFolder("mine").resolve("out");
    Object[] convert = {"convert", source, out, "--to", "safetensors"};
    Process process = Launched.start(folder.resolve("log"), jvm, convert);
    boolean seen = false;
    while (process.isAlive()) {
      try (Stream<Path> entries = Files.list(shared)) {
        for (Path entry : entries.toList()) {
          if (entry.getFileName().toString().startsWith("saev-hadoop-") && Files.exists(entry)) {
            seen = true;
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(entry)))
                .isEqualTo("rwx------");
          }
        }
      } catch (java.nio.file.NoSuchFileException e) {
        continue; // it has just been deleted
      }
    }
    assertThat(process.exitValue()).as(log()).isZero();
    assertThat(seen).isTrue();
  }

  @Test
  void aFolderThatTheUserMayNotWriteOrReadIsNamedInOneLine()
      throws IOException, InterruptedException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    assertThat(launch(true, "convert", source, closed.resolve("out"), "--to", "safetensors"))
        .isEqualTo(1);
    assertThat(lastLine()).startsWith(closed.toString()).contains("permission denied");
    assertThat(closed).isEmptyDirectory();

    Path data = source.resolve("acts000002.bin");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rw-------"));
    Path out = openFolder("theirs").resolve("out");
    assertThat(launch(true, "convert", source, out, "--to", "safetensors")).isEqualTo(1);
    assertThat(lastLine()).startsWith(data.toString()).contains("permission denied");
    assertThat(out.getParent()).isEmptyDirectory();
  }

  @Test
  void whatAnotherUserHasLeftIsNotContinued() throws IOException, InterruptedException {
    Path out = openFolder("theirs").resolve("out");
    Path left = KilledRun.of(out);
    Files.createDirectory(left.resolve("data"));
    Launched.run(List.of("chmod", "-R", "777", left.toString()), folder.resolve("id"));
    for (String how : List.of("--resume", "--overwrite")) {
      assertThat(launch(true, "convert", source, out, "--to", "safetensors", how)).isEqualTo(1);
      assertThat(lastLine())
          .startsWith(left + ": belongs to the user root")
          .contains("--trust-run-folder");
    }
    assertThat(left.resolve("data")).isEmptyDirectory();
    assertThat(out).doesNotExist();
  }

  @Test
  void theDatasetOfAnotherUserInAStickyFolderIsNotReplacedAndNothingIsUnpacked()
      throws IOException, InterruptedException {
    Path sticky = openFolder("sticky");
    Launched.run(List.of("chmod", "1777", sticky.toString()), folder.resolve("id"));
    Path out = Fixtures.copy(Fixtures.SMALL, sticky);
    String digest = ConvertTest.digest(out);
    Path shards = copy(Fixtures.pickle("spec"), folder.resolve("shards"));
    for (Path from : List.of(shards, source)) {
      assertThat(launch(true, "convert", from, out, "--to", "safetensors", "--overwrite"))
          .isEqualTo(1);
      assertThat(lastLine()).startsWith(out + ": cannot be moved away to be replaced: ");
      assertThat(ConvertTest.digest(out)).isEqualTo(digest);
      assertThat(ConvertTest.files(sticky)).containsExactly(Fixtures.SMALL);
    }
  }

  private Path openFolder(String name) throws IOException {
    Path open = Files.createDirectory(folder.resolve(name));
    return Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private int launch(boolean other, Object... args) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Files.deleteIfExists(log);
    Files.deleteIfExists(Launched.errors(log));
    if (!other) {
      return Launched.start(log, jvm, args).waitFor();
    }
    List<String> command = new ArrayList<>(List.of("setpriv", "--reuid", NOBODY, "--clear-groups"));
    List<String> java = Launched.command(Main.class, jvm, args);
    java.set(java.indexOf("-cp") + 1, readableClassPath());
    command.addAll(java);
    return Launched.run(command, log);
  }

  /** Returns a class path of copies, as the user may not be allowed to read the checkout. */
  private String readableClassPath() throws IOException {
    Path target = Corpus.checkout().resolve("converters/target");
    Path copies = folder.resolve("jars");
    if (!Files.exists(copies)) {
      copy(target.resolve("lib"), copies);
      Files.copy(target.resolve("saev-hadoop.jar"), copies.resolve("saev-hadoop.jar"));
    }
    return copies + "/*";
  }

  private static Path copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    for (String name : ConvertTest.files(from)) {
      Files.copy(from.resolve(name), to.resolve(name));
    }
    return to;
  }

  private String log() throws IOException {
    return Launched.said(folder.resolve("log"));
  }

  private String lastLine() throws IOException {
    String errors = Files.readString(Launched.errors(folder.resolve("log")));
    List<String> lines = errors.lines().filter(line -> !line.startsWith("convert: ")).toList();
    assertThat(lines).as(log()).hasSize(1);
    return lines.get(0);
  }
}
