package org.saevhadoop.format.zip;

import static org.saevhadoop.format.zip.HandMadeZip.ints;
import static org.saevhadoop.format.zip.HandMadeZip.join;
import static org.saevhadoop.format.zip.HandMadeZip.zip64;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries and local headers that contradict the directory. */
class ZipEntryHostileTest extends HostileZip {
  @Test
  void dataThatRunsIntoTheDirectoryIsRefused() {
    refused(
        ZipError.OUT_OF_FILE,
        one(
            part -> {
              part.size++;
              part.compressedSize++;
            }));
  }

  @Test
  void aHeaderThatRunsIntoTheDirectoryIsRefused() {
    refused(
        ZipError.OUT_OF_FILE,
        one(
            part -> {
              part.offset = 20L;
              part.localSignature = 0;
            }));
  }

  @Test
  void twoEntriesWithTheSameDataAreRefused() {
    refused(
        ZipError.OVERLAP,
        two()
            .stored(
                "model",
                DATA,
                part -> {
                  part.isWritten = false;
                  part.offset = 0L;
                }));
  }

  /**
   * The bomb of David Fifield quotes the headers of other entries: its kernel counts many times.
   */
  @Test
  void anEntryWithinAnotherIsRefused() {
    byte[] inner = join(new byte[5], Arrays.copyOf(one(part -> {}).bytes(), 35 + DATA.length));
    refused(
        ZipError.OVERLAP,
        new HandMadeZip()
            .stored("outer.sdnb", inner)
            .stored(
                "model",
                DATA,
                part -> {
                  part.isWritten = false;
                  part.offset = 30L + 10 + 5;
                }));
  }

  @Test
  void anEntryWithoutALocalHeaderIsRefused() {
    refused(ZipError.HEADER_MISMATCH, one(part -> part.localSignature = 0x04034b51));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodel", "mode", "model2", ""})
  void anotherNameInTheLocalHeaderIsRefused(String name) {
    byte[] other = name.getBytes(StandardCharsets.US_ASCII);
    refused(ZipError.HEADER_MISMATCH, one(part -> part.localName = other));
  }

  @Test
  void anotherMethodInTheLocalHeaderIsRefused() {
    refused(ZipError.HEADER_MISMATCH, one(part -> part.localMethod = 8));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherCrcInTheLocalHeaderIsRefused(boolean hasDescriptor) {
    refused(
        ZipError.HEADER_MISMATCH,
        one(
            part -> {
              part.flags = hasDescriptor ? DESCRIPTOR : 0;
              part.localCrc = 1;
            }));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherSizeInTheLocalHeaderIsRefused(boolean hasDescriptor) {
    int flags = hasDescriptor ? DESCRIPTOR : 0;
    refused(
        ZipError.HEADER_MISMATCH,
        one(
            part -> {
              part.flags = flags;
              part.localSize = 1L;
            }));
    refused(
        ZipError.HEADER_MISMATCH,
        one(
            part -> {
              part.flags = flags;
              part.localCompressedSize = 1L;
            }));
  }

  @Test
  void sizesOfZeroWithoutADataDescriptorAreRefused() {
    refused(
        ZipError.HEADER_MISMATCH,
        one(
            part -> {
              part.localSize = 0L;
              part.localCompressedSize = 0L;
              part.localCrc = 0;
            }));
  }

  @Test
  void anotherZip64SizeInTheLocalHeaderIsRefused() {
    refused(
        ZipError.HEADER_MISMATCH,
        one(
            part -> {
              part.localSize = 0xffffffffL;
              part.localCompressedSize = 0xffffffffL;
              part.localExtra = zip64(DATA.length, DATA.length + 1);
            }));
  }

  @Test
  void aDataDescriptorThatContradictsTheDirectoryIsRefused() {
    for (int wrong = 0; wrong < 3; wrong++) {
      int field = wrong;
      refused(
          ZipError.HEADER_MISMATCH,
          one(
              part -> {
                int[] values = {part.crc, DATA.length, DATA.length};
                values[field]++;
                part.flags = DESCRIPTOR;
                part.descriptor = join(ints(0x08074b50), ints(values));
              }));
    }
  }

  @Test
  void aDataDescriptorThatIsMissingIsRefused() {
    refused(ZipError.HEADER_MISMATCH, one(part -> part.flags = DESCRIPTOR));
  }

  @Test
  void anEntryThatIsNotListedIsRefusedWhereverItIs() {
    for (int hidden = 0; hidden < 3; hidden++) {
      HandMadeZip zip = two().stored("model", DATA);
      zip.parts.get(hidden).isListed = false;
      refused(ZipError.UNLISTED_ENTRY, zip);
    }
  }

  @Test
  void anArchiveAfterEntriesOfAnotherIsRefused() {
    byte[] other = one(part -> {}).bytes();
    refused(ZipError.UNLISTED_ENTRY, two().with(zip -> zip.before = other));
  }
}
