package org.saevhadoop.format;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Locates the checkout, and the corpus of real datasets and hostile files in the folder that the
 * environment variable {@code SAEV_CORPUS} names.
 */
public final class Corpus {
  static final String VARIABLE = "SAEV_CORPUS";

  private Corpus() {}

  /** Returns the root of the checkout. */
  public static Path checkout() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("fixtures"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  /**
   * Returns a part of the corpus, for tests with {@link RequiresCorpus}.
   *
   * @throws AssertionError where the variable is not set, or the part is missing
   */
  public static Path part(String part) {
    String corpus = System.getenv(VARIABLE);
    if (corpus == null) {
      throw new AssertionError(VARIABLE + " is not set (expected @RequiresCorpus on the test)");
    }
    Path path = Path.of(corpus).resolve(part).toAbsolutePath();
    if (!Files.exists(path)) {
      throw new AssertionError(path + ": is missing (expected as " + VARIABLE + " is set)");
    }
    return path;
  }
}
