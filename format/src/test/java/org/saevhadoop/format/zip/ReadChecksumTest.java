package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.MemoryInput;

/** The CRC-32 of ranges that were read in any order. */
class ReadChecksumTest {
  private static final String PATH = "x.zip";
  private static final int OFFSET = 100;
  private static final int BYTES = 300_000;

  private final byte[] file = new byte[OFFSET + BYTES + 7];
  private final ReadChecksum read = new ReadChecksum();

  private ArchiveEntry entry() {
    CRC32 crc = new CRC32();
    crc.update(file, OFFSET, BYTES);
    return new ArchiveEntry("model", true, OFFSET, BYTES, BYTES, crc.getValue());
  }

  private void add(int from, int to) {
    read.add(OFFSET + from, ByteBuffer.wrap(file, OFFSET + from, to - from));
  }

  private void check(ArchiveEntry entry) throws IOException {
    read.check(new MemoryInput(PATH, file), entry);
  }

  @Test
  void anyRangesInAnyOrderHaveTheChecksumOfTheEntry() {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      random.nextBytes(file);
      ReadChecksum ranges = new ReadChecksum();
      for (int i = random.nextInt(40); i > 0; i--) {
        int from = random.nextInt(BYTES);
        int length = random.nextInt(BYTES - from) / (1 + random.nextInt(50));
        ranges.add(OFFSET + from, ByteBuffer.wrap(file, OFFSET + from, length));
      }
      assertThatCode(() -> ranges.check(new MemoryInput(PATH, file), entry()))
          .as("seed " + seed)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void bytesThatWereReadAreNotReadAgain() throws IOException {
    new Random(1).nextBytes(file);
    ArchiveEntry entry = entry();
    add(1000, 2000);
    add(2000, 200_000);
    add(500, 3000);
    assertThat(read.bytes()).isEqualTo(199_500);
    assertThat(read.covers(OFFSET + 500, OFFSET + 200_000)).isTrue();
    assertThat(read.covers(OFFSET + 499, OFFSET + 501)).isFalse();
    assertThat(read.covers(OFFSET + 199_999, OFFSET + 200_001)).isFalse();
    file[OFFSET + 1500] ^= 1; // as the disk has it now, not as it was read
    check(entry);
    file[OFFSET + 499] ^= 1;
    assertFails(ZipError.CRC_MISMATCH, PATH, () -> check(entry));
  }

  @Test
  void aChangedByteIsFoundInAnyRange() {
    new Random(2).nextBytes(file);
    ArchiveEntry entry = entry();
    file[OFFSET + 70_000] ^= 1;
    add(65_536, BYTES);
    add(0, 10);
    assertFails(ZipError.CRC_MISMATCH, PATH, () -> check(entry));
  }

  @Test
  void scatteredReadsAreGivenUp() {
    for (int i = 0; i < 3000; i++) {
      add(2 * i, 2 * i + 1);
    }
    assertThat(read.bytes()).isZero();
    assertThat(read.covers(OFFSET, OFFSET + 1)).isFalse();
  }
}
