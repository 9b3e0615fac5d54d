package org.saevhadoop.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A conversion to S3 is stopped before each of its requests that change an object; whatever it
 * leaves, {@code --resume}, a plain run and {@code --overwrite} end with a whole dataset.
 */
class MomentsS3IT {
  private static final Path SOURCE =
      Path.of(
          "../../fixtures/saev/213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b");

  private static final String PLACE = "place/";
  private static final String OUT = PLACE + "out/";
  private static final String OLD = "old/";
  private static final String MARKER = "_saev-hadoop-unfinished";

  @TempDir static Path folder;
  private static ObjectServer server;
  private static int clients;
  private static StoppedClient last;

  @BeforeAll
  static void start() throws Exception {
    server = new ObjectServer();
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  @ParameterizedTest
  @CsvSource({"magic,''", "magic,--overwrite", "directory,''", "file,''"})
  void fromEachMomentAWholeDatasetIsReached(String committer, String option) throws Exception {
    boolean replaces = option.equals("--overwrite");
    if (replaces) {
      convert(committer, StoppedClient.ALL, "pickle", "").line();
      server.copyAll(PLACE, OLD);
    }
    Map<String, String> old = server.contents(OLD + "out/");
    restore();
    convert(committer, StoppedClient.ALL, "safetensors", option).line();
    int changes = last.changes();
    Map<String, String> whole = server.contents(OUT);
    List<String> failures = new ArrayList<>();
    for (int passing = 0; passing < changes; passing++) {
      for (String how : List.of("--resume", "", "--overwrite")) {
        restore();
        convert(committer, passing, "safetensors", option);
        Map<String, String> found = server.contents(OUT);
        Command later = convert(committer, StoppedClient.ALL, "safetensors", how);
        String wrong = outcome(later, how, found, whole, old);
        if (!wrong.isEmpty()) {
          failures.add("after %d changes, %s: %s".formatted(passing, how, wrong));
        }
      }
    }
    server.deleteAll(OLD);
    server.deleteAll(PLACE);
    System.out.printf(
        "S3, %s %s: %d moments, %d failures%n", committer, option, changes, failures.size());
    failures.forEach(System.out::println);
    assertThat(failures).isEmpty();
  }

  private static String outcome(
      Command later,
      String how,
      Map<String, String> found,
      Map<String, String> whole,
      Map<String, String> old)
      throws IOException {
    if (!found.containsKey(MARKER) && !isWhole(found, whole, old)) {
      return "a part of a dataset was at the path: " + found.keySet();
    }
    Map<String, String> now = server.contents(OUT);
    if (later.exitCode() == 0) {
      return now.equals(whole) ? leftovers() : "another dataset: " + now.keySet();
    }
    boolean refused = later.err().contains(" exists") && !how.equals("--overwrite");
    return refused && !now.isEmpty() && isWhole(now, whole, old) ? "" : later.err();
  }

  private static boolean isWhole(
      Map<String, String> found, Map<String, String> whole, Map<String, String> old) {
    return found.isEmpty() || found.equals(whole) || found.equals(old);
  }

  private static String leftovers() {
    List<String> others =
        Stream.concat(server.objects(PLACE).stream(), server.uploads(PLACE).stream())
            .filter(name -> !name.isEmpty() && !name.startsWith("out/"))
            .toList();
    return others.isEmpty() ? "" : "leftovers: " + others;
  }

  /** Leaves nothing at the path, or an old dataset. */
  private static void restore() {
    server.deleteAll(PLACE);
    server.copyAll(OLD, PLACE);
  }

  private static Command convert(String committer, int passing, String to, String option)
      throws Exception {
    String key = "client" + ++clients;
    last = server.addClient(key, passing);
    Configuration conf = server.conf();
    conf.set("fs.s3a.access.key", key);
    conf.set("fs.s3a.committer.name", committer);
    conf.set("fs.s3a.committer.staging.tmp.path", folder.resolve("staging").toString());
    String out = "s3a://" + ObjectServer.BUCKET + "/" + PLACE + "out";
    List<Object> words = new ArrayList<>(List.of("convert", SOURCE, out, "--to", to));
    words.addAll(to.equals("safetensors") ? List.of("--batch-size", 4) : List.of());
    words.add("-Dmapreduce.input.fileinputformat.split.maxsize=8000"); // two tasks
    Stream.of(option).filter(word -> !word.isEmpty()).forEach(words::add);
    try {
      return Command.run(conf, words.toArray());
    } finally {
      FileSystem.closeAll(); // a file system keeps its access key
    }
  }
}
