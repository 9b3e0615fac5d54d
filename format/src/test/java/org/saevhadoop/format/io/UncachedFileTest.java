package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.testing.RandomValues;

class UncachedFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 4096, 1 << 20, (1 << 20) + 1, 3_000_000})
  void anyRangeIsReadAsItWasWritten(int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Path file = Files.write(folder.resolve("x"), bytes);
    RandomValues random = new RandomValues(length);
    try (Input in = UncachedFile.open(file)) {
      assertThat(in.length()).isEqualTo(length);
      assertThat(in.path()).isEqualTo(file.toString());
      for (int i = 0; i < 50; i++) {
        int from = random.intBetween(0, length);
        int to = i == 0 ? length : random.intBetween(from, length);
        ByteBuffer found = ByteBuffer.allocate(to - from);
        in.readFully(from, found);
        assertThat(found.array()).isEqualTo(Arrays.copyOfRange(bytes, from, to));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 4096})
  void aReadPastTheEndIsAnError(int length) throws IOException {
    Path file = Files.write(folder.resolve("x"), new byte[length]);
    try (Input in = UncachedFile.open(file)) {
      assertFails(
          FileError.TRUNCATED, file, () -> in.readFully(0, ByteBuffer.allocate(length + 1)));
      assertFails(FileError.TRUNCATED, file, () -> in.readFully(9000, ByteBuffer.allocate(1)));
    }
  }

  @Test
  void onlyRegularFilesAreOpened() {
    Path missing = folder.resolve("missing");
    assertFails(FileError.NOT_FOUND, missing, () -> UncachedFile.open(missing));
    assertFails(FileError.NOT_A_FILE, folder, () -> UncachedFile.open(folder));
  }
}
