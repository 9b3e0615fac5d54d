package org.saevhadoop.converters.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.testing.Programs;

/**
 * A conversion, a shuffle or a merge on the local disk is stopped before each of its calls that
 * change a name or a length; whatever it leaves, {@code --resume}, a plain run and {@code
 * --overwrite} end with a whole dataset. A merge has no such option. it/moments runs all moments,
 * {@code mvn verify} a sample.
 */
class MomentsIT {
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
  @ValueSource(
      strings = {
        "--to safetensors --batch-size 2",
        "--to safetensors --batch-size 2 --overwrite",
        "--to safetensors --batch-size 2 --verify",
        "--to pickle",
        "--to parquet --max-parquet-bytes 2000",
        "--to parquet --unit example --max-parquet-bytes 4000",
        "--to saev --family clip --ckpt moments",
        "--to safetensors --layers 13 --batch-size 20 --seed 7",
        "--to safetensors --batch-size 2 --with",
        "--to safetensors --batch-size 2 --with --overwrite",
        "merge",
        "merge --verify"
      })
  void fromEachMomentAWholeDatasetIsReached(String options) throws Exception {
    boolean replaces = options.contains("--overwrite");
    boolean shuffles = options.contains("--seed");
    assumeTrue(replaces || shuffles || TestExtent.isWhole(), "it/moments runs all conversions");
    Map<String, String> old = Map.of();
    if (replaces) {
      Cli.convert(source(options), out, "safetensors --limit 2").succeeds();
      old = contents();
    }
    RecordedRun run = RecordedRun.of(folder, arguments(options));
    Map<String, String> whole = contents();
    String again = options.replace(" --overwrite", "");
    int step = TestExtent.of(Math.max(1, run.calls() / 8), 1);
    List<String> failures = new ArrayList<>();
    int moments = 0;
    for (int call = 0; call < run.calls(); call += step) {
      List<String> hows = new ArrayList<>(List.of(again + " --resume", again));
      if (!options.startsWith("merge")) {
        hows.add(again + " --overwrite");
      }
      // in a sample, one way after each moment
      int way = moments % hows.size();
      for (String how : TestExtent.isWhole() ? hows : hows.subList(way, way + 1)) {
        run.restore(call);
        Map<String, String> found = Files.isDirectory(out) ? contents() : Map.of();
        String wrong = outcome(Cli.run(arguments(how)), how, found, whole, old);
        if (!wrong.isEmpty()) {
          failures.add("before %s, %s: %s".formatted(run.call(call), how, wrong));
        }
      }
      moments++;
    }
    System.out.printf("%s: %d moments, %d failures%n", options, moments, failures.size());
    failures.forEach(System.out::println);
    assertThat(failures).isEmpty();
  }

  /**
   * Returns what is wrong after a later run; empty if nothing is. A dataset that is at the path is
   * an error without {@code --overwrite}, and stays as it is.
   */
  private String outcome(
      Cli later,
      String how,
      Map<String, String> found,
      Map<String, String> whole,
      Map<String, String> old)
      throws IOException {
    Map<String, String> now = Files.isDirectory(out) ? contents() : Map.of();
    if (!found.isEmpty() && !found.equals(whole) && !found.equals(old)) {
      return "a part of a dataset was at the path: " + found.keySet();
    }
    if (later.exitCode() == 0) {
      return now.equals(whole) ? leftovers() : "another dataset: " + now.keySet();
    }
    boolean isThere = later.stderr().matches("(?s).* exists.*|.* and the last path.*");
    boolean refused = isThere && !how.contains("--overwrite");
    boolean isOneThere = !now.isEmpty() && (now.equals(whole) || now.equals(old));
    return refused && isOneThere ? "" : later.stderr();
  }

  private String leftovers() throws IOException {
    try (Stream<Path> entries = Files.list(out.getParent())) {
      List<Path> others = entries.filter(entry -> !entry.equals(out)).toList();
      return others.isEmpty() || out.endsWith("saev") ? "" : "leftovers: " + others;
    }
  }

  private Path source(String options) {
    return options.contains("--to saev") ? Fixtures.pickle("spec") : Fixtures.small();
  }

  private Object[] arguments(String options) {
    if (options.startsWith("merge")) {
      String[] more = options.substring("merge".length()).strip().split(" ");
      return new Object[] {
        "merge", part("0:4"), part("4:"), out, more[0].isEmpty() ? List.of() : more
      };
    }
    if (options.contains("--with")) {
      String[] others = options.replace(" --with", "").split(" ");
      return new Object[] {"convert", source(options), out, others, "--with", source(options)};
    }
    String verb = options.contains("--seed") ? "shuffle" : "convert";
    return new Object[] {verb, source(options), out, options.split(" ")};
  }

  /** Returns a dataset of some examples. */
  private Path part(String examples) {
    Path part = temporary.resolve("part " + examples.replace(":", " "));
    if (!Files.exists(part)) {
      Cli.convert(Fixtures.small(), part, "safetensors --batch-size 2", "--examples", examples)
          .succeeds();
    }
    return part;
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(out)) {
      // pickled shards are staged in the folder that was named
      for (Path file :
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.toString().contains(".saev-hadoop/"))
              .toList()) {
        // metadata.json of pickled shards has the time at which it was written
        String content =
            Files.readString(file, StandardCharsets.ISO_8859_1)
                .replaceFirst("\"created_at\": \"[^\"]*\"", "");
        contents.put(out.relativize(file).toString(), content);
      }
    }
    return contents;
  }
}
