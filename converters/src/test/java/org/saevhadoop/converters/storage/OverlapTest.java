package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.io.FileError;

/** No way of naming source and destination lets a conversion destroy what it reads. */
@Tag("late")
class OverlapTest {
  /** Paths that share files. */
  private record Overlap(String source, String destination) {}

  @TempDir Path temporary;
  private Path folder;

  /**
   * A dataset {@code real/data}, a copy {@code copy} by links to its files, and links to folders.
   */
  @BeforeEach
  void createDatasets() throws IOException {
    folder = temporary.toRealPath();
    Path real = Files.createDirectories(folder.resolve("real"));
    Path data = real.resolve("data");
    Files.move(Fixtures.copy(Fixtures.SMALL, real), data);
    Files.createSymbolicLink(folder.resolve("link"), data);
    Files.createSymbolicLink(folder.resolve("link2"), folder.resolve("link"));
    Files.createSymbolicLink(folder.resolve("above"), real);
    Files.createSymbolicLink(folder.resolve("relative"), Path.of("real/data"));
    Files.createSymbolicLink(real.resolve("loop"), real);
    Files.createDirectories(folder.resolve("other/deep"));
    Files.createSymbolicLink(folder.resolve("other/deep/back"), folder);
    Path copy = Files.createDirectory(folder.resolve("copy"));
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.toList()) {
        Files.createSymbolicLink(copy.resolve(file.getFileName()), file);
      }
    }
  }

  static List<Overlap> overlaps() {
    String paths =
        "real/data link link2 above/data relative real/loop/data other/deep/back/real/data"
            + " real/../real/data other/deep/back/link link/../data";
    List<String> same = List.of(paths.split(" "));
    List<Overlap> overlaps = new ArrayList<>();
    for (int i = 0; i < same.size(); i++) {
      String other = same.get((i + 1) % same.size());
      overlaps.add(new Overlap(same.get(i), same.get(i)));
      overlaps.add(new Overlap(same.get(i), other));
      overlaps.add(new Overlap(same.get(i), other + "/sub"));
      overlaps.add(new Overlap(same.get(i), other + "/new/sub"));
    }
    for (String around :
        List.of("real", "above", "real/loop", "other/deep/back/real", ".", "link/..")) {
      overlaps.add(new Overlap("link", around));
      overlaps.add(new Overlap("real/data", around));
    }
    // the files of the source are links to files in the destination
    for (String target : same) {
      overlaps.add(new Overlap("copy", target));
    }
    return overlaps;
  }

  @ParameterizedTest
  @MethodSource("overlaps")
  void theSourceSurvivesAndTheOverlapIsReported(Overlap overlap) throws IOException {
    TreeMap<String, Long> before = tree();
    Path source = folder.resolve(overlap.source);
    Cli run =
        Cli.convert(
            source, folder + "/" + overlap.destination, "safetensors --batch-size 2 --overwrite");
    run.failsWithText(FileError.OVERLAP, "overlaps with ");
    assertThat(tree()).isEqualTo(before);
  }

  /** Labels, sample metadata and ids are read from the dataset that a key names. */
  @ParameterizedTest
  @CsvSource({
    "labels, real/data, saev, saev",
    "labels, link2, real/data, saev",
    "sample.metadata, copy, real/data, saev",
    "sample.metadata, real/data, real, pickle",
    "sample.metadata, real/data, link/sub, pickle",
    "ids, other/deep/back/real/data, link, saev",
    "ids, relative, above/data, pickle"
  })
  void aDatasetThatIsReadBesideTheSourceSurvivesToo(
      String key, String other, String destination, String source) throws IOException {
    Path plain = Fixtures.copy(Fixtures.SMALL, Files.createDirectory(folder.resolve("plain")));

    TreeMap<String, Long> before = tree();
    boolean below = destination.equals("saev"); // where the dataset gets a folder of its own
    String option = "-Dsaev.output.%s=%s/%s".formatted(key, folder, other);
    Path from = source.equals("pickle") ? Fixtures.pickle("spec") : plain;
    String to = folder + "/" + (below ? other : destination);
    Cli run = Cli.convert(from, to, (below ? "saev" : "safetensors") + " --overwrite", option);
    run.failsWithText(
        FileError.OVERLAP, ": overlaps with %s/%s, which is read".formatted(folder, other));
    assertThat(run.stderr()).doesNotContain("unpack: ");
    assertThat(tree()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("apart")
  void aPathThatOnlyLooksLikeTheSourceIsWritten(String destination) throws IOException {
    Path out = folder.resolve(destination);
    Cli.convert(folder.resolve("link"), out, "safetensors").succeeds();
    assertThat(ConvertTest.digest(out)).isEqualTo(ConvertTest.digest(folder.resolve("real/data")));
  }

  static List<String> apart() {
    return List.of("real/data2", "real/dat", "real/DATA", "link3", "above/out", "real/data.out");
  }

  /** Returns the sizes of all files, without following links. */
  private TreeMap<String, Long> tree() throws IOException {
    TreeMap<String, Long> tree = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        tree.put(file.toString(), Files.isRegularFile(file) ? Files.size(file) : -1);
      }
    }
    return tree;
  }
}
