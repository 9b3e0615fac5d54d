package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.TimeZone;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.io.Output;

/** Isolated as a test sets the time zone. */
@Isolated
class ZipWriterTest {
  private static final byte[] DATA = new byte[300_000];
  private static final long CRC = Integer.toUnsignedLong(HandMadeZip.crc(DATA));

  private static byte[] twoOfEach(int level) throws IOException {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    try (ZipWriter writer = new ZipWriter(out, level, ZipReading.ROOT)) {
      for (int i = 0; i < 2; i++) {
        HandMadeZip.addStored(writer, "model.stored" + i, DATA);
        HandMadeZip.addDeflated(writer, "model.deflated" + i, DATA);
      }
    }
    assertThat(out.closed()).isEqualTo(1);
    return out.bytes();
  }

  @Test
  void theBytesOfAStoredEntryAreThese() throws IOException {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    try (ZipWriter writer = new ZipWriter(out, 6, ZipReading.ROOT)) {
      HandMadeZip.addStored(writer, "model", new byte[] {'S', 'D', 'N', 'B'});
    }
    String hex = HexFormat.of().formatHex(out.bytes());
    assertThat(hex)
        .isEqualTo(
            // local header: version 1.0, UTF-8, stored, 1980-01-01 00:00, CRC-32, sizes
            "504b03040a000008000000002100"
                + "7b184779"
                + "0400000004000000"
                + "05001d00"
                + "6d6f64656c"
                // alignment of 64 bytes, with padding
                + "1ea119004000"
                + "00".repeat(23)
                + "53444e42"
                // central header
                + "504b010214000a000008000000002100"
                + "7b184779"
                + "0400000004000000"
                + "05000600"
                + "00".repeat(14)
                + "6d6f64656c"
                + "1ea102004000"
                // end record
                + "504b0506000000000100010039000000440000000000");
  }

  @Test
  void aDeflatedEntryHasItsSizesInADataDescriptor() throws IOException {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    try (ZipWriter writer = new ZipWriter(out, 6, ZipReading.ROOT)) {
      HandMadeZip.addDeflated(writer, "model", new byte[] {'h', 'i'});
    }
    assertThat(HexFormat.of().formatHex(out.bytes()))
        .isEqualTo(
            "504b03041400080808000000210000000000000000000000000005000000"
                + "6d6f64656c"
                + "cbc80400"
                + "504b0708ac2a93d80400000002000000"
                + "504b0102140014000808080000002100ac2a93d80400000002000000"
                + "050000000000000000000000000000000000"
                + "6d6f64656c"
                + "504b0506000000000100010033000000370000000000");
  }

  @Test
  void theDataOfStoredEntriesIsAligned() throws IOException {
    try (ZipArchive archive = ZipReading.open(new MemoryInput(HandMadeZip.PATH, twoOfEach(6)))) {
      assertThat(archive.entries().stream().filter(ArchiveEntry::stored))
          .hasSize(2)
          .allSatisfy(entry -> assertThat(entry.dataOffset() % ZipWriter.ALIGNMENT).isZero());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "Africa/Monrovia"})
  void theBytesDoNotDependOnTheTimeZone(String zone) throws IOException {
    byte[] expected = twoOfEach(6);
    TimeZone original = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      assertThat(twoOfEach(6)).isEqualTo(expected);
    } finally {
      TimeZone.setDefault(original);
    }
  }

  @Test
  void theLevelIsThatOfDeflate() throws IOException {
    assertThat(twoOfEach(0)).hasSizeGreaterThan(4 * DATA.length);
    assertThat(twoOfEach(9)).hasSizeLessThan(twoOfEach(1).length);
    assertThatThrownBy(() -> new ZipWriter(new MemoryOutput(HandMadeZip.PATH), 10, ZipReading.ROOT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** nd4j's oldest loader refuses entries as bombs whose sizes it knows before their data. */
  @Test
  void sequentialReadersLearnTheSizesOfDeflatedEntriesAfterTheData() throws IOException {
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(twoOfEach(6)))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        boolean stored = entry.getName().startsWith("model.stored");
        assertThat(entry.getSize()).isEqualTo(stored ? DATA.length : -1);
        assertThat(entry.getCompressedSize()).isEqualTo(stored ? DATA.length : -1);
      }
    }
  }

  @Test
  void dataIsWrittenFromAnyBufferAndAsAHole() throws IOException {
    byte[] data = new byte[300_000];
    new Random(5).nextBytes(data);
    Arrays.fill(data, 200_000, 300_000, (byte) 0);
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    try (ZipWriter writer = new ZipWriter(out, 1, ZipReading.ROOT);
        Output entry = writer.deflated("model", data.length)) {
      entry.write(ByteBuffer.wrap(data, 0, 1000).asReadOnlyBuffer());
      assertThat(entry.position()).isEqualTo(1000);
      entry.write(ByteBuffer.allocateDirect(149_000).put(data, 1000, 149_000).flip());
      entry.write(ByteBuffer.wrap(data, 150_000, 50_000).slice());
      entry.extendTo(300_000);
      assertThat(entry.position()).isEqualTo(300_000);
      assertThat(entry.path()).isEqualTo(out.path());
    }
    assertThat(ZipReading.readAll(new MemoryInput("a", out.bytes())).get("model")).isEqualTo(data);
  }

  /** Adds entries, or fails. */
  private interface Writing {
    void run(ZipWriter writer) throws IOException;
  }

  private static AbstractThrowableAssert<?, ?> assertFails(
      MemoryOutput out, Writing writing, String message) {
    AbstractThrowableAssert<?, ?> thrown =
        assertThatThrownBy(
                () -> {
                  try (ZipWriter writer = new ZipWriter(out, 6, ZipReading.ROOT)) {
                    writing.run(writer);
                  }
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining(message);
    assertIncomplete(out);
    return thrown;
  }

  private static void assertFails(Writing writing, String message) {
    assertFails(new MemoryOutput(HandMadeZip.PATH), writing, message);
  }

  private static void assertIncomplete(MemoryOutput out) {
    assertThat(out.closed()).isEqualTo(1);
    ZipReading.assertIncomplete(out.bytes());
  }

  private static void write(Output output, int bytes) throws IOException {
    try (output) {
      output.write(ByteBuffer.allocate(bytes));
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 6", "7, 6", "5, 0"})
  void anEntryOfAnotherSizeFailsAndLeavesTheFileIncomplete(int size, int written) {
    String message = HandMadeZip.PATH + ": entry \"model\" cannot be written, it has ";
    assertFails(writer -> write(writer.deflated("model", size), written), message);
    assertFails(writer -> write(writer.stored("model", size, 0), written), message);
  }

  @Test
  void aStoredEntryOfAnotherCrcFailsAndLeavesTheFileIncomplete() {
    assertFails(writer -> write(writer.stored("model", 5, 0), 5), "CRC");
  }

  @Test
  void anEntryThatIsNotClosedFailsAndLeavesTheFileIncomplete() {
    assertFails(writer -> writer.deflated("model", 0), "closed before the entry \"model\"");
  }

  @Test
  void aFailureOfTheStorageIsReportedOnceAndLeavesTheFileIncomplete() {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    out.limit(100_000);
    Writing writing = writer -> write(writer.stored("model", DATA.length, CRC), DATA.length);
    assertFails(out, writing, "the disk is full").hasNoSuppressedExceptions();
  }

  @Test
  void afterAFailureNoEntryIsAdded() throws IOException {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    ZipWriter writer = new ZipWriter(out, 6, ZipReading.ROOT);
    Output entry = writer.deflated("model", 5);
    assertThatThrownBy(entry::close).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> writer.deflated("model.b", 5))
        .isInstanceOf(IOException.class)
        .hasMessage(out.path() + ": no entry can be added, writing failed");
    writer.close();
    assertIncomplete(out);
  }

  @Test
  void entriesAreWrittenOneAfterTheOther() throws IOException {
    try (ZipWriter writer = new ZipWriter(new MemoryOutput(HandMadeZip.PATH), 6, ZipReading.ROOT)) {
      Output first = writer.deflated("model", 0);
      assertThatThrownBy(() -> writer.deflated("model.b", 5)).isInstanceOf(IOException.class);
      first.close();
      first.close();
      try (Output second = writer.deflated("model.b", 5)) {
        assertThatThrownBy(() -> first.write(ByteBuffer.allocate(0)))
            .isInstanceOf(IOException.class)
            .hasMessageEndingWith("closed");
        second.write(ByteBuffer.allocate(5));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "a/b", "/a", "a\\b", "a\0", "a/", "\ud800"})
  void aNameThatReadersRefuseIsRefused(String name) throws IOException {
    try (ZipWriter writer = new ZipWriter(new MemoryOutput(HandMadeZip.PATH), 6, ZipReading.ROOT)) {
      assertThatThrownBy(() -> writer.deflated(name, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aNameThatIsTooLongOrUsedTwiceIsRefused() throws IOException {
    try (ZipWriter writer = new ZipWriter(new MemoryOutput(HandMadeZip.PATH), 6, ZipReading.ROOT)) {
      writer.deflated("m".repeat(255), 0).close();
      assertThatThrownBy(() -> writer.deflated("m".repeat(255), 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.stored("m".repeat(256), 0, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aFileThatIsNotEmptyIsRefused() throws IOException {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    out.write(ByteBuffer.allocate(1));
    assertThatThrownBy(() -> new ZipWriter(out, 6, ZipReading.ROOT))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
