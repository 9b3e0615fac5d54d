package org.saevhadoop.converters.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;

/**
 * The dependencies that Maven resolves, and the archive contains, are listed in dependencies.txt.
 */
@Tag("long")
class DependencyListIT {
  private static final String COMMAND =
      "mvn verify -Dtest=none -Dit.test=DependencyListIT -Dsaev.docs.write=true";

  private static final String HEAD =
      """
      # The dependencies of the modules that are shipped: scope, coordinates, SHA-256 of the file.
      # archive: the jars of Hadoop's client in the archive; inside: libraries that these jars, or
      # those of the scopes compile and runtime, contain.
      # mvn verify fails if Maven resolves others; after an intended change, write the list with
      # %s
      """
          .formatted(COMMAND);

  private static final String ARCHIVE = "archive";
  private static final String INSIDE = "inside";

  private static final Path LIST = Corpus.checkout().resolve("dependencies.txt");

  /** The scopes to compare: other releases of Hadoop have other provided and test dependencies. */
  private static final Set<String> SCOPES =
      Set.of(System.getProperty("saev.test.dependencies").split(","));

  @Test
  void mavenResolvesTheListedDependencies() throws IOException {
    SortedSet<String> resolved = resolved();
    if (Boolean.getBoolean("saev.docs.write") && SCOPES.contains("test")) {
      Files.writeString(LIST, HEAD + String.join("\n", resolved) + "\n");
    }
    SortedSet<String> listed = listed();
    List<String> differences = new ArrayList<>();
    listed.stream()
        .filter(row -> !resolved.contains(row))
        .forEach(row -> differences.add("only in dependencies.txt: " + row));
    resolved.stream()
        .filter(row -> !listed.contains(row))
        .forEach(row -> differences.add("only resolved by Maven:   " + row));
    assertThat(differences)
        .as(
            "the dependencies differ from dependencies.txt; if this is intended, run\n  %s\n%s",
            COMMAND, String.join("\n", differences))
        .isEmpty();
  }

  private static SortedSet<String> listed() throws IOException {
    return Files.readAllLines(LIST).stream()
        .filter(row -> !row.startsWith("#") && SCOPES.contains(row.split(" ")[0]))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static SortedSet<String> resolved() throws IOException {
    SortedSet<String> rows = new TreeSet<>();
    for (String module : List.of("format", "mapreduce", "jobs", "converters")) {
      for (ResolvedDependency dependency : ResolvedDependency.of(module)) {
        if (SCOPES.contains(dependency.scope())) {
          rows.add(
              "%s %s %s"
                  .formatted(
                      dependency.scope(), dependency.coordinates(), dependency.fileDigest()));
        }
      }
    }
    if (SCOPES.contains(ARCHIVE)) {
      for (ResolvedDependency jar : ResolvedDependency.archived()) {
        rows.add("%s %s %s".formatted(ARCHIVE, jar.coordinates(), jar.fileDigest()));
        rows.addAll(inside(jar));
      }
    }
    if (SCOPES.contains(INSIDE)) {
      for (ResolvedDependency jar : ResolvedDependency.shipped()) {
        rows.addAll(inside(jar));
      }
    }
    return rows;
  }

  private static List<String> inside(ResolvedDependency jar) throws IOException {
    return jar.inside().stream()
        .map(library -> "%s %s %s".formatted(INSIDE, jar.fileName(), library))
        .toList();
  }
}
