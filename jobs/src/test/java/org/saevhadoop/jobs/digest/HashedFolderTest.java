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
  private static final int LENGTH = 3_000_001;

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
    folder.begin("file");
  }

  private void assertSum() throws IOException {
    assertThat(folder.finish("file")).isEqualTo(Sha256.of(ByteBuffer.wrap(bytes)));
  }

  private void read(long position, int length) throws IOException {
    try (Input file = folder.open("file")) {
      ByteBuffer buffer = ByteBuffer.allocate(length + 2).position(1).limit(length + 1);
      file.readFully(position, buffer);
      assertThat(buffer.slice(1, length)).isEqualTo(ByteBuffer.wrap(bytes, (int) position, length));
    }
  }

  @Test
  void aFileThatNobodyReadsIsReadOnce() throws IOException {
    assertSum();
    assertThat(read).hasValue(LENGTH);
  }

  @Test
  void bytesThatAreReadInOrderAreReadOnceWithTheGapsBetweenThem() throws IOException {
    read(0, 10);
    read(10, 1000);
    read(1500, 300);
    read(2_000_000, 7);
    assertSum();
    assertThat(read).hasValue(LENGTH);
  }

  @Test
  void bytesThatAreReadAgainAreHashedOnce() throws IOException {
    read(100, 1000);
    read(0, 600);
    read(1000, 200);
    read(1100, 100);
    assertSum();
    assertThat(read).hasValue(LENGTH + 600 + 100 + 100);
  }

  @Test
  void oneFileFollowsAnother() throws IOException {
    read(0, LENGTH);
    assertSum();
    folder.begin("other");
    assertThat(folder.finish("other")).isEqualTo(Sha256.of(ByteBuffer.allocate(5)));
    folder.begin("file");
    assertSum();
  }

  @Test
  void otherFilesAreReadButNotHashed() throws IOException {
    try (Input other = folder.open("other")) {
      other.readFully(1, ByteBuffer.allocate(3));
    }
    assertThat(read).hasValue(0);
    assertSum();
  }

  @Test
  void aReadBeyondTheEndFails() throws IOException {
    try (Input file = folder.open("file")) {
      assertThatThrownBy(() -> file.readFully(LENGTH - 1, ByteBuffer.allocate(2)))
          .isInstanceOf(FormatException.class);
    }
  }
}
