package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.run.KilledRun;
import org.saevhadoop.converters.storage.SparseDataset;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.storage.LocalTree;

/**
 * A command that is stopped by a signal leaves no temporary folder, whatever its threads do, and
 * states what is left of its run.
 */
class StoppedCommandIT {
  @TempDir Path folder;

  /** Threads that never stop to use temporary folders, as commands and tasks do. */
  public static final class Busy {
    private Busy() {}

    /** Starts the threads, and reports when all of them work. */
    public static void main(String[] args) throws Exception {
      HadoopLog.silence();
      Configuration conf = new Configuration();
      try (Console console = new Console(conf, DatasetFormats.registry(), System.out, System.err)) {
        Path scratch = console.runner().scratch();
        for (String how : args) {
          for (int i = 0; i < 3; i++) {
            Path place = scratch.resolve(how + i);
            start(() -> use(how, place, conf));
          }
        }
        Thread.sleep(100);
        System.out.println("busy");
        Thread.sleep(TimeUnit.MINUTES.toMillis(1));
      }
    }

    private static void start(Runnable work) {
      Thread thread =
          new Thread(
              () -> {
                while (true) {
                  work.run();
                  LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private static void use(String how, Path place, Configuration conf) {
      try {
        switch (how) {
          case "begins" ->
              new Console(conf, DatasetFormats.registry(), System.out, System.err)
                  .runner()
                  .scratch();
          case "spills" ->
              FileSystem.getLocal(conf)
                  .create(new org.apache.hadoop.fs.Path(place + "/a/b/spill" + Math.random()))
                  .close();
          default -> Files.createFile(place.resolveSibling("f" + Math.random()));
        }
      } catch (IOException e) {
        // the folder was deleted: the next thing is tried all the same
      }
    }
  }

  @Test
  void nothingIsLeft() throws Exception {
    assertNothingIsLeft("begins", "spills", "writes");
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"begins", "spills", "writes"})
  void nothingIsLeftByThreadsOfOneKind(String how) throws Exception {
    assertNothingIsLeft(how);
  }

  private void assertNothingIsLeft(Object... how) throws Exception {
    List<String> jvm = Launched.shortWith("-Xmx64m", "-Djava.io.tmpdir=" + folder);
    Process process = Launched.server(Busy.class, jvm, how);
    assertThat(process.inputReader().readLine()).isEqualTo("busy");
    process.destroy();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(Path::getFileName)).isEmpty();
    }
  }

  /** The moment of a signal is the one at which a file or a folder appears. */
  @Test
  void whatIsLeftOfARunIsStatedAndContinued() throws Exception {
    assertStatedAndContinued("_out.saev-hadoop/data/*", "TERM", 143);
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "tmp/*, INT, 130",
    "out, INT, 130",
    "_out.saev-hadoop, INT, 130",
    "_out.saev-hadoop, TERM, 143",
    "_out.saev-hadoop/work/*, INT, 130",
    "_out.saev-hadoop/data/*, INT, 130",
  })
  void soItIsAtOtherMoments(String moment, String signal, int exitCode) throws Exception {
    assertStatedAndContinued(moment, signal, exitCode);
  }

  private void assertStatedAndContinued(String moment, String signal, int exitCode)
      throws Exception {
    Geometry geometry = new Geometry(400, List.of(1, 2), 65, 256);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 200);
    Path place = Files.createDirectory(folder.resolve("place"));
    Path temporary = Files.createDirectory(place.resolve("tmp"));
    Path out = place.resolve("out");
    Object[] command = {
      "convert",
      source,
      out,
      "--to=safetensors",
      "--batch-size=20",
      "--resume",
      "-Dmapreduce.local.map.tasks.maximum=1"
    };
    Path shown = folder.resolve("stderr");
    List<String> jvm = Launched.shortWith("-Djava.io.tmpdir=" + temporary);
    ProcessBuilder program = program(jvm, command).redirectError(shown.toFile());
    Process process = signalled(program, place, moment, signal);
    while (process.exitValue() == 0 && !moment.equals("out")) { // faster than the signal
      LocalTree.delete(out);
      process = signalled(program, place, moment, signal);
    }
    String text = Files.readString(shown);
    boolean isAtEnd = moment.equals("out"); // which may be faster than the signal
    assertThat(process.exitValue())
        .as(text)
        .isIn(isAtEnd ? List.of(0, exitCode) : List.of(exitCode));
    assertThat(text).doesNotContain("hutdown", "xception");
    if (!isAtEnd || process.exitValue() != 0 && text.contains("interrupted\n")) {
      assertThat(text).containsOnlyOnce("interrupted\n");
      String left = text.substring(text.indexOf("interrupted\n") + "interrupted\n".length());
      // a run that has published its dataset may have closed its folder, too
      assertThat(left).isIn(isAtEnd ? List.of(state(out), "") : List.of(state(out)));
    }
    assertThat(temporary).isEmptyDirectory();
    if (!Files.exists(out)) {
      Cli.run(command).succeeds();
    }
    Cli.run("diff", source, out).succeeds();
  }

  @Test
  void aCommandThatWritesNothingSaysThatItIsInterrupted() throws Exception {
    Geometry geometry = new Geometry(1000, List.of(1, 2), 65, 256);
    Path source = SparseDataset.create(folder.resolve("source"), geometry, 500);
    Path place = Files.createDirectory(folder.resolve("place"));
    Path temporary = Files.createDirectory(place.resolve("tmp"));
    Path shown = folder.resolve("stderr");
    List<String> jvm = Launched.shortWith("-Djava.io.tmpdir=" + temporary);
    ProcessBuilder program = program(jvm, "digest", source).redirectError(shown.toFile());
    Process process = signalled(program, started -> reads(started, source), "INT");
    while (process.exitValue() == 0) { // faster than the signal
      process = signalled(program, started -> reads(started, source), "INT");
    }
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(shown).content().endsWith("interrupted\n");
    assertThat(temporary).isEmptyDirectory();
  }

  /** A shell starts what it runs in the background, such as all tests, to ignore SIGINT. */
  private static ProcessBuilder program(List<String> jvm, Object... args) throws IOException {
    List<String> command = Launched.command(Main.class, jvm, args);
    if (Files.readAllLines(Path.of("/proc/self/status")).stream()
        .anyMatch(line -> line.matches("SigIgn:.*[2367abef]$"))) {
      command.addAll(0, List.of("env", "--default-signal=INT"));
    }
    return new ProcessBuilder(command);
  }

  /** Whether a moment has come. */
  @FunctionalInterface
  private interface Moment {
    boolean hasCome(Process process) throws IOException;
  }

  /** Returns whether a process has a data file open. */
  private static boolean reads(Process process, Path dataset) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      for (Path file : files.toList()) {
        if (Files.readSymbolicLink(file).startsWith(dataset.toRealPath())) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException e) { // the file has been closed, or the process has ended
      return false;
    }
  }

  /** Runs a program, and sends it a signal when a file exists. */
  private static Process signalled(ProcessBuilder program, Path place, String file, String signal)
      throws Exception {
    return signalled(program, process -> exists(place, file), signal);
  }

  /** Runs a program, and sends it a signal at a moment. */
  private static Process signalled(ProcessBuilder program, Moment moment, String signal)
      throws Exception {
    Process process = program.start();
    while (process.isAlive() && !moment.hasCome(process)) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(1000));
    }
    String pid = Long.toString(process.pid());
    new ProcessBuilder("kill", "-" + signal, pid).start().waitFor();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return process;
  }

  private static boolean exists(Path place, String moment) throws IOException {
    Path last = place.resolve(moment);
    if (!moment.endsWith("*")) {
      return Files.exists(last);
    }
    try (Stream<Path> entries = Files.list(last.getParent())) {
      return entries.findAny().isPresent();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static String state(Path out) throws IOException {
    Path run = KilledRun.folder(out);
    if (Files.exists(out)) {
      return "the dataset is complete in " + out + "\n";
    }
    return Files.exists(run)
        ? "complete files stay in %s: the same command with --resume continues the run\n"
            .formatted(run)
        : "nothing was written to " + out + "\n";
  }
}
