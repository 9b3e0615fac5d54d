package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.Output;

/** Archives of more than 4 GiB, whose large entries are zeros. */
@Tag("late")
@Tag("sampled")
class ZipLargeTest {
  private static final byte[] SMALL = "SDNB".getBytes(StandardCharsets.US_ASCII);
  private static final long LARGE = (4L << 30) + 5;

  /** The CRC-32 of that many zeros. */
  private static final long CRC = 0xb1c2a1a3L;

  private static final ByteBuffer ZEROS = ByteBuffer.allocate(1 << 20);

  @TempDir Path folder;

  private static void add(Output entry, long zeros) throws IOException {
    try (entry) {
      entry.extendTo(zeros);
    }
  }

  private static long crcOf(ZipArchive archive, ArchiveEntry entry) throws IOException {
    CRC32 crc = new CRC32();
    ByteBuffer dst = ByteBuffer.allocateDirect(1 << 18);
    try (ByteSource source = archive.read(entry)) {
      while (source.read(dst.clear()) >= 0) {
        crc.update(dst.flip());
      }
    }
    return crc.getValue();
  }

  @Test
  void anEntryBehind4GibIsWrittenAndReadByJavaToo() throws IOException {
    Path file = folder.resolve("stored.zip");
    try (ZipWriter writer =
        new ZipWriter(new SparseOutput(LocalFile.create(file)), 1, ZipReading.ROOT)) {
      add(writer.stored("model.large", LARGE, CRC), LARGE);
      HandMadeZip.addStored(writer, "model", SMALL);
    }
    try (ZipArchive archive = ZipReading.open(LocalFile.open(file))) {
      ArchiveEntry large = archive.entries().get(0);
      ArchiveEntry small = archive.entries().get(1);
      assertThat(large)
          .isEqualTo(new ArchiveEntry("model.large", true, large.dataOffset(), LARGE, LARGE, CRC));
      assertThat(small.dataOffset()).isGreaterThan(LARGE);
      assertThat(small.dataOffset() % ZipWriter.ALIGNMENT).isZero();
      if (TestExtent.isWhole()) {
        assertThat(crcOf(archive, large)).isEqualTo(CRC);
      }
      assertThat(ZipReading.read(archive, small, 10)).isEqualTo(SMALL);
      assertNoZip64InLocalHeader(file, large.dataOffset() + LARGE);
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      assertThat(zip.getEntry("model.large").getSize()).isEqualTo(LARGE);
      assertThat(zip.getInputStream(zip.getEntry("model")).readAllBytes()).isEqualTo(SMALL);
    }
  }

  private static void assertNoZip64InLocalHeader(Path file, long at) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(37).order(ByteOrder.LITTLE_ENDIAN);
    try (Input input = LocalFile.open(file)) {
      input.readFully(at, header);
    }
    assertThat(header.getInt(18)).isEqualTo(SMALL.length);
    assertThat(header.getShort(35)).as("the first extra field").isEqualTo((short) 0xa11e);
  }

  /** Takes half a minute to deflate and inflate. */
  @Test
  @Tag("long")
  void aDeflatedEntryOfMoreThan4GibIsWrittenAndRead() throws IOException {
    Path file = folder.resolve("deflated.zip");
    try (ZipWriter writer = new ZipWriter(LocalFile.create(file), 1, ZipReading.ROOT)) {
      add(writer.deflated("model.large", LARGE), LARGE);
      HandMadeZip.addStored(writer, "model", SMALL);
    }
    try (ZipArchive archive = ZipReading.open(LocalFile.open(file))) {
      ArchiveEntry large = archive.entries().get(0);
      assertThat(large.size()).isEqualTo(LARGE);
      assertThat(crcOf(archive, large)).isEqualTo(CRC);
      assertThat(ZipReading.read(archive, archive.entries().get(1), 10)).isEqualTo(SMALL);
    }
  }

  /** Makes holes of zeros. */
  private record SparseOutput(Output file) implements Output.Filter {
    @Override
    public void write(ByteBuffer src) throws IOException {
      if (src.remaining() >= 4096 && src.mismatch(ZEROS.slice(0, src.remaining())) < 0) {
        file.extendTo(file.position() + src.remaining());
        src.position(src.limit());
      } else {
        file.write(src);
      }
    }
  }
}
