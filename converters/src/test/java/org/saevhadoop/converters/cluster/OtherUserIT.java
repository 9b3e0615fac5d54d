package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Programs;

/** Several users of one machine, which shares its folder for temporary files. */
class OtherUserIT {
  private static final String NOBODY = "65534";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid", NOBODY, "--clear-groups");

  @TempDir static Path shared;

  /** The same commands, called by root and by another user. */
  @AutoClose private static SmallHeapCommands mine;

  @AutoClose private static SmallHeapCommands theirs;

  @TempDir Path folder;
  private Path source;

  @BeforeAll
  static void startJvms(@TempDir Path copies) throws IOException, InterruptedException {
    assumeTrue(Files.getAttribute(copies, "unix:uid").equals(0), "needs root");
    List<String> nothing = new ArrayList<>(AS_NOBODY);
    nothing.add("true");
    assumeTrue(Programs.succeeds(nothing.toArray(String[]::new)), "needs setpriv");
    setPermissions(shared, "rwxrwxrwx");
    Programs.require("chmod", "1777", shared.toString());
    List<String> jvm = SmallHeapCommands.command(Launched.shortWith("-Djava.io.tmpdir=" + shared));
    mine = new SmallHeapCommands(List.of(), jvm);
    List<String> readable = new ArrayList<>(jvm);
    readable.set(readable.indexOf("-cp") + 1, readableClassPath(copies));
    theirs = new SmallHeapCommands(AS_NOBODY, readable);
  }

  /** Returns a class path of copies, as the user may not be allowed to read the checkout. */
  private static String readableClassPath(Path copies) throws IOException {
    setPermissions(copies, "rwxr-xr-x");
    Path target = Corpus.checkout().resolve("converters/target");
    Path jars = copy(target.resolve("lib"), copies.resolve("jars"));
    Files.copy(target.resolve("saev-hadoop.jar"), jars.resolve("saev-hadoop.jar"));
    Path classes = Path.of(SmallHeapCommands.class.getPackageName().replace('.', '/'));
    Path copied = Files.createDirectories(copies.resolve("classes").resolve(classes));
    for (String name : ConvertTest.files(target.resolve("test-classes").resolve(classes))) {
      if (name.startsWith(SmallHeapCommands.class.getSimpleName())) {
        Files.copy(
            target.resolve("test-classes").resolve(classes).resolve(name), copied.resolve(name));
      }
    }
    return jars + "/*" + File.pathSeparator + copies.resolve("classes");
  }

  private static void setPermissions(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @BeforeEach
  void createSource() throws IOException {
    setPermissions(folder, "rwxr-xr-x");
    source = Fixtures.copy(Fixtures.SMALL, folder);
  }

  @Test
  void eachUserRunsJobsAndLeavesNothingBehind() throws IOException, InterruptedException {
    convert(mine, source, openFolder("mine").resolve("out")).succeeds();
    Path out = openFolder("theirs").resolve("out");
    convert(theirs, source, out).succeeds();
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(source));
    assertThat(ConvertTest.files(shared)).allMatch(name -> name.startsWith("hsperfdata"));
  }

  @Test
  void filesOfAJobCannotBeReadByOthers() throws Exception {
    boolean seen = false;
    for (int i = 0; i < 20 && !seen; i++) { // the files are there for a moment only
      Path out = openFolder("mine" + i).resolve("out");
      FutureTask<Cli> job = new FutureTask<>(() -> convert(mine, source, out));
      new Thread(job).start();
      while (!job.isDone()) {
        seen |= areFilesOfAJobSeen();
      }
      job.get().succeeds();
    }
    assertThat(seen).isTrue();
  }

  private boolean areFilesOfAJobSeen() throws IOException {
    boolean seen = false;
    try (Stream<Path> entries = Files.list(shared)) {
      for (Path entry : entries.toList()) {
        if (entry.getFileName().toString().startsWith("saev-hadoop-") && Files.exists(entry)) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(entry)))
              .isEqualTo("rwx------");
          seen = true;
        }
      }
    } catch (NoSuchFileException e) {
      return seen; // it has just been deleted
    }
    return seen;
  }

  @Test
  void aFolderThatTheUserMayNotWriteOrReadIsNamedInOneLine()
      throws IOException, InterruptedException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    assertThat(refusal(convert(theirs, source, closed.resolve("out"))))
        .startsWith(closed.toString())
        .contains("permission denied");
    assertThat(closed).isEmptyDirectory();

    Path data = source.resolve("acts000002.bin");
    setPermissions(data, "rw-------");
    Path out = openFolder("theirs").resolve("out");
    assertThat(refusal(convert(theirs, source, out)))
        .startsWith(data.toString())
        .contains("permission denied");
    assertThat(out.getParent()).isEmptyDirectory();
  }

  @Test
  void whatAnotherUserHasLeftIsNotContinued() throws IOException, InterruptedException {
    Path out = openFolder("theirs").resolve("out");
    Path left = KilledRun.of(out);
    Files.createDirectory(left.resolve("data"));
    Programs.require("chmod", "-R", "777", left.toString());
    for (String how : List.of("--resume", "--overwrite")) {
      assertThat(refusal(convert(theirs, source, out, how)))
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
    Programs.require("chmod", "1777", sticky.toString());
    Path out = Fixtures.copy(Fixtures.SMALL, sticky);
    String digest = ConvertTest.digest(out);
    Path shards = copy(Fixtures.pickle("spec"), folder.resolve("shards"));
    for (Path from : List.of(shards, source)) {
      assertThat(refusal(convert(theirs, from, out, "--overwrite")))
          .startsWith(out + ": cannot be moved away to be replaced: ");
      assertThat(ConvertTest.digest(out)).isEqualTo(digest);
      assertThat(ConvertTest.files(sticky)).containsExactly(Fixtures.SMALL);
    }
  }

  private Path openFolder(String name) throws IOException {
    Path open = Files.createDirectory(folder.resolve(name));
    setPermissions(open, "rwxrwxrwx");
    return open;
  }

  private static Cli convert(SmallHeapCommands user, Path source, Path out, Object... options)
      throws IOException, InterruptedException {
    Object[] words = {"convert", source, out, "--to=safetensors", options};
    return user.run(LIMIT, Cli.words(words).toArray());
  }

  private static Path copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    for (String name : ConvertTest.files(from)) {
      Files.copy(from.resolve(name), to.resolve(name));
    }
    return to;
  }

  private static String refusal(Cli cli) {
    assertThat(cli.exitCode()).isEqualTo(1);
    List<String> lines =
        cli.stderr().lines().filter(line -> !line.startsWith("convert: ")).toList();
    assertThat(lines).as(cli.stderr()).hasSize(1);
    return lines.get(0);
  }
}
