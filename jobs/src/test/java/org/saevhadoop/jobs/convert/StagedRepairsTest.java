package org.saevhadoop.jobs.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.jobs.TestDatasets;
import org.saevhadoop.jobs.digest.Digest;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.RunListener;
import org.saevhadoop.jobs.run.RunningJob;
import org.saevhadoop.jobs.shuffle.Shuffle;

/** Staged data that is damaged within a run, after it was written and before it is read. */
class StagedRepairsTest {
  private static final String STAGED = " wait in ";

  @TempDir Path folder;
  private final Configuration conf = new Configuration();
  private Path pickle;

  @BeforeEach
  void runTasksOneAfterAnother() throws IOException {
    pickle = folder.resolve("pickle");
    TestDatasets.copyPickle(pickle);
    conf.set("mapreduce.local.map.tasks.maximum", "1");
    conf.set("saev.output.sync", "never");
    conf.set("saev.output.batch.size", "1");
    conf.set("mapreduce.input.fileinputformat.split.maxsize", "4000");
  }

  /** Flips a bit of a staged file when a job has ended. */
  private static final class Damager implements RunListener {
    private final String step;
    private final String file;
    private int times;
    private String running = "";
    private Path staged = Path.of("");
    private final List<String> warnings = new ArrayList<>();

    Damager(String step, String file, int times) {
      this.step = step;
      this.file = file;
      this.times = times;
    }

    @Override
    public void job(RunningJob job) {
      running = job.step();
    }

    @Override
    public void message(String line) {
      if (line.contains(STAGED)) {
        staged = Path.of(line.substring(line.indexOf(STAGED) + STAGED.length()));
      }
    }

    @Override
    public void warning(String line) {
      warnings.add(line);
    }

    @Override
    public void result(FinishedJob job) {
      if (running.equals(step) && times-- > 0) {
        try (Stream<Path> files = Files.list(staged)) {
          Path damaged =
              files
                  .filter(path -> path.getFileName().toString().matches(file + "[0-9-]*"))
                  .sorted()
                  .reduce((first, last) -> last)
                  .orElseThrow();
          byte[] bytes = Files.readAllBytes(damaged);
          bytes[bytes.length / 3] ^= 4;
          Files.write(damaged, bytes);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    /** Returns how often a file was made again. */
    long repairs() {
      return warnings.stream()
          .filter(line -> line.startsWith(staged.resolve(file).toString()))
          .filter(line -> line.endsWith(" is damaged; it is made again"))
          .count();
    }
  }

  private void run(String name, boolean shuffles, RunListener listener) throws Exception {
    Path source = shuffles ? TestDatasets.saev() : pickle;
    Conversion conversion =
        Conversion.of(source.toString(), folder.resolve(name).toString(), "safetensors", conf);
    if (shuffles) {
      conf.set("saev.input.layers", "13");
      Shuffle.of(conversion, 7).run(listener);
    } else {
      conversion.run(listener);
    }
  }

  private Map<String, String> contents(String name) throws IOException {
    Map<String, String> contents = new HashMap<>();
    try (Stream<Path> files = Files.list(folder.resolve(name))) {
      for (Path file : files.toList()) {
        contents.put(
            file.getFileName().toString(), new String(Files.readAllBytes(file), "ISO-8859-1"));
      }
    }
    return contents;
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "unpack, blocks-0, false",
    "unpack, catalogue-0, false",
    "convert, blocks-0, false",
    "shuffle, rows-0, true",
    "convert, rows-0, true"
  })
  void whatWasDamagedIsMadeAgain(String step, String file, boolean shuffles) throws Exception {
    conf.set("saev.convert.verify", "true");
    run("whole", shuffles, RunListener.NONE);
    Damager damager = new Damager(step, file, 1);
    run("out", shuffles, damager);
    assertThat(contents("out")).isEqualTo(contents("whole"));
    assertThat(damager.repairs()).as(damager.warnings.toString()).isOne();
    assertThat(left()).containsExactly("out", "pickle", "whole");
  }

  @Test
  void filesThatWereCompleteBeforeTheDamageWasFoundAreKept() throws Exception {
    run("whole", false, RunListener.NONE);
    Damager damager = new Damager("unpack", "blocks-0", 1); // the last of them
    run("out", false, damager);
    assertThat(damager.warnings)
        .anyMatch(
            line -> line.matches("continues the run of \\S+: [1-9]\\d* of \\d+ files are .*"));
    assertThat(contents("out")).isEqualTo(contents("whole"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDiskThatDamagesAFileEachTimeEndsTheRun(boolean shuffles) throws Exception {
    String step = shuffles ? "shuffle" : "unpack";
    String file = shuffles ? "rows-0" : "blocks-0";
    Damager damager = new Damager(step, file, 100);
    assertThatThrownBy(() -> run("out", shuffles, damager))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/data/" + file)
        .hasMessageContaining(": differs from the data that was written, at byte ");
    assertThat(damager.repairs()).isEqualTo(3);
    Damager none = new Damager("none", "", 0);
    conf.set("saev.convert.resume", "true");
    run("out", shuffles, none);
    conf.set("saev.convert.resume", "false");
    run("whole", shuffles, RunListener.NONE);
    assertThat(contents("out")).isEqualTo(contents("whole"));
  }

  @Test
  void inATemporaryFolderDamageIsAnErrorThatNamesTheFile() {
    Damager damager = new Damager("unpack", "blocks-0", 1);
    assertThatThrownBy(
            () -> Digest.of(TestDatasets.pickle().toString(), new Configuration()).run(damager))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/blocks-0")
        .hasMessageContaining(
            ": differs from the data that was written, at byte 0 (expected the recorded CRC-32C)");
  }
}
