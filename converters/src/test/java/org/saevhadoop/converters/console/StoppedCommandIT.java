package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.mapreduce.DatasetFormats;

/** A command that is stopped by SIGTERM leaves no temporary folder, whatever its threads do. */
@Tag("launched")
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
        for (int i = 0; i < 3; i++) {
          String name = args[0] + i;
          start(() -> use(args[0], scratch.resolve(name), conf));
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

  @ParameterizedTest
  @ValueSource(strings = {"begins", "spills", "writes"})
  void nothingIsLeft(String how) throws Exception {
    Process process =
        Launched.server(Busy.class, List.of("-Xmx64m", "-Djava.io.tmpdir=" + folder), how);
    assertThat(process.inputReader().readLine()).isEqualTo("busy");
    process.destroy();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(Path::getFileName)).as(how).isEmpty();
    }
  }
}
