package org.saevhadoop.converters.house;

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
import org.junit.jupiter.params.provider.ValueSource;

/** The sizes of packages, and their pages. */
class RoomsTest {
  private static final int MAX_FILES = 25;
  private static final int MIN_PAGE_LINES = 15;
  private static final int MAX_PAGE_LINES = 70;

  /** Names of one word that every programmer knows may not be more than a tenth of all. */
  private static final int MAX_ONE_WORD_NAMES_PERCENT = 10;

  static List<Path> packages() throws IOException {
    return files("main").stream().map(Path::getParent).distinct().sorted().toList();
  }

  /** Returns the sources of all modules: {@code main}, those that are shipped, or {@code test}. */
  static List<Path> files(String kind) throws IOException {
    Stream<Path> files = Stream.empty();
    for (String module : List.of("testing", "format", "mapreduce", "jobs", "converters")) {
      files = Stream.concat(files, Files.walk(Path.of("..", module, "src", kind, "java")));
    }
    try (Stream<Path> all = files) {
      return all.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"main", "test"})
  void aPackageHasFewFiles(String kind) throws IOException {
    assertThat(files(kind).stream().collect(Collectors.groupingBy(Path::getParent)))
        .allSatisfy((folder, files) -> assertThat(files).hasSizeLessThanOrEqualTo(MAX_FILES));
  }

  @Test
  void aTestHasAtMost500Lines() throws IOException {
    for (Path file : files("test")) {
      assertThat(Files.readAllLines(file)).as("%s", file).hasSizeLessThanOrEqualTo(500);
    }
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackageHasAPageOfItsOwn(Path folder) throws IOException {
    assertThat(folder.resolve("package-info.java")).isRegularFile();
    assertThat(Files.readAllLines(folder.resolve("package-info.java")))
        .hasSizeBetween(MIN_PAGE_LINES, MAX_PAGE_LINES);
  }

  @Test
  void fewTypesHaveANameOfOneWordAndNoneHasTheNameOfAnother() throws IOException {
    List<String> names =
        files("main").stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .filter(name -> !name.equals("package-info"))
            .collect(Collectors.toList());
    assertThat(names).doesNotHaveDuplicates();
    assertThat(names.stream().filter(name -> name.matches("[A-Z][a-z0-9]+")).count() * 100)
        .isLessThan((long) MAX_ONE_WORD_NAMES_PERCENT * names.size());
  }
}
