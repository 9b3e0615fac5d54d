package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/**
 * The same tasks by threads of this process, which read local paths, and by Hadoop, which reads the
 * same files through a file system of its own: results, failures and counters are the same.
 */
class TwoExecutorsTest {
  private static final String SPLIT = "mapreduce.input.fileinputformat.split.maxsize=";

  @TempDir Path folder;
  private Path dataset;

  @BeforeEach
  void copy() throws IOException {
    dataset = Fixtures.labelled(Fixtures.D768, folder);
  }

  private Cli run(boolean isLocal, long splitBytes, String line) {
    Configuration conf = new Configuration();
    FaultyFileSystem.register(conf);
    String path = isLocal ? dataset.toString() : FaultyFileSystem.uri(dataset);
    List<Object> words = new ArrayList<>();
    for (String word : line.split(" ")) {
      words.add(word.replace("DATASET", path));
    }
    words.add("-D");
    words.add(SPLIT + splitBytes);
    return Cli.run(conf, words.toArray());
  }

  private void assertSame(long splitBytes, String line) {
    Cli local = run(true, splitBytes, line);
    Cli hadoop = run(false, splitBytes, line);
    assertThat(local.exitCode()).as(local.stderr()).isEqualTo(hadoop.exitCode());
    assertThat(local.text()).isEqualTo(plain(hadoop.text()));
    assertThat(local.stderr()).isEqualTo(plain(hadoop.stderr()));
  }

  private String plain(String text) {
    return text.replace(FaultyFileSystem.uri(dataset), dataset.toString())
        .replace(FaultyFileSystem.SCHEME + ":" + dataset, dataset.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "1000000000, digest DATASET --json",
    "1, digest DATASET",
    "1, digest DATASET --layers 11 --examples 1:4",
    "70000, stats DATASET --json --vectors",
    "1, stats DATASET --json --vectors --sample 50% --seed 3",
    "1, stats DATASET --tokens image",
    "1, verify DATASET --json",
    "70000, verify DATASET --duplicates",
    "1, diff DATASET DATASET --json",
    "70000, diff DATASET DATASET --tolerance abs:1"
  })
  void resultsAreTheSame(long splitBytes, String line) {
    assertSame(splitBytes, line);
  }

  @ParameterizedTest
  @CsvSource({"digest DATASET", "stats DATASET", "verify DATASET --json", "diff DATASET DATASET"})
  void failuresAreTheSame(String line) throws IOException {
    Path acts;
    try (var files = Files.list(dataset)) {
      acts = files.filter(file -> file.toString().endsWith(".bin")).sorted().toList().get(1);
    }
    try (RandomAccessFile file = new RandomAccessFile(acts.toFile(), "rw")) {
      file.setLength(file.length() - 5);
    }
    assertSame(1, line);
  }

  @Test
  void valuesThatAreNotFiniteAreFoundByBoth() throws IOException {
    Path acts = dataset.resolve("acts000000.bin");
    try (RandomAccessFile file = new RandomAccessFile(acts.toFile(), "rw")) {
      file.seek(4 * 7L);
      file.writeInt(0x0000c07f); // a NaN of float32 in little-endian order
    }
    assertSame(1, "verify DATASET --json");
    assertSame(1, "stats DATASET --json");
  }
}
