package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.gzip.Gz.join;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;
import static org.saevhadoop.format.zip.HandMadeZip.PATH;
import static org.saevhadoop.format.zip.HandMadeZip.ints;
import static org.saevhadoop.format.zip.HandMadeZip.zip64;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.gzip.Gz;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.zip.HandMadeZip.Part;

class ZipArchiveTest {
  private static final byte[] DATA = data(200_000);
  private static final int DESCRIPTOR = 1 << 3;

  /** Half noise, half zeros. */
  private static byte[] data(int length) {
    byte[] data = new byte[length];
    byte[] noise = new byte[length / 2];
    new Random(7).nextBytes(noise);
    System.arraycopy(noise, 0, data, 0, noise.length);
    return data;
  }

  @Test
  void entriesAreInTheOrderOfTheirDataWhateverTheirOrderInTheDirectory() throws IOException {
    HandMadeZip zip = new HandMadeZip();
    for (String name : List.of("model.a", "model.b", "model.c")) {
      zip.stored(name, new byte[5]);
    }
    for (int i = 0; i < 3; i++) {
      zip.parts.get(i).offset = 42L * (2 - i);
      zip.parts.get(i).localName = zip.parts.get(2 - i).name;
    }
    try (ZipArchive archive = ZipReading.open(zip.input())) {
      assertThat(archive.entries().stream().map(ArchiveEntry::name))
          .containsExactly("model.c", "model.b", "model.a");
    }
  }

  @Test
  void theDataOfAStoredEntryIsWhereTheEntryHasIt() throws IOException {
    MemoryInput file =
        new HandMadeZip().with(zip -> zip.before = DATA).stored("model", DATA).input();
    try (ZipArchive archive = ZipReading.open(file)) {
      ArchiveEntry entry = archive.entries().get(0);
      assertThat(entry)
          .isEqualTo(
              new ArchiveEntry(
                  "model",
                  true,
                  DATA.length + 35,
                  DATA.length,
                  DATA.length,
                  Integer.toUnsignedLong(HandMadeZip.crc(DATA))));
      ByteBuffer data = ByteBuffer.allocate(DATA.length);
      file.readFully(entry.dataOffset(), data);
      assertThat(data.array()).isEqualTo(DATA);
    }
  }

  @Test
  void aFormatAllowsFolders() throws IOException {
    MemoryInput file = new HandMadeZip().stored("archive/data/0", DATA).input();
    EntryNames names = new EntryNames(255, true);
    try (ZipArchive archive = ZipArchive.open(file, names)) {
      assertThat(archive.entries().get(0).name()).isEqualTo("archive/data/0");
    }
    for (String name : List.of("archive/", "/archive", "..")) {
      MemoryInput refused = new HandMadeZip().stored(name, DATA).input();
      assertFails(ZipError.BAD_NAME, PATH, () -> ZipArchive.open(refused, names));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 65_536, 1_000_000})
  void dataIsReadInPiecesOfAnySize(int piece) throws IOException {
    HandMadeZip zip = new HandMadeZip().stored("model.a", DATA).deflated("model.b", DATA);
    try (ZipArchive archive = ZipReading.open(zip.input())) {
      for (ArchiveEntry entry : archive.entries()) {
        assertThat(ZipReading.read(archive, entry, piece)).isEqualTo(DATA);
      }
    }
  }

  @Test
  void aBufferWithoutRoomIsNotTheEnd() throws IOException {
    HandMadeZip zip = new HandMadeZip().stored("model.a", new byte[0]).deflated("model.b", DATA);
    try (ZipArchive archive = ZipReading.open(zip.input())) {
      for (ArchiveEntry entry : archive.entries()) {
        try (ByteSource source = archive.read(entry)) {
          assertThat(source.read(ByteBuffer.allocate(0))).isZero();
        }
      }
    }
  }

  @Test
  void severalEntriesAreReadAtATime() throws IOException {
    HandMadeZip zip = new HandMadeZip().deflated("model.a", DATA).deflated("model.b", DATA);
    try (ZipArchive archive = ZipReading.open(zip.input());
        ByteSource first = archive.read(archive.entries().get(0))) {
      ByteBuffer dst = ByteBuffer.allocate(10);
      first.read(dst);
      assertThat(ZipReading.read(archive, archive.entries().get(1), 1000)).isEqualTo(DATA);
      first.read(dst.clear());
      assertThat(dst.array()).isEqualTo(Arrays.copyOfRange(DATA, 10, 20));
    }
  }

  @Test
  void closingAnEntryLeavesTheFileOpenAndClosingTheFileClosesIt() throws IOException {
    MemoryInput file = new HandMadeZip().stored("model", DATA).input();
    ZipArchive archive = ZipReading.open(file);
    archive.read(archive.entries().get(0)).close();
    assertThat(file.closed()).isZero();
    archive.close();
    assertThat(file.closed()).isEqualTo(1);
  }

  /** The forms that data descriptors have in practice, with ZIP64 sizes in either header. */
  static Stream<Consumer<Part>> descriptors() {
    int signature = 0x08074b50;
    int n = DATA.length;
    return Stream.of(
        part -> part.descriptor = ints(part.crc, n, n),
        part -> part.descriptor = ints(signature, part.crc, n, n),
        part -> part.descriptor = ints(part.crc, n, 0, n, 0),
        part -> part.descriptor = ints(signature, part.crc, n, 0, n, 0),
        part -> {
          part.localSize = 0xffffffffL;
          part.localCompressedSize = 0xffffffffL;
          part.localExtra = zip64(0, 0);
          part.descriptor = ints(signature, part.crc, n, 0, n, 0);
        });
  }

  @ParameterizedTest
  @MethodSource("descriptors")
  void dataDescriptorsOfAnyFormAreRead(Consumer<Part> change) throws IOException {
    Consumer<Part> described =
        part -> {
          part.flags = DESCRIPTOR;
          part.localCrc = 0;
          part.localSize = 0L;
          part.localCompressedSize = 0L;
        };
    HandMadeZip zip =
        new HandMadeZip()
            .stored("model.a", DATA)
            .part(described.andThen(change))
            .stored("model.b", DATA)
            .part(described.andThen(change));
    assertThat(ZipReading.readAll(zip.input()).get("model.b")).isEqualTo(DATA);
  }

  @Test
  void zip64FieldsAreReadWhereHeadersHaveNoValue() throws IOException {
    HandMadeZip zip =
        new HandMadeZip()
            .with(wide -> wide.wide = true)
            .stored("model", DATA)
            .stored("model.b", DATA)
            .part(
                part -> {
                  part.size = 0xffffffffL;
                  part.compressedSize = 0xffffffffL;
                  part.offset = 0xffffffffL;
                  part.disk = 0xffff;
                  part.extra =
                      join(
                          new byte[] {9, 9, 1, 0, 7},
                          new byte[] {1, 0, 28, 0},
                          ints(DATA.length, 0, DATA.length, 0, DATA.length + 35, 0, 0));
                  part.localExtra = zip64(DATA.length, DATA.length);
                });
    assertThat(ZipReading.readAll(zip.input()).get("model.b")).isEqualTo(DATA);
  }

  @Test
  void zip64FieldsThatNoHeaderNeedsAreIgnored() throws IOException {
    HandMadeZip zip =
        new HandMadeZip()
            .stored("model", DATA)
            .part(part -> part.extra = zip64())
            .part(part -> part.localExtra = zip64(1, 2));
    assertThat(ZipReading.readAll(zip.input()).get("model")).isEqualTo(DATA);
  }

  /** zipalign pads extra fields with zeros. */
  @Test
  void commentsExtraFieldsAndPaddingAreSkipped() throws IOException {
    HandMadeZip zip = new HandMadeZip().with(any -> any.comment = DATA_START);
    for (int i = 0; i < 10; i++) {
      zip.stored("model." + i, DATA_START)
          .part(part -> part.comment = new byte[65_535])
          .part(
              part ->
                  part.extra = join(new byte[] {9, 9, (byte) 0xf0, (byte) 0xff}, new byte[65_520]))
          .part(part -> part.localExtra = new byte[3]);
    }
    assertThat(ZipReading.readAll(zip.input()).values()).hasSize(10).containsOnly(DATA_START);
  }

  private static final byte[] DATA_START = Arrays.copyOf(DATA, 100);

  @Test
  void bytesBeforeAndAfterAnArchiveAreSkipped() throws IOException {
    HandMadeZip zip =
        new HandMadeZip()
            .with(any -> any.before = DATA_START)
            .with(any -> any.comment = DATA_START)
            .with(any -> any.after = DATA_START)
            .stored("model", DATA);
    assertThat(ZipReading.readAll(zip.input()).get("model")).isEqualTo(DATA);
  }

  @Test
  void asManyEntriesAsTheLimitAreRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < EndRecord.MAX_ENTRIES; i++) {
        zip.putNextEntry(new ZipEntry("model." + i));
      }
    }
    try (ZipArchive archive = ZipReading.open(new MemoryInput(PATH, bytes.toByteArray()))) {
      assertThat(archive.entries()).hasSize(EndRecord.MAX_ENTRIES);
      assertThat(archive.entries().get(65_534).name()).isEqualTo("model.65534");
    }
  }

  private static HandMadeZip stored() {
    return new HandMadeZip().stored("model", DATA);
  }

  private static HandMadeZip deflated() {
    return new HandMadeZip().deflated("model", DATA);
  }

  @Test
  void anotherCrcOrSizeIsRefusedAtTheEndEachTime() throws IOException {
    refusedWhenRead(ZipError.CRC_MISMATCH, stored().part(part -> part.crc++));
    refusedWhenRead(ZipError.CRC_MISMATCH, deflated().part(part -> part.crc++));
    refusedWhenRead(ZipError.SIZE_MISMATCH, deflated().part(part -> part.size++));
  }

  @Test
  void deflatedDataThatIsInvalidOrCutOrTooLongIsRefused() throws IOException {
    refusedWhenRead(ZipError.BAD_DATA, deflated().part(part -> part.data[0] = (byte) 0xff));
    for (int length : new int[] {1000, Gz.deflated(DATA).length + 1}) {
      refusedWhenRead(
          ZipError.BAD_DATA,
          deflated()
              .part(part -> part.data = Arrays.copyOf(part.data, length))
              .part(part -> part.compressedSize = length));
    }
  }

  @Test
  void dataThatInflatesToMoreIsRefusedWithoutInflatingIt() throws IOException {
    byte[] zeros = new byte[100 << 20];
    HandMadeZip zip = new HandMadeZip().deflated("model", zeros).part(part -> part.size = 1000);
    try (ZipArchive archive = ZipReading.open(zip.input());
        ByteSource source = archive.read(archive.entries().get(0))) {
      ByteBuffer dst = ByteBuffer.allocate(10_000);
      assertThat(source.read(dst)).isEqualTo(1000);
      assertFails(ZipError.SIZE_MISMATCH, PATH, () -> source.read(dst));
      assertThat(dst.position()).isEqualTo(1000);
    }
  }

  private static void refusedWhenRead(ZipError kind, HandMadeZip zip) throws IOException {
    try (ZipArchive archive = ZipReading.open(zip.input());
        ByteSource source = archive.read(archive.entries().get(0))) {
      ByteBuffer dst = ByteBuffer.allocate(10_000);
      for (int time = 0; time < 2; time++) {
        assertFails(
            kind,
            PATH,
            () -> {
              while (source.read(dst.clear()) >= 0) {}
            });
      }
    }
  }

  @Test
  void namesInErrorsAreOnOneLineAndShort() {
    String name = "\u202e\n" + "x".repeat(200);
    assertThat(
            assertFails(
                ZipError.UNSUPPORTED_METHOD,
                PATH,
                () ->
                    ZipReading.open(
                        new HandMadeZip()
                            .stored(name, DATA)
                            .part(part -> part.method = 1)
                            .input())))
        .hasMessageContaining("\\u202e\\n" + "x".repeat(98) + "...");
  }

  @Test
  void aNameIsReadAsUtf8WithoutItsFlag() throws IOException {
    byte[] name = "mod\u00e8le.sdnb".getBytes(StandardCharsets.UTF_8);
    HandMadeZip zip = new HandMadeZip().stored("", DATA).part(part -> part.name = name);
    assertThat(ZipReading.readAll(zip.input())).containsOnlyKeys("mod\u00e8le.sdnb");
  }
}
