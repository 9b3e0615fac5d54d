package org.saevhadoop.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * The corpus of real datasets and hostile files that CI puts beside the checkout. Elsewhere the
 * tests that need it are skipped; in CI a missing corpus is a failure.
 */
public final class Corpus {
  private Corpus() {}

  /** The root of the checkout. */
  public static Path checkout() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("fixtures"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  /** A part of the corpus, where there is one. */
  public static Optional<Path> find(String part) {
    Path path = checkout().resolveSibling("shared").resolve("corpus").resolve(part);
    if (!Files.exists(path) && "true".equals(System.getenv("CI"))) {
      throw new AssertionError("CI must have the corpus at " + path);
    }
    return Optional.of(path).filter(Files::exists);
  }

  /** A part of the corpus; the test that asks is skipped where there is none. */
  public static Path part(String part) {
    Optional<Path> path = find(part);
    Assumptions.assumeTrue(path.isPresent(), "the corpus is not beside this checkout");
    return path.get();
  }
}
