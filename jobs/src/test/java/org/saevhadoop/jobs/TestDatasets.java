package org.saevhadoop.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.saevhadoop.format.Corpus;

/** The datasets that the project brings along. */
public final class TestDatasets {
  private TestDatasets() {}

  /** Returns 7 examples of 3 layers, 10 tokens and 16 dims, in SAEV shards. */
  public static Path saev() {
    return Corpus.checkout()
        .resolve("fixtures/saev/213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b");
  }

  /** Returns pickled shards, which are staged before they are converted. */
  public static Path pickle() {
    return Corpus.checkout().resolve("fixtures/pickle/spec");
  }

  /** Copies pickled shards, each to a directory of its own, so that each is a part. */
  public static void copyPickle(Path target) throws IOException {
    try (Stream<Path> files = Files.list(pickle())) {
      for (Path file : files.filter(path -> path.toString().endsWith(".gz")).toList()) {
        String name = file.getFileName().toString();
        Path directory = Files.createDirectories(target.resolve("host_" + name.charAt(9)));
        Files.copy(file, directory.resolve(name));
      }
    }
  }
}
