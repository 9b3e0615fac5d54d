package org.saevhadoop.jobs.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.mapreduce.io.ByteMeter;

class HashedFolderTest {
  private static final int WINDOW = 1 << 20;
  private static final int LENGTH = 3_500_001;

  @TempDir Path directory;
  private final byte[] bytes = new byte[LENGTH];
  private final AtomicLong read = new AtomicLong();
  private HashedFolder folder;

  @BeforeEach
  void aFile() throws IOException {
    new Random(7).nextBytes(bytes);
    Files.write(directory.resolve("file"), bytes);
    Files.write(directory.resolve("other"), new byte[5]);
    folder = new HashedFolder(new LocalFolder(directory), new ByteMeter(read::addAndGet));
  }

  private void assertSum(HashedFolder.Reader reader) throws Exception {
    assertThat(folder.sha256("file", reader)).isEqualTo(Sha256.of(ByteBuffer.wrap(bytes)));
  }

  private void read(long position, int length) throws IOException {
    try (Input file = folder.open("file")) {
      ByteBuffer buffer = ByteBuffer.allocate(length + 2).position(1).limit(length + 1);
      file.readFully(position, buffer);
      assertThat(buffer.hasRemaining()).isFalse();
      assertThat(buffer.slice(1, length)).isEqualTo(ByteBuffer.wrap(bytes, (int) position, length));
    }
  }

  @Test
  void aFileThatNobodyReadsIsReadOnce() throws Exception {
    assertSum(() -> {});
    assertThat(read).hasValue(LENGTH);
  }

  @Test
  void bytesThatAreReadInOrderAreReadOnceWithTheGapsBetweenThem() throws Exception {
    assertSum(
        () -> {
          read(10, 1000);
          read(0, 1500);
          read(1500, 2_000_000);
          read(3_400_000, 7);
        });
    assertThat(read).hasValue(LENGTH);
  }

  @Test
  void bytesBeforeTheWindowAreReadAgainAndHashedOnce() throws Exception {
    assertSum(
        () -> {
          read(WINDOW, 1000);
          read(0, 600);
          read(WINDOW - 200, 300);
        });
    assertThat(read).hasValue(LENGTH + 600 + 300);
  }

  @Test
  void oneFileFollowsAnother() throws Exception {
    assertSum(() -> read(0, LENGTH));
    assertThat(folder.sha256("other", () -> {})).isEqualTo(Sha256.of(ByteBuffer.allocate(5)));
    assertSum(() -> read(0, 1));
  }

  @Test
  void otherFilesAreReadButNotHashed() throws Exception {
    assertSum(
        () -> {
          try (Input other = folder.open("other")) {
            other.readFully(1, ByteBuffer.allocate(3));
          }
        });
    assertThat(read).hasValue(LENGTH);
  }

  @Test
  void aReadBeyondTheEndFails() {
    assertThatThrownBy(() -> folder.sha256("file", () -> read(LENGTH - 1, 2)))
        .isInstanceOf(FormatException.class);
  }
}
