package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;

class GzipSourceTest {
  private static final byte[] TEXT = "some numbers".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MORE = Gz.random(200_000, 7);

  @Tag("late")
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aHundredThousandEmptyMembersAreNothing(int threads) throws IOException {
    byte[] empty = threads == 1 ? Gz.member(new byte[0]) : Gz.block(new byte[0], 0);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) {
      file.writeBytes(empty);
    }
    file.writeBytes(Gz.member(TEXT));
    assertThat(Gz.read(file.toByteArray(), threads)).isEqualTo(TEXT);
  }

  @Tag("late")
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void oneByteAtATimeIsEnough(int threads) throws IOException {
    byte[] file = Gz.join(Gz.member(TEXT), Gz.block(MORE, 0), Gz.block(TEXT, 0));
    assertThat(Gz.read(Gz.input(file), threads, 1)).isEqualTo(Gz.join(TEXT, MORE, TEXT));
  }

  @Test
  void everyOptionalFieldMayBeThereInAnyLength() throws IOException {
    byte[] extra = Gz.random(0xffff, 1);
    byte[] text = new byte[300_000];
    Arrays.fill(text, (byte) 0xe4);
    text[text.length - 1] = 0;
    byte[] fixed = {31, -117, 8, 1 | 2 | 4 | 8 | 16, 1, 2, 3, 4, 2, 3, -1, -1};
    byte[] fields = Gz.join(fixed, extra, text, text);
    byte[] file = Gz.member(Gz.join(fields, crc16(fields)), TEXT);
    assertThat(Gz.read(file, 2)).isEqualTo(TEXT);
    file[fields.length]++;
    assertRefused(GzipError.BAD_GZIP, file);
  }

  private static byte[] crc16(byte[] header) {
    CRC32 crc = new CRC32();
    crc.update(header);
    return new byte[] {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
  }

  @Test
  void everyPrefixIsTruncatedUnlessAMemberEndsThere() throws IOException {
    byte[] header = {31, -117, 8, 4 | 8, 0, 0, 0, 0, 0, -1, 2, 0, 'x', 'y', 'n', 0};
    byte[] first = Gz.member(header, TEXT);
    byte[] file = Gz.join(first, Gz.block(TEXT, 0), Gz.block(TEXT, 0));
    int block = Gz.block(TEXT, 0).length;
    for (int length = 0; length < file.length; length++) {
      byte[] prefix = Arrays.copyOf(file, length);
      int over = length - first.length;
      if (over >= 0 && over % block == 0) {
        assertThat(Gz.read(prefix, 2)).hasSize(TEXT.length * (1 + over / block));
      } else {
        assertFailsWithAnyText(GzipError.TRUNCATED, Gz.PATH, () -> Gz.read(prefix, 1));
        assertFailsWithAnyText(GzipError.TRUNCATED, Gz.PATH, () -> Gz.read(prefix, 2));
      }
    }
  }

  @Test
  void noBitAfterTheFirstByteCanBeChangedUnnoticed() throws IOException {
    byte[] file = Gz.join(Gz.member(TEXT), Gz.block(TEXT, 0));
    byte[] data = Gz.read(file, 1);
    for (int bit = 8; bit < file.length * 8; bit++) {
      byte[] other = file.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      String one = outcome(other, 1);
      assertThat(outcome(other, 3)).as("bit %d", bit).isEqualTo(one);
      assertThat(one)
          .satisfiesAnyOf(
              o -> assertThat(o).isEqualTo(Arrays.toString(data)),
              o ->
                  assertThat(o)
                      .matches(Gz.PATH + ": (TRUNCATED|BAD_GZIP|TRAILING_DATA): .*byte \\d+.*"));
    }
  }

  private static String outcome(byte[] file, int threads) throws IOException {
    try {
      return Arrays.toString(Gz.read(file, threads));
    } catch (FormatException e) {
      return e.getMessage();
    }
  }

  @Test
  void errorsReportWhatIsWrongAndWhere() {
    byte[] good = Gz.member(TEXT);
    int end = good.length;
    assertRefused(GzipError.TRUNCATED, new byte[0]);
    assertRefused(GzipError.BAD_GZIP, changed(good, 1, 0x74));
    assertRefused(GzipError.BAD_GZIP, changed(good, 2, 9));
    assertRefused(GzipError.BAD_GZIP, changed(good, 3, 0x20));
    // where the inflater stops is its own affair
    assertFailsWithAnyText(GzipError.BAD_GZIP, Gz.PATH, () -> Gz.read(changed(good, 10, 7), 1));
    assertFailsWithAnyText(GzipError.BAD_GZIP, Gz.PATH, () -> Gz.read(changed(good, 10, 7), 2));
    assertRefused(GzipError.BAD_GZIP, changed(good, end - 8, 1));
    assertRefused(GzipError.BAD_GZIP, changed(good, end - 1, 1));
    assertRefused(GzipError.TRAILING_DATA, Gz.join(good, new byte[] {0, 0, 5}));
    assertRefused(GzipError.TRUNCATED, Arrays.copyOf(good, end - 1));
  }

  private static byte[] changed(byte[] file, int at, int value) {
    byte[] other = file.clone();
    other[at] = (byte) value;
    return other;
  }

  private static void assertRefused(GzipError kind, byte[] file) {
    assertFails(kind, Gz.PATH, () -> Gz.read(file, 1));
    assertFails(kind, Gz.PATH, () -> Gz.read(file, 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void afterAnErrorTheEndIsNeverReached(int threads) throws IOException {
    byte[] good = Gz.block(TEXT, 0);
    byte[] wrong = changed(good, good.length - 6, 99);
    for (byte[] file :
        new byte[][] {
          Gz.join(good, wrong), Gz.join(good, changed(good, 2, 9)), Gz.join(good, TEXT)
        }) {
      try (ByteSource source = PlainOrGzip.open(Gz.input(file), threads)) {
        ByteBuffer dst = ByteBuffer.allocate(100);
        assertThat(source.read(dst)).isEqualTo(TEXT.length);
        for (int i = 0; i < 20; i++) {
          assertThatThrownBy(
                  () -> {
                    while (source.read(dst.clear()) >= 0) {
                      // the data come before their checksum
                    }
                  })
              .isInstanceOf(FormatException.class);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 1000, -40})
  void aBlockWithAnotherSizeThanItReportsIsReadAllTheSame(int error) throws IOException {
    byte[] good = Gz.block(TEXT, 0);
    byte[] file = Gz.join(good, Gz.block(TEXT, error), good, good, Gz.block(MORE, 0));
    assertThat(Gz.read(file, 4)).isEqualTo(Gz.join(TEXT, TEXT, TEXT, TEXT, MORE));
  }

  @Test
  void aBlockThatReportsItHasWhatFollowsItDoesNotGetIt() {
    byte[] good = Gz.block(TEXT, 0);
    byte[] trailer = Arrays.copyOfRange(good, good.length - 8, good.length);
    byte[] file = Gz.join(good, Gz.block(TEXT, 8), trailer, good);
    assertRefused(GzipError.TRAILING_DATA, file);
  }

  @Test
  void progressIsCountedInBytesOfTheFile() throws IOException {
    byte[] block = Gz.block(TEXT, 0);
    byte[] file = Gz.join(block, block, block);
    for (int threads = 1; threads <= 2; threads++) {
      try (ByteSource source = PlainOrGzip.open(Gz.input(file), threads)) {
        ByteBuffer dst = ByteBuffer.allocate(TEXT.length);
        assertThat(source.read(dst)).isEqualTo(TEXT.length);
        assertThat(source.fileBytesRead()).isBetween(block.length - 8L, (long) block.length);
        while (source.read(dst.clear()) >= 0) {
          assertThat(source.fileBytesRead()).isLessThanOrEqualTo(file.length);
        }
        assertThat(source.fileBytesRead()).isEqualTo(file.length);
      }
    }
  }

  @Test
  void manyFilesAreReadAtOnceByTheSameThreads() throws Exception {
    byte[] file = Gz.written(MORE, new BgzfOutput.Options(null, false, 2));
    ExecutorService readers = Executors.newFixedThreadPool(8);
    try {
      Callable<byte[]> reader = () -> Gz.read(file, 4);
      for (Future<byte[]> read : readers.invokeAll(Collections.nCopies(8, reader))) {
        assertThat(read.get()).isEqualTo(MORE);
      }
    } finally {
      readers.shutdown();
    }
  }
}
