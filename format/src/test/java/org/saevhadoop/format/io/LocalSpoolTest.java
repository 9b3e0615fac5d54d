package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSpoolTest {
  @TempDir Path folder;
  @TempDir Path target;

  private static ByteBuffer bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length);
    for (int value : values) {
      bytes.put((byte) value);
    }
    return bytes.flip();
  }

  private byte[] copy(LocalSpool spool) throws IOException {
    Path file = target.resolve("copy");
    Files.deleteIfExists(file);
    try (Output out = LocalFile.create(file)) {
      spool.copyTo(out);
    }
    return Files.readAllBytes(file);
  }

  private static byte[] read(LocalSpool spool, long position, int count) throws IOException {
    byte[] bytes = new byte[count];
    spool.read(position, ByteBuffer.wrap(bytes));
    return bytes;
  }

  @Test
  void bytesInAnyOrderAreReadAndCopiedFromTheirOffsets() throws IOException {
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      spool.write(4, bytes(5, 6));
      spool.append(bytes(7));
      spool.write(1, bytes(2));
      spool.write(9, bytes()); // as a block of no bytes is written
      assertThat(spool.length()).isEqualTo(7);
      assertThat(read(spool, 1, 4)).containsExactly(2, 0, 0, 5);
      assertThat(copy(spool)).containsExactly(0, 2, 0, 0, 5, 6, 7);
    }
  }

  @Test
  void muchDataInSmallAndLargePiecesKeepsItsOrder() throws IOException {
    Random random = new Random(1);
    byte[] data = new byte[3_000_017];
    random.nextBytes(data);
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      for (int done = 0; done < data.length; ) {
        int n = Math.min(data.length - done, random.nextInt(200_000));
        spool.append(ByteBuffer.wrap(data, done, n));
        done += n;
      }
      assertThat(spool.length()).isEqualTo(data.length);
      assertThat(copy(spool)).isEqualTo(data);
      assertThat(read(spool, 1_000_000, 5))
          .isEqualTo(Arrays.copyOfRange(data, 1_000_000, 1_000_005));
    }
  }

  @Test
  void anOutputWritesAmongTheBytesAndLeavesTheSpoolOpen() throws IOException {
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      spool.append(bytes(1, 2, 3, 4, 5));
      try (Output out = spool.output("final", 100, 102)) {
        out.write(bytes(30));
        out.write(bytes(40));
        assertThat(out.position()).isEqualTo(104);
        assertThat(out.path()).isEqualTo("final");
      }
      assertThat(copy(spool)).containsExactly(1, 2, 30, 40, 5);
    }
  }

  @Test
  void aClearedSpoolIsEmpty() throws IOException {
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      spool.append(bytes(1, 2, 3));
      spool.clear();
      assertThat(spool.length()).isZero();
      assertThat(copy(spool)).isEmpty();
      spool.append(bytes(4));
      assertThat(copy(spool)).containsExactly(4);
    }
  }

  @Test
  void readingPastTheEndNamesTheByte() throws IOException {
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      spool.append(bytes(1, 2, 3));
      assertThatThrownBy(() -> read(spool, 1, 3))
          .isInstanceOf(EOFException.class)
          .hasMessageEndingWith(".spool: ends at byte 3 (expected 4 bytes or more)");
    }
  }

  @Test
  void theFileIsDeletedWithTheSpoolEvenIfNothingWasCopied() throws IOException {
    try (LocalSpool spool = LocalSpool.temporary(folder)) {
      spool.append(bytes(1));
    }
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> LocalSpool.temporary(folder.resolve("none")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aNamedFileRemainsOnlyIfItIsKept() throws IOException {
    Path file = Files.write(folder.resolve("blocks"), new byte[10]);
    try (LocalSpool spool = LocalSpool.named(file, null)) {
      assertThat(spool.length()).isZero();
      spool.append(bytes(1, 2));
      spool.keep();
    }
    assertThat(file).hasBinaryContent(new byte[] {1, 2});
    try (LocalSpool spool = LocalSpool.named(file, null)) {
      spool.append(bytes(3));
    }
    assertThat(folder).isEmptyDirectory();
  }
}
