package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sizes of packages, and their pages. */
class RoomsTest {
  private static final int MAX_FILES = 25;
  private static final int MIN_PAGE_LINES = 15;
  private static final int MAX_PAGE_LINES = 70;

  /** Names of one word that every programmer knows may not be more than a tenth of all. */
  private static final int MAX_ONE_WORD_NAMES_PERCENT = 10;

  private static final List<Path> SOURCES =
      Stream.of("testing", "format", "mapreduce", "jobs", "converters")
          .map(module -> Path.of("..", module, "src", "main", "java"))
          .toList();

  static List<Path> packages() throws IOException {
    return files().stream().map(Path::getParent).distinct().sorted().toList();
  }

  /** Returns all sources that are shipped. */
  static List<Path> files() throws IOException {
    Stream<Path> files = Stream.empty();
    for (Path source : SOURCES) {
      files = Stream.concat(files, Files.walk(source));
    }
    try (Stream<Path> all = files) {
      return all.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackageHasFewFilesAndAPageOfItsOwn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(Files::isRegularFile)).hasSizeLessThanOrEqualTo(MAX_FILES);
    }
    assertThat(folder.resolve("package-info.java")).isRegularFile();
    assertThat(Files.readAllLines(folder.resolve("package-info.java")))
        .hasSizeBetween(MIN_PAGE_LINES, MAX_PAGE_LINES);
  }

  @Test
  void fewTypesHaveANameOfOneWordAndNoneHasTheNameOfAnother() throws IOException {
    List<String> names =
        files().stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .filter(name -> !name.equals("package-info"))
            .collect(Collectors.toList());
    assertThat(names).doesNotHaveDuplicates();
    assertThat(names.stream().filter(name -> name.matches("[A-Z][a-z0-9]+")).count() * 100)
        .isLessThan((long) MAX_ONE_WORD_NAMES_PERCENT * names.size());
  }
}
