package org.saevhadoop.converters.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.saevhadoop.format.Corpus;

/** The datasets that the project brings along, and copies of them that a test may damage. */
public final class Fixtures {
  /** 5 examples of 2 layers, 50 tokens, 768 dims in 3 shards; protocol 1.0.0. */
  public static final String D768 =
      "2826ce7a72edb52860eb5cac3fb9b7c38b784e9822ab9f99eca8368279eaca30";

  /** 7 examples of 3 layers, 10 tokens, 16 dims in 4 shards; protocol 1.0.0. */
  public static final String SMALL =
      "213c9c09f2cf9c50c90a67b906932e80a999f9d0f779ea26f8362adc8b1f160b";

  /** 4 examples with NaN payloads, infinities and denormals; legacy, an empty shard at the end. */
  public static final String LEGACY =
      "0e19f68c05c96a78746482a3ca33cf72dcbaefa907128a1b0da3b105fa750de9";

  private Fixtures() {}

  /** Returns the dataset {@link #SMALL}. */
  public static Path small() {
    return saev(SMALL);
  }

  public static Path saev(String hash) {
    return Corpus.checkout().resolve("fixtures").resolve("saev").resolve(hash);
  }

  public static Path pickle(String name) {
    return Corpus.checkout().resolve("fixtures").resolve("pickle").resolve(name);
  }

  /** Returns a folder, or a file, of activations that another program caches. */
  public static Path arrays(String name) {
    return Corpus.checkout().resolve("fixtures").resolve("arrays").resolve(name);
  }

  public static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  /** Changes a bit of a file. */
  public static void flip(Path file, int offset) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[offset] ^= 1;
    Files.write(file, bytes);
  }

  /** Changes a bit of the first of these bytes in a file. */
  public static void flip(Path file, byte[] part) throws IOException {
    flip(file, indexOf(part, Files.readAllBytes(file)));
  }

  /** Returns the index of the first of these bytes in others, which contain them. */
  public static int indexOf(byte[] part, byte[] bytes) {
    int at = 0;
    while (!Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
      at++;
    }
    return at;
  }

  public static Path copy(String hash, Path folder) throws IOException {
    Path copy = Files.createDirectories(folder.resolve(hash));
    try (Stream<Path> files = Files.list(saev(hash))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  /** A copy with labels: a byte for each patch, of all values. */
  public static Path labelled(String hash, Path folder) throws IOException {
    Path copy = copy(hash, folder);
    JsonNode metadata = json(copy.resolve("metadata.json"));
    byte[] labels =
        new byte[metadata.get("n_imgs").asInt() * metadata.get("n_patches_per_img").asInt()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (byte) (i * 89 + i / 256 + 5);
    }
    Files.write(copy.resolve("labels.bin"), labels);
    return copy;
  }

  /**
   * Asserts what a round trip must keep: the acts files, but for an empty last one, and metadata.
   */
  public static void assertSameDataset(Path found, Path expected) throws IOException {
    try (Stream<Path> files = Files.list(expected)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        Path twin = found.resolve(name);
        boolean emptyTail = name.startsWith("acts") && !Files.exists(twin);
        if (!emptyTail && !name.equals("shards.json")) {
          assertThat(twin).hasSameBinaryContentAs(file);
        } else if (emptyTail) {
          assertThat(Files.readAllBytes(file)).containsOnly(0);
        }
      }
    }
    assertThat(found.getFileName()).isEqualTo(expected.getFileName());
  }
}
