package org.saevhadoop.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.saevhadoop.testing.Allocation;

/** Texts that wait on the local disk. */
@Isolated
class SpooledTextsTest {
  private static final int LONG = 1 << 19;

  @TempDir Path folder;

  @Test
  void textsComeBackInTheirOrder() throws IOException {
    Random random = new Random(1);
    List<@Nullable String> all = new ArrayList<>();
    while (all.size() < 5000) {
      int length = random.nextInt(random.nextInt(50) == 0 ? 100_000 : 200);
      String text = random.nextInt(5) == 0 ? null : "\u00e9\u4e16x".repeat(length / 3);
      for (int i = random.nextInt(4); i >= 0; i--) {
        all.add(text);
      }
    }
    try (SpooledTexts texts = new SpooledTexts(folder)) {
      for (String text : all) {
        texts.add(text);
      }
      texts.end();
      for (String text : all) {
        assertThat(texts.next()).isEqualTo(text);
      }
    }
  }

  @Test
  void noTextsAreNone() throws IOException {
    try (SpooledTexts texts = new SpooledTexts(folder)) {
      texts.end();
    }
  }

  @Test
  void equalTextsAreStoredOnce() throws IOException {
    String text = "x".repeat(LONG);
    long length =
        Allocation.atMost(
            8L * LONG,
            () -> {
              long read = 0;
              try (SpooledTexts texts = new SpooledTexts(folder)) {
                for (int i = 0; i < 1000; i++) {
                  texts.add(text);
                }
                texts.end();
                for (int i = 0; i < 1000; i++) {
                  String next = texts.next();
                  read += next == null ? 0 : next.length();
                }
              }
              return read;
            });
    assertThat(length).isEqualTo(1000L * LONG);
  }
}
