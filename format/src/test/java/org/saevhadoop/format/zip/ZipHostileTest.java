package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.zip.HandMadeZip.ints;
import static org.saevhadoop.format.zip.HandMadeZip.join;
import static org.saevhadoop.format.zip.HandMadeZip.zip64;
import static org.saevhadoop.format.zip.ZipReading.assertRefused;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that show different readers different things, or that ask for memory. */
class ZipHostileTest extends HostileZip {
  @Test
  void theArchiveBeforeAnyChangeIsRead() throws IOException {
    assertThat(ZipReading.readAll(two().input()))
        .containsOnlyKeys("model.shard0-of-2.sdnb", "model.shard1-of-2.sdnb")
        .allSatisfy((name, data) -> assertThat(data).isEqualTo(DATA));
  }

  @Test
  void anEmptyFileIsRefused() {
    assertRefused(ZipError.NOT_A_ZIP, new byte[0]);
  }

  @Test
  void aFileOfAnotherFormatIsRefused() {
    assertRefused(ZipError.NOT_A_ZIP, new byte[100_000]);
  }

  @Test
  void aFileThatIsCutAnywhereIsRefused() {
    byte[] file = two().with(zip -> zip.comment = DATA).bytes();
    for (int length = 0; length < file.length; length++) {
      ZipReading.assertIncomplete(Arrays.copyOf(file, length));
    }
  }

  @Test
  void aCommentBeyondTheEndOfTheFileIsRefused() {
    refused(ZipError.TRUNCATED, two().with(zip -> zip.commentLength = 1));
  }

  @Test
  void anEndRecordInTheCommentIsRefused() {
    byte[] record = Arrays.copyOfRange(new HandMadeZip().bytes(), 0, 22);
    refused(ZipError.BAD_DIRECTORY, two().with(zip -> zip.comment = join(record, DATA)));
  }

  /** Readers that start at the beginning would see the outer archive, others the inner one. */
  @Test
  void anArchiveInTheCommentOfAnotherIsRefused() {
    byte[] inner = one(part -> {}).bytes();
    refused(ZipError.UNLISTED_ENTRY, two().with(zip -> zip.comment = inner));
  }

  @Test
  void bytesAfterAnEmptyArchiveAreRefused() {
    refused(ZipError.BAD_DIRECTORY, new HandMadeZip().with(zip -> zip.after = DATA));
  }

  @Test
  void bytesAfterAnArchiveWithZip64AreRefused() {
    refused(
        ZipError.BAD_DIRECTORY,
        two()
            .with(
                zip -> {
                  zip.wide = true;
                  zip.after = DATA;
                }));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3, 0xffff})
  void anotherNumberOfEntriesIsRefused(long entries) {
    refused(ZipError.BAD_DIRECTORY, two().with(zip -> zip.entries = entries));
  }

  @Test
  void moreEntriesThanTheLimitAreRefused() {
    refused(
        ZipError.TOO_LARGE,
        two()
            .with(
                zip -> {
                  zip.wide = true;
                  zip.wideEntries = 65_536L;
                }));
  }

  @Test
  void aNegativeNumberOfEntriesIsRefused() {
    refused(
        ZipError.TOO_LARGE,
        two()
            .with(
                zip -> {
                  zip.wide = true;
                  zip.wideEntries = Long.MIN_VALUE;
                }));
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
    refused(kind, two().with(zip -> zip.directoryLength = length));
  }

  @ParameterizedTest
  @ValueSource(longs = {1000, 0xffffffffL})
  void aDirectoryBehindItsEndRecordIsRefused(long offset) {
    refused(ZipError.BAD_DIRECTORY, two().with(zip -> zip.directoryOffset = offset));
  }

  /** The archive would begin within the file. */
  @Test
  void aDirectoryAtASmallerOffsetIsRefused() {
    refused(ZipError.OUT_OF_FILE, two().with(zip -> zip.directoryOffset = 1L));
  }

  @Test
  void aHeaderWithoutItsSignatureIsRefused() {
    byte[] file = two().bytes();
    file[file.length - 22 - 68] = 'p';
    assertRefused(ZipError.BAD_DIRECTORY, file);
  }

  @ParameterizedTest
  @ValueSource(ints = {28, 30, 32})
  void aHeaderThatIsLongerThanTheDirectoryIsRefused(int lengthField) {
    byte[] file = one(part -> part.name = new byte[] {'m'}).bytes();
    file[file.length - 22 - 47 + lengthField + 1] = 2;
    assertRefused(ZipError.BAD_DIRECTORY, file);
  }

  @Test
  void oneOfSeveralDisksIsRefused() {
    refused(ZipError.MULTI_DISK, two().with(zip -> zip.disk = 1));
    refused(ZipError.MULTI_DISK, two().with(zip -> zip.directoryDisk = 1));
    refused(ZipError.MULTI_DISK, two().with(zip -> zip.diskEntries = 1));
    refused(ZipError.MULTI_DISK, one(part -> part.disk = 1));
  }

  @Test
  void oneOfSeveralDisksWithZip64IsRefused() {
    HandMadeZip zip = two().with(wide -> wide.wide = true);
    refused(ZipError.MULTI_DISK, zip.with(wide -> wide.locatorDisks = 2));
    refused(ZipError.MULTI_DISK, zip.with(wide -> wide.locatorDisks = -1));
    zip.locatorDisks = 1;
    refused(ZipError.MULTI_DISK, zip.with(wide -> wide.locatorDisk = 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1000, 0})
  void aZip64RecordElsewhereIsRefused(long offset) {
    refused(
        ZipError.BAD_DIRECTORY,
        two()
            .with(
                zip -> {
                  zip.wide = true;
                  zip.locatorOffset = offset;
                }));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void aZip64RecordWithAnotherDirectoryIsRefused(long offset) {
    refused(
        ZipError.BAD_DIRECTORY,
        two()
            .with(
                zip -> {
                  zip.wide = true;
                  zip.wideDirectoryOffset = offset;
                }));
  }

  @Test
  void endRecordsThatContradictEachOtherAreRefused() {
    refused(
        ZipError.BAD_DIRECTORY,
        two()
            .with(
                zip -> {
                  zip.wide = true;
                  zip.narrowContradicts = true;
                }));
  }

  @Test
  void aZip64ExtraFieldThatLacksASizeIsRefused() {
    refused(
        ZipError.BAD_DIRECTORY,
        one(
            part -> {
              part.size = 0xffffffffL;
              part.compressedSize = 0xffffffffL;
              part.extra = zip64(DATA.length);
            }));
  }

  @Test
  void aNegativeZip64SizeIsRefused() {
    refused(
        ZipError.BAD_DIRECTORY,
        one(
            part -> {
              part.size = 0xffffffffL;
              part.extra = zip64(-1);
            }));
  }

  @Test
  void aZip64OffsetBeyondTheDirectoryIsRefused() {
    refused(
        ZipError.OUT_OF_FILE,
        one(
            part -> {
              part.offset = 0xffffffffL;
              part.extra = zip64(Long.MAX_VALUE);
            }));
  }

  @Test
  void aZip64DiskIsRefused() {
    refused(
        ZipError.MULTI_DISK,
        one(
            part -> {
              part.disk = 0xffff;
              part.extra = join(new byte[] {1, 0, 4, 0}, ints(1));
            }));
  }

  @Test
  void twoZip64ExtraFieldsAreRefused() {
    refused(ZipError.BAD_DIRECTORY, one(part -> part.extra = join(zip64(DATA.length), zip64(7))));
  }

  @Test
  void anExtraFieldThatIsLongerThanAllIsRefused() {
    refused(ZipError.BAD_DIRECTORY, one(part -> part.extra = new byte[] {9, 9, 5, 0, 1, 2, 3, 4}));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
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
        "model\0.sdnb"
      })
  void aNameThatIsNotThatOfAFileInTheRootIsRefused(String name) {
    refused(ZipError.BAD_NAME, new HandMadeZip().stored(name, DATA));
  }

  @Test
  void aNameThatIsNotUtf8IsRefused() {
    refused(ZipError.BAD_NAME, one(part -> part.name = new byte[] {'m', (byte) 0x81}));
  }

  @Test
  void aNameThatIsLongerThanAnyIsRefused() {
    refused(ZipError.TOO_LARGE, new HandMadeZip().stored("m".repeat(256), DATA));
  }

  @Test
  void twoEntriesOfTheSameNameAreRefused() {
    refused(ZipError.DUPLICATE_NAME, two().stored("model.shard0-of-2.sdnb", DATA));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1 << 6, 1 << 13})
  void anEncryptedEntryIsRefused(int flag) {
    refused(ZipError.ENCRYPTED, one(part -> part.flags = flag));
    refused(ZipError.ENCRYPTED, one(part -> part.localFlags = flag));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 12, 14, 93, 99, 0xffff})
  void anotherMethodIsRefused(int method) {
    refused(ZipError.UNSUPPORTED_METHOD, one(part -> part.method = method));
  }

  @Test
  void aStoredEntryWithTwoSizesIsRefused() {
    refused(ZipError.IMPOSSIBLE_SIZE, one(part -> part.size++));
  }

  @Test
  void aRatioThatDeflateCannotReachIsRefused() {
    refused(
        ZipError.IMPOSSIBLE_SIZE,
        new HandMadeZip()
            .deflated("model", DATA, part -> part.size = (part.compressedSize + 1) * 1032));
  }

  @Test
  void anEntryBehindTheDirectoryIsRefused() {
    refused(ZipError.OUT_OF_FILE, one(part -> part.offset = 1000L));
  }
}
