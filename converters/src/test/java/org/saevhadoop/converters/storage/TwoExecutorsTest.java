package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.storage.LocalTree;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/**
 * The same tasks by threads of this process over local paths, by threads over the same files
 * through a file system of Hadoop, and by Hadoop's runner: results, failures and counters are the
 * same.
 */
@Tag("sampled")
class TwoExecutorsTest {
  /** What runs the tasks, and through which file system they read and write. */
  private enum Executor {
    LOCAL,
    THREADS,
    HADOOP
  }

  private static final List<Executor> OTHERS = List.of(Executor.THREADS, Executor.HADOOP);

  private static final String SPLIT = "mapreduce.input.fileinputformat.split.maxsize=";

  @TempDir Path folder;
  private Path dataset;

  @BeforeEach
  void copy() throws IOException {
    dataset = Fixtures.labelled(Fixtures.D768, folder);
  }

  private Cli run(Executor executor, long splitBytes, String line) {
    Configuration conf = new Configuration();
    FaultyFileSystem.register(conf);
    boolean isLocal = executor == Executor.LOCAL;
    String path = isLocal ? dataset.toString() : FaultyFileSystem.uri(dataset);
    conf.setBoolean("saev.input.local.runner", executor == Executor.HADOOP);
    List<Object> words = new ArrayList<>();
    for (String word : line.split(" ")) {
      words.add(word.replace("DATASET", path).replace("OUT", folder.resolve("out").toString()));
    }
    words.add("-D");
    words.add(SPLIT + splitBytes);
    return Cli.run(conf, words.toArray());
  }

  /** Returns both other executors, or in a sample one of them. */
  private static List<Executor> others(String line) {
    return TestExtent.isWhole() ? OTHERS : List.of(OTHERS.get(line.length() % OTHERS.size()));
  }

  private void assertSame(long splitBytes, String line) {
    Cli local = run(Executor.LOCAL, splitBytes, line);
    for (Executor executor : others(line)) {
      Cli other = run(executor, splitBytes, line);
      assertThat(local.exitCode())
          .as("%s %s: %s %s", executor, line, local.stderr(), other.stderr())
          .isEqualTo(other.exitCode());
      assertThat(local.text()).isEqualTo(plain(other.text()));
      assertThat(local.stderr()).isEqualTo(plain(other.stderr()));
    }
  }

  private String plain(String text) {
    return text.replace(FaultyFileSystem.uri(dataset), dataset.toString())
        .replace(FaultyFileSystem.SCHEME + ":" + dataset, dataset.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "1000000000, digest DATASET --json",
    "1, digest DATASET",
    "1, digest DATASET --json --save",
    "1, digest DATASET --layers 11 --examples 1:4",
    "70000, stats DATASET --json --vectors",
    "1, stats DATASET --json --vectors --sample 50% --seed 3",
    "1, stats DATASET --tokens image",
    "1, verify DATASET --json",
    "70000, verify DATASET --duplicates",
    "1, diff DATASET DATASET --json",
    "70000, diff DATASET DATASET --tolerance abs:1",
    "1, digest DATASET --with DATASET",
    "1, digest DATASET --with DATASET -D saev.input.0.layers=11 -D saev.input.1.layers=10",
    "70000, digest DATASET --with DATASET --with DATASET --layers 11 --examples 3:12",
    "1, stats DATASET --json --with DATASET",
    "70000, verify DATASET --json --with DATASET"
  })
  void resultsAreTheSame(long splitBytes, String line) {
    assertSame(splitBytes, line);
  }

  @ParameterizedTest
  @CsvSource({
    "1, --unit example",
    "70000, --layers 11 --provenance",
    "1, --unit example --with DATASET"
  })
  void shufflesAreTheSame(long splitBytes, String options) throws IOException {
    Cli local = shuffled(Executor.LOCAL, splitBytes, options);
    for (Executor executor : others(options)) {
      assertThat(compared(local)).isEqualTo(compared(shuffled(executor, splitBytes, options)));
      ConvertedDatasets.assertSameFiles(
          folder.resolve("LOCAL"), folder.resolve(executor.toString()));
    }
  }

  @Test
  void aShuffleReadsOneStorageAndWritesToAnother() throws IOException {
    shuffled(Executor.LOCAL, 1, "--unit example");
    for (Executor executor : OTHERS) {
      run(executor, 1, "shuffle DATASET OUT --unit example --overwrite").succeeds();
      ConvertedDatasets.assertSameFiles(folder.resolve("LOCAL"), folder.resolve("out"));
    }
  }

  private Cli shuffled(Executor executor, long splitBytes, String options) {
    Path out = folder.resolve(executor.toString());
    String line = "shuffle DATASET %s --verify --json %s";
    Object path = executor == Executor.LOCAL ? out : FaultyFileSystem.uri(out);
    return run(executor, splitBytes, line.formatted(path, options)).succeeds();
  }

  private static String compared(Cli run) {
    return run.text().replaceAll("\"(path|seconds)\" : [^\n]+", "");
  }

  @ParameterizedTest
  @CsvSource({"digest DATASET", "stats DATASET", "verify DATASET --json", "diff DATASET DATASET"})
  void failuresAreTheSame(String line) throws IOException {
    truncateAFile();
    assertSame(1, line);
  }

  /** The files at the path that is written, and what is left in its folder. */
  private SortedMap<String, String> written() throws IOException {
    SortedMap<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(path -> !path.startsWith(dataset)).toList()) {
        String content =
            Files.isRegularFile(file)
                ? HexFormat.of().formatHex(Sha256.of(ByteBuffer.wrap(Files.readAllBytes(file))))
                : "";
        files.put(folder.relativize(file).toString(), content);
      }
    }
    if (Files.exists(folder.resolve("out"))) {
      LocalTree.delete(folder.resolve("out"));
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({
    "1, --to safetensors --batch-size 2 --verify",
    "70000, --to saev --layers 11 --examples 1:4 --digest",
    "1, --to npy --dtype F16 --verify --digest",
    "1000000000, --to samediff --dry-run",
    "1, --to npy --with DATASET --examples 3:8 --verify --digest",
    "1, --to saev --with DATASET --verify",
    "1, --to safetensors --with DATASET -D saev.input.0.layers=11 -D saev.input.1.layers=10"
  })
  void writtenFilesAreTheSame(long splitBytes, String options) throws IOException {
    String line = "convert DATASET OUT " + options;
    Cli local = run(Executor.LOCAL, splitBytes, line);
    assertThat(local.exitCode()).as(local.stderr()).isZero();
    SortedMap<String, String> files = written();
    for (Executor executor : others(options)) {
      Cli other = run(executor, splitBytes, line);
      assertThat(files).isEqualTo(written());
      assertThat(local.text()).isEqualTo(plain(other.text()));
      assertThat(local.stderr()).isEqualTo(plain(other.stderr()));
    }
  }

  @Test
  void aConversionThatFailsLeavesNothingInBoth() throws IOException {
    truncateAFile();
    for (Executor executor : Executor.values()) {
      Cli run = run(executor, 1, "convert DATASET OUT --to safetensors --batch-size 1");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(written()).containsOnlyKeys("");
    }
    assertSame(1, "convert DATASET OUT --to safetensors --batch-size 1");
  }

  private void truncateAFile() throws IOException {
    Path acts;
    try (var files = Files.list(dataset)) {
      acts = files.filter(file -> file.toString().endsWith(".bin")).sorted().toList().get(1);
    }
    try (RandomAccessFile file = new RandomAccessFile(acts.toFile(), "rw")) {
      file.setLength(file.length() - 5);
    }
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
