package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Packages form no cycle to a reader either: in contrast to {@link ArchitectureTest}, which sees
 * class files, imports for Javadoc count.
 */
class ImportCyclesTest {
  private static final Pattern PACKAGE = Pattern.compile("package ([a-z0-9.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("import (?:static )?(org\\.saevhadoop(?:\\.[a-z0-9]+)*)\\..*;");

  /** Returns the packages that the sources of each package import. */
  private static Map<String, Set<String>> imports() throws IOException {
    Map<String, Set<String>> imports = new TreeMap<>();
    for (Path file : RoomsTest.files("main")) {
      String name = null;
      for (String line : Files.readAllLines(file)) {
        Matcher itself = PACKAGE.matcher(line);
        Matcher other = IMPORT.matcher(line);
        if (itself.matches()) {
          name = itself.group(1);
        } else if (other.matches() && !other.group(1).equals(name)) {
          imports.computeIfAbsent(name, key -> new TreeSet<>()).add(other.group(1));
        }
      }
    }
    return imports;
  }

  /** Returns the first cycle that is found from a package on; empty if there is none. */
  private static List<String> cycle(
      String from, List<String> path, Set<String> finished, Map<String, Set<String>> imports) {
    int again = path.indexOf(from);
    if (again >= 0) {
      return Stream.concat(path.subList(again, path.size()).stream(), Stream.of(from)).toList();
    }
    if (finished.contains(from)) {
      return List.of();
    }
    path.add(from);
    for (String to : imports.getOrDefault(from, Set.of())) {
      List<String> found = cycle(to, path, finished, imports);
      if (!found.isEmpty()) {
        return found;
      }
    }
    path.remove(path.size() - 1);
    finished.add(from);
    return List.of();
  }

  @Test
  void importsFormNoCycleOfPackages() throws IOException {
    Map<String, Set<String>> imports = imports();
    assertThat(imports).hasSizeGreaterThan(10);
    Set<String> finished = new HashSet<>();
    for (String name : imports.keySet()) {
      assertThat(cycle(name, new ArrayList<>(), finished, imports)).as("a cycle").isEmpty();
    }
  }

  @Test
  void aCycleIsFound() {
    Map<String, Set<String>> imports =
        Map.of("a", Set.of("b"), "b", Set.of("c", "d"), "d", Set.of("b"));
    assertThat(cycle("a", new ArrayList<>(), new HashSet<>(), imports))
        .containsExactly("b", "d", "b");
  }
}
