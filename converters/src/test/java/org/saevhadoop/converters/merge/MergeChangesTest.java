package org.saevhadoop.converters.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.format.combined.CombinationError;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.jobs.merge.Merge;
import org.saevhadoop.jobs.run.RunListener;

/** Sources that change while they are merged, and several merges to one path. */
class MergeChangesTest extends ConvertedDatasets {
  /** What happens to a file of a source. */
  private enum Change {
    REPLACED,
    SHORTENED,
    LENGTHENED,
    REMOVED,
    ADDED;

    void apply(Path dataset, String suffix) throws IOException {
      Path file = file(dataset, suffix);
      byte[] bytes = Files.readAllBytes(file);
      switch (this) {
        case REPLACED -> {
          bytes[bytes.length - 1] ^= 1;
          Files.write(file, bytes);
        }
        case SHORTENED -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 16));
        case LENGTHENED -> Files.write(file, Arrays.copyOf(bytes, bytes.length + 16));
        case REMOVED -> Files.delete(file);
        case ADDED -> Files.write(dataset.resolve("shard_9999" + suffix), bytes);
      }
    }
  }

  private static Path file(Path dataset, String suffix) throws IOException {
    return dataset.resolve(
        files(dataset).stream().filter(name -> name.endsWith(suffix)).findFirst().orElseThrow());
  }

  /** Files of the same length show only by their times that they are others. */
  @Test
  void aReplacedFileIsNamedByItsSource() throws Exception {
    List<Path> sources = sources("npy");
    assertThatThrownBy(() -> merge(sources, () -> Change.REPLACED.apply(sources.get(0), ".npy")))
        .satisfies(
            error -> ErrorAssertions.assertError(CombinationError.CHANGED, sources.get(0), error));
  }

  private Path whole() throws IOException {
    return new NaiveActivations(13, List.of(1, 3), 5, 16, true, true)
        .writeSaev(folder.resolve("whole"));
  }

  private List<Path> sources(String format) throws IOException {
    return List.of(
        convert(whole(), "a", format, "--examples", "0:8"),
        convert(whole(), "b", format, "--examples", "8:13"));
  }

  private Path out() throws IOException {
    return Files.createDirectories(folder.resolve("place")).resolve("out");
  }

  /** An action while a run holds the path, before it copies the first file. */
  private interface Action {
    void run() throws IOException;
  }

  private void merge(List<Path> sources, Action action) throws IOException, InterruptedException {
    merge(sources, "files to copy", action, new ArrayList<>());
  }

  /** Merges, with an action when the first message contains a text. */
  private void merge(List<Path> sources, String text, Action action, List<String> warnings)
      throws IOException, InterruptedException {
    List<String> paths = sources.stream().map(Path::toString).toList();
    Configuration conf = new Configuration(false);
    conf.set("saev.output.sync", "never");
    Merge.of(paths, out().toString(), conf)
        .run(
            new RunListener() {
              private boolean acted;

              @Override
              public void message(String line) {
                if (!acted && line.contains(text)) {
                  acted = true;
                  try {
                    action.run();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              }

              @Override
              public void warning(String line) {
                warnings.add(line);
              }
            });
  }

  @ParameterizedTest
  @CsvSource({
    "saev,.bin",
    "safetensors --batch-size 3,.safetensors",
    "npy,.npy",
    "pickle --uncompressed,.pkl",
    "pickle,.pkl.gz"
  })
  void aSourceThatChangesBeforeItIsCopiedIsRefused(String format, String suffix) throws Exception {
    for (Change change : Change.values()) {
      List<Path> sources = sources(format);
      Path changed = sources.get(1);
      assertThatThrownBy(() -> merge(sources, () -> change.apply(changed, suffix)))
          .as(change + " " + format)
          .satisfies(
              error ->
                  assertThat(ErrorAssertions.find(error).path())
                      .as(error.toString())
                      .startsWith(changed.toString()));
      assertThat(out()).doesNotExist();
      Cli resumed = Cli.run("merge", sources, out(), "--resume", "--no-fsync");
      assertThat(resumed.stderr().contains("no interrupted run was found"))
          .as(resumed.stderr())
          .isEqualTo(resumed.exitCode() == 0);
      for (String name : files(folder)) {
        LocalTree.delete(folder.resolve(name));
      }
    }
  }

  /** What is read may have changed in its middle; hours of work are not thrown away. */
  @Test
  void aMergeThatRewritesWarnsOfASourceThatChanged() throws Exception {
    List<Path> sources =
        List.of(
            convert(whole(), "a", "npy", "--examples", "0:8"),
            convert(whole(), "b", "npy", "--examples", "8:13", "--dtype", "F64"));
    List<String> unchanged = rewrite(sources, () -> {});
    LocalTree.delete(out());
    assertThat(unchanged).noneMatch(line -> line.contains("changed"));
    assertThat(rewrite(sources, () -> Change.REPLACED.apply(sources.get(1), ".npy")))
        .anyMatch(
            line ->
                line.startsWith("files of " + sources.get(0) + "; " + sources.get(1) + " changed"));
    assertThat(out()).exists();
  }

  private List<String> rewrite(List<Path> sources, Action action) throws Exception {
    List<String> warnings = new ArrayList<>();
    merge(sources, "convert: ", action, warnings);
    return warnings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "safetensors --batch-size 3", "pickle", "saev"})
  void ofSeveralMergesToOnePathOneWrites(String format) throws Exception {
    List<Path> sources = sources(format);
    String expected = Cli.run("digest", sources.get(0), "--with", sources.get(1)).text();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<CompletableFuture<Cli>> started = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Path out = out();
      started.add(
          CompletableFuture.supplyAsync(
              () -> Cli.run("merge", sources, out, "--no-fsync"), threads));
    }
    List<Cli> done = new ArrayList<>();
    for (CompletableFuture<Cli> each : started) {
      Cli run = each.get(60, TimeUnit.SECONDS);
      if (run.exitCode() == 0) {
        done.add(run);
      } else {
        assertThat(ErrorAssertions.find(run.failure()).kind())
            .as(run.stderr())
            .isIn(FileError.IN_USE, FileError.ALREADY_EXISTS);
      }
    }
    threads.shutdown();
    assertThat(done).hasSize(1);
    assertThat(digest(done.get(0).lastLinePath())).isEqualTo(expected);
    assertThat(files(folder.resolve("place"))).containsExactly("out");
  }

  @Test
  void aMergeToThePathOfARunningOneIsRefused() throws Exception {
    List<Path> sources = sources("npy");
    List<Cli> others = new ArrayList<>();
    merge(
        sources,
        () -> {
          for (String options : List.of("--verify", "--resume", "--dry-run")) {
            others.add(Cli.run("merge", sources, out(), options, "--no-fsync"));
          }
        });
    assertThat(others)
        .hasSize(3)
        .allSatisfy(
            run ->
                assertThat(ErrorAssertions.find(run.failure()).kind()).isEqualTo(FileError.IN_USE));
    assertThat(digest(out()))
        .isEqualTo(Cli.run("digest", sources.get(0), "--with", sources.get(1)).text());
    assertThat(files(folder.resolve("place"))).containsExactly("out");
  }
}
