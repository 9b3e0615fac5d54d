package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.gzip.Gz.join;
import static org.saevhadoop.format.zip.HandMadeZip.ints;
import static org.saevhadoop.format.zip.HandMadeZip.zip64;
import static org.saevhadoop.format.zip.ZipError.BAD_DIRECTORY;
import static org.saevhadoop.format.zip.ZipError.BAD_NAME;
import static org.saevhadoop.format.zip.ZipError.DUPLICATE_NAME;
import static org.saevhadoop.format.zip.ZipError.ENCRYPTED;
import static org.saevhadoop.format.zip.ZipError.HEADER_MISMATCH;
import static org.saevhadoop.format.zip.ZipError.IMPOSSIBLE_SIZE;
import static org.saevhadoop.format.zip.ZipError.MULTI_DISK;
import static org.saevhadoop.format.zip.ZipError.NOT_A_ZIP;
import static org.saevhadoop.format.zip.ZipError.OUT_OF_FILE;
import static org.saevhadoop.format.zip.ZipError.OVERLAP;
import static org.saevhadoop.format.zip.ZipError.TOO_LARGE;
import static org.saevhadoop.format.zip.ZipError.TRUNCATED;
import static org.saevhadoop.format.zip.ZipError.UNLISTED_ENTRY;
import static org.saevhadoop.format.zip.ZipError.UNSUPPORTED_METHOD;
import static org.saevhadoop.format.zip.ZipReading.assertRefused;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that show different readers different things, or that ask for memory. */
class ZipHostileTest {
  private static final byte[] DATA = "SDNB, or so it says".getBytes(StandardCharsets.US_ASCII);
  private static final int DESCRIPTOR = 1 << 3;
  private static final int DESCRIPTOR_SIGNATURE = 0x08074b50;

  private static void refused(ZipError kind, HandMadeZip zip) {
    assertRefused(kind, zip.bytes());
  }

  private static HandMadeZip one() {
    return new HandMadeZip().stored("model", DATA);
  }

  private static HandMadeZip two() {
    return new HandMadeZip()
        .stored("model.shard0-of-2.sdnb", DATA)
        .deflated("model.shard1-of-2.sdnb", DATA);
  }

  private static HandMadeZip wide() {
    return two().with(zip -> zip.wide = true);
  }

  private static HandMadeZip named(String name) {
    return new HandMadeZip().stored(name, DATA);
  }

  @Test
  void theArchiveBeforeAnyChangeIsRead() throws IOException {
    assertThat(ZipReading.readAll(two().input()))
        .containsOnlyKeys("model.shard0-of-2.sdnb", "model.shard1-of-2.sdnb")
        .allSatisfy((name, data) -> assertThat(data).isEqualTo(DATA));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100_000})
  void aFileOfAnotherFormatIsRefused(int length) {
    assertRefused(NOT_A_ZIP, new byte[length]);
  }

  @Test
  void aFileThatIsCutAnywhereIsRefused() {
    byte[] file = two().with(zip -> zip.comment = DATA).bytes();
    for (int length = 0; length < file.length; length++) {
      ZipReading.assertIncomplete(Arrays.copyOf(file, length));
    }
  }

  @Test
  void anEndRecordThatContradictsTheFileIsRefused() {
    byte[] record = Arrays.copyOfRange(new HandMadeZip().bytes(), 0, 22);
    refused(TRUNCATED, two().with(zip -> zip.commentLength = 1));
    refused(BAD_DIRECTORY, two().with(zip -> zip.comment = join(record, DATA)));
    // readers that start at the beginning would see the outer archive, others the inner one
    refused(UNLISTED_ENTRY, two().with(zip -> zip.comment = one().bytes()));
    refused(BAD_DIRECTORY, new HandMadeZip().with(zip -> zip.after = DATA));
    refused(BAD_DIRECTORY, wide().with(zip -> zip.after = DATA));
  }

  @Test
  void anotherNumberOfEntriesIsRefused() {
    for (long entries : new long[] {0, 1, 3, 0xffff}) {
      refused(BAD_DIRECTORY, two().with(zip -> zip.entries = entries));
    }
    for (long entries : new long[] {65_536, Long.MIN_VALUE}) {
      refused(TOO_LARGE, wide().with(zip -> zip.wideEntries = entries));
    }
  }

  @Test
  void aDirectoryElsewhereIsRefused() {
    for (long offset : new long[] {1000, 0xffffffffL}) {
      refused(BAD_DIRECTORY, two().with(zip -> zip.directoryOffset = offset));
    }
    // the archive would begin within the file
    refused(OUT_OF_FILE, two().with(zip -> zip.directoryOffset = 1L));
  }

  @Test
  void oneOfSeveralDisksIsRefused() {
    refused(MULTI_DISK, two().with(zip -> zip.disk = 1));
    refused(MULTI_DISK, two().with(zip -> zip.directoryDisk = 1));
    refused(MULTI_DISK, two().with(zip -> zip.diskEntries = 1));
    refused(MULTI_DISK, one().part(p -> p.disk = 1));
    for (int disks : new int[] {2, -1}) {
      refused(MULTI_DISK, wide().with(zip -> zip.locatorDisks = disks));
    }
    refused(MULTI_DISK, wide().with(zip -> zip.locatorDisk = 1));
  }

  @Test
  void aZip64RecordElsewhereIsRefused() {
    for (long offset : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1000, 0}) {
      refused(BAD_DIRECTORY, wide().with(zip -> zip.locatorOffset = offset));
    }
    for (long offset : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      refused(BAD_DIRECTORY, wide().with(zip -> zip.wideDirectoryOffset = offset));
    }
    refused(BAD_DIRECTORY, wide().with(zip -> zip.narrowContradicts = true));
  }

  @ParameterizedTest
  @CsvSource({
    "0, BAD_DIRECTORY",
    "46, BAD_DIRECTORY",
    "67108864, BAD_DIRECTORY",
    "67108865, TOO_LARGE",
    "4294967295, TOO_LARGE"
  })
  void anotherLengthOfTheDirectoryIsRefused(long length, ZipError kind) {
    assertRefused(kind, two().with(zip -> zip.directoryLength = length).bytes());
  }

  @Test
  void aHeaderWithoutItsSignatureIsRefused() {
    byte[] file = two().bytes();
    file[file.length - 22 - 68] = 'p';
    assertRefused(BAD_DIRECTORY, file);
  }

  @ParameterizedTest
  @ValueSource(ints = {28, 30, 32})
  void aHeaderThatIsLongerThanTheDirectoryIsRefused(int lengthField) {
    byte[] file = one().part(p -> p.name = new byte[] {'m'}).bytes();
    file[file.length - 22 - 47 + lengthField + 1] = 2;
    assertRefused(BAD_DIRECTORY, file);
  }

  @Test
  void anExtraFieldThatIsCutOrContradictoryIsRefused() {
    refused(
        BAD_DIRECTORY,
        one()
            .part(p -> p.size = 0xffffffffL)
            .part(p -> p.compressedSize = 0xffffffffL)
            .part(p -> p.extra = zip64(DATA.length)));
    refused(BAD_DIRECTORY, one().part(p -> p.size = 0xffffffffL).part(p -> p.extra = zip64(-1)));
    refused(
        OUT_OF_FILE,
        one().part(p -> p.offset = 0xffffffffL).part(p -> p.extra = zip64(Long.MAX_VALUE)));
    refused(
        MULTI_DISK,
        one()
            .part(p -> p.disk = 0xffff)
            .part(p -> p.extra = join(new byte[] {1, 0, 4, 0}, ints(1))));
    refused(BAD_DIRECTORY, one().part(p -> p.extra = join(zip64(DATA.length), zip64(7))));
    refused(BAD_DIRECTORY, one().part(p -> p.extra = new byte[] {9, 9, 5, 0, 1, 2, 3, 4}));
  }

  @Test
  void aNameThatIsNotThatOfOneFileInTheRootIsRefused() {
    for (String name :
        List.of(
            "",
            ".",
            "..",
            "/",
            "../model",
            "/etc/passwd",
            "folder/",
            "folder/model",
            "..\\model",
            "C:\\model",
            "model\0.sdnb")) {
      refused(BAD_NAME, named(name));
    }
    refused(BAD_NAME, one().part(p -> p.name = new byte[] {'m', (byte) 0x81}));
    refused(TOO_LARGE, named("m".repeat(256)));
    refused(DUPLICATE_NAME, one().stored("model", DATA));
  }

  @Test
  void anEncryptedEntryIsRefused() {
    for (int flag : new int[] {1, 1 << 6, 1 << 13}) {
      refused(ENCRYPTED, one().part(p -> p.flags = flag));
      refused(ENCRYPTED, one().part(p -> p.localFlags = flag));
    }
  }

  @Test
  void anotherMethodIsRefused() {
    for (int method : new int[] {1, 9, 12, 14, 93, 99, 0xffff}) {
      refused(UNSUPPORTED_METHOD, one().part(p -> p.method = method));
    }
  }

  @Test
  void impossibleSizesAreRefused() {
    refused(IMPOSSIBLE_SIZE, one().part(p -> p.size++));
    refused(
        IMPOSSIBLE_SIZE,
        new HandMadeZip()
            .deflated("model", DATA)
            .part(p -> p.size = (p.compressedSize + 1) * 1032));
    refused(OUT_OF_FILE, one().part(p -> p.offset = 1000L));
  }

  @Test
  void entriesThatShareBytesAreRefused() {
    refused(OUT_OF_FILE, one().part(p -> p.size++).part(p -> p.compressedSize++));
    refused(OUT_OF_FILE, one().part(p -> p.offset = 20L).part(p -> p.localSignature = 0));
    refused(
        OVERLAP,
        two().stored("model", DATA).part(p -> p.isWritten = false).part(p -> p.offset = 0L));
    // the bomb of David Fifield quotes the headers of other entries: its kernel counts many times
    byte[] inner = join(new byte[5], Arrays.copyOf(one().bytes(), 35 + DATA.length));
    refused(
        OVERLAP,
        new HandMadeZip()
            .stored("outer.sdnb", inner)
            .stored("model", DATA)
            .part(p -> p.isWritten = false)
            .part(p -> p.offset = 30L + 10 + 5));
  }

  @Test
  void aLocalHeaderThatContradictsTheDirectoryIsRefused() {
    refused(HEADER_MISMATCH, one().part(p -> p.localSignature = 0x04034b51));
    for (String name : List.of("nodel", "mode", "model2", "")) {
      byte[] other = name.getBytes(StandardCharsets.US_ASCII);
      refused(HEADER_MISMATCH, one().part(p -> p.localName = other));
    }
    refused(HEADER_MISMATCH, one().part(p -> p.localMethod = 8));
    for (int flags : new int[] {0, DESCRIPTOR}) {
      refused(HEADER_MISMATCH, one().part(p -> p.flags = flags).part(p -> p.localCrc = 1));
      refused(HEADER_MISMATCH, one().part(p -> p.flags = flags).part(p -> p.localSize = 1L));
      refused(
          HEADER_MISMATCH, one().part(p -> p.flags = flags).part(p -> p.localCompressedSize = 1L));
    }
    refused(
        HEADER_MISMATCH,
        one()
            .part(p -> p.localSize = 0L)
            .part(p -> p.localCompressedSize = 0L)
            .part(p -> p.localCrc = 0));
    refused(
        HEADER_MISMATCH,
        one()
            .part(p -> p.localSize = 0xffffffffL)
            .part(p -> p.localCompressedSize = 0xffffffffL)
            .part(p -> p.localExtra = zip64(DATA.length, DATA.length + 1)));
  }

  @Test
  void aDataDescriptorThatContradictsTheDirectoryIsRefused() {
    for (int wrong = 0; wrong < 3; wrong++) {
      int[] values = {HandMadeZip.crc(DATA), DATA.length, DATA.length};
      values[wrong]++;
      byte[] descriptor = join(ints(DESCRIPTOR_SIGNATURE), ints(values));
      refused(
          HEADER_MISMATCH,
          one().part(p -> p.flags = DESCRIPTOR).part(p -> p.descriptor = descriptor));
    }
    refused(HEADER_MISMATCH, one().part(p -> p.flags = DESCRIPTOR));
  }

  @Test
  void anEntryThatIsNotListedIsRefusedWhereverItIs() {
    for (int hidden = 0; hidden < 3; hidden++) {
      HandMadeZip zip = two().stored("model", DATA);
      zip.parts.get(hidden).isListed = false;
      refused(UNLISTED_ENTRY, zip);
    }
    refused(UNLISTED_ENTRY, two().with(zip -> zip.before = one().bytes()));
  }
}
