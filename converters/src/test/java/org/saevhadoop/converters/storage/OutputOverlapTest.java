package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/** No output of any command replaces a file of the dataset that the command reads. */
@Tag("late")
class OutputOverlapTest {
  /** A command with the option of its output, and a path in the temporary folder. */
  private record Output(String source, String command, String path, String more) {}

  /** A file of the dataset in the temporary folder. */
  private static final String DATA = "data/acts000000.bin";

  @TempDir Path temporary;
  private Path folder;

  /**
   * A dataset {@code data}, a copy {@code copy} by links to its files, hard links to them in {@code
   * hard}, links to the folder and to a file, and folders of layers that are links.
   */
  @BeforeEach
  void createDataset() throws IOException {
    folder = temporary.toRealPath();
    Path data = Files.move(Fixtures.copy(Fixtures.SMALL, folder), folder.resolve("data"));
    Files.createDirectory(data.resolve("empty"));
    Files.createSymbolicLink(folder.resolve("link"), data);
    Files.createSymbolicLink(folder.resolve("file"), folder.resolve(DATA));
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Path hard = Files.createDirectory(folder.resolve("hard"));
    try (Stream<Path> files = Files.list(data).filter(Files::isRegularFile)) {
      for (Path file : files.toList()) {
        Files.createSymbolicLink(copy.resolve(file.getFileName()), file);
        Files.createLink(hard.resolve(file.getFileName()), file);
      }
    }
    Path linked = Files.createDirectory(folder.resolve("linked"));
    Files.createSymbolicLink(linked.resolve("layer_13"), data);
    Files.createDirectory(linked.resolve("layer_23"));
  }

  static List<Output> overlaps() {
    List<Output> all = new ArrayList<>();
    String paths =
        "data data/new link/new data/empty/new data/../link/new data/metadata.json link/labels.bin "
            + DATA;
    for (String command :
        List.of(
            "stats --report", "stats --to-safetensors", "stats --statistics", "digest --save")) {
      for (String path : paths.split(" ")) {
        all.add(new Output("data", command, path, ""));
        all.add(new Output("link", command, path, ""));
      }
      if (!command.endsWith("statistics")) {
        for (String path : List.of("file", "hard/acts000000.bin")) {
          all.add(new Output("data", command, path, ""));
        }
      }
      all.add(new Output("copy", command, DATA, "")); // its files are links to this one
    }
    all.add(new Output("data", "stats --statistics", "data/empty", ""));
    all.add(new Output("data", "stats --statistics", "linked", "--overwrite"));
    for (String command : List.of("convert", "shuffle")) {
      for (String path : List.of("data", "link/new", "data/empty")) {
        all.add(new Output("data", command, path, ""));
      }
    }
    all.add(new Output("data", "convert", ".", "")); // shuffle creates a folder for each layer
    all.add(new Output("copy", "convert", "data", ""));
    return all;
  }

  @ParameterizedTest
  @MethodSource("overlaps")
  void theDatasetIsAsItWasAndTheOverlapIsReported(Output output) throws IOException {
    List<String> others = List.of("", "--dry-run", "--overwrite --dry-run"); // one of them in turn
    String other = others.get(output.toString().length() % others.size());
    for (String more : List.of("--overwrite", other)) {
      if (more.contains(output.more)) {
        TreeMap<String, String> before = tree();
        List<String> words = words(output);
        if (!more.isEmpty()) {
          words.addAll(List.of(more.split(" ")));
        }
        if (output.command.startsWith("digest")) {
          words.remove("--overwrite"); // sums replace sums only
        }
        Cli.run(words).failsWithText(FileError.OVERLAP, ": overlaps with ", ", which is read");
        assertThat(tree()).as("%s %s", output, more).isEqualTo(before);
      }
    }
  }

  private List<String> words(Output output) {
    List<String> words = new ArrayList<>();
    String[] command = output.command.split(" ");
    words.add(command[0]);
    words.add(folder + "/" + output.source);
    String path = folder + "/" + output.path;
    words.add(command.length == 1 ? path : command[1] + "=" + path);
    if (command.length == 1) {
      words.add("--to=npy");
    }
    return words;
  }

  @ParameterizedTest
  @CsvSource({
    "data, stats --report, report.html",
    "data, stats --report, data2.html",
    "data, stats --to-safetensors, hard/stats.safetensors",
    "data, stats --statistics --overwrite, .",
    "data, stats --statistics, statistics",
    "data, digest --save, data.sha256",
    "copy, digest --save, hard/sums"
  })
  void filesNextToTheDatasetAreWritten(String source, String command, String path)
      throws IOException {
    String[] words = command.split(" ");
    Path written = folder.resolve(path);
    List<String> all = new ArrayList<>();
    all.addAll(List.of(words[0], folder + "/" + source, words[1] + "=" + written));
    if (words.length > 2) {
      all.add(words[2]);
    }
    Cli.run(all).succeeds();
    assertThat(command.contains("--statistics") ? written.resolve("layer_13") : written).exists();
  }

  @Test
  void aFileThatIsTheDatasetIsReadWithItsSidecarOnly() throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(Fixtures.pickle("spec"), out, "safetensors").succeeds();
    Path part;
    Path sidecar;
    try (Stream<Path> files = Files.list(out)) {
      List<Path> sorted = files.sorted().toList();
      part = sorted.stream().filter(f -> f.toString().endsWith(".safetensors")).toList().get(0);
      sidecar = sorted.stream().filter(f -> f.toString().endsWith(".gz")).toList().get(0);
    }
    TreeMap<String, String> before = tree();
    for (Path read : List.of(part, sidecar)) {
      String overlap = read + ": overlaps with ";
      Cli.run("stats", part, "--report", read, "--overwrite")
          .failsWithText(FileError.OVERLAP, overlap);
      Cli.run("digest", part, "--save=" + read).failsWithText(FileError.OVERLAP, overlap);
    }
    assertThat(tree()).isEqualTo(before);
    Cli.run("stats", part, "--report", out.resolve("report.html")).succeeds();
    Cli.run("digest", part, "--save").succeeds();
    assertThat(out.resolve("report.html")).exists();
    assertThat(out.resolve(part.getFileName() + ".sha256")).exists();
  }

  @Test
  void allShardsOfAContainerAreRead() throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(Fixtures.small(), out, "samediff --max-shard-bytes 4000").succeeds();
    List<Path> shards;
    try (Stream<Path> files = Files.list(out)) {
      shards = files.filter(f -> f.toString().contains(".shard")).sorted().toList();
    }
    assertThat(shards).hasSizeGreaterThan(2);
    for (Path shard : shards) {
      Cli.run("stats", shards.get(0), "--report", shard, "--overwrite")
          .failsWithText(FileError.OVERLAP, shard + ": overlaps with ");
    }
  }

  @Test
  void aFolderToWhichALinkOfTheDatasetLeadsIsPartOfIt() throws IOException {
    Path data = Files.createDirectory(folder.resolve("layers"));
    Path elsewhere = folder.resolve("elsewhere");
    Files.createDirectory(elsewhere);
    for (int layer = 0; layer < 2; layer++) {
      Path stored = Files.createDirectory(elsewhere.resolve("layer_" + layer));
      OwnArrays.writeNpy(stored.resolve("a.npy"), DType.F32, List.of(2L, 1L, 4L), new byte[32]);
      Files.createSymbolicLink(data.resolve("layer_" + layer), stored);
    }
    Path report = elsewhere.resolve("layer_1/new.html");
    List<String> words = List.of("--files", "layer_{layer}/a.npy", "--report=" + report);
    Cli.run("stats", data, words).failsWithText(FileError.OVERLAP, report + ": overlaps with ");
    assertThat(report).doesNotExist();
  }

  @Test
  void anotherStorageComparesItsPaths() throws IOException {
    String data = FaultyFileSystem.uri(folder.resolve("data"));
    TreeMap<String, String> before = tree();
    for (String file : List.of("/new.html", "/metadata.json")) {
      Cli.run(FaultyFileSystem.conf(), "stats", data, "--overwrite", "--report=" + data + file)
          .failsWithText(FileError.OVERLAP, file + ": overlaps with ");
    }
    assertThat(tree()).isEqualTo(before);
  }

  /** Returns the contents of all files, or where links lead. */
  private TreeMap<String, String> tree() throws IOException {
    TreeMap<String, String> tree = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        String content =
            Files.isSymbolicLink(file)
                ? Files.readSymbolicLink(file).toString()
                : Files.isDirectory(file)
                    ? ""
                    : Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        tree.put(file.toString(), content);
      }
    }
    return tree;
  }
}
