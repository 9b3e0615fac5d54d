package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Archives that exist nowhere, as other readers see them. */
@Tag("sampled")
class StoredZipTest {
  private static byte[] bytes(Input input) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) input.length());
    input.readFully(0, bytes);
    return bytes.array();
  }

  private static StoredZip.Entry entry(String name, byte[] data, String file, long offset) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return new StoredZip.Entry(name, data.length, crc.getValue(), file, offset);
  }

  @Property(tries = 300, sample = 60)
  void otherReadersFindTheEntriesInTheirOrder(RandomValues any) throws IOException {
    Map<String, byte[]> expected = new LinkedHashMap<>();
    List<StoredZip.Entry> entries = new ArrayList<>();
    byte[] file = any.bytes(1000, 1000);
    for (int i = 0, count = any.intBetween(0, 5); i < count; i++) {
      int from = any.intBetween(0, 1000);
      byte[] data = Arrays.copyOfRange(file, from, any.intBetween(from, 1000));
      String name = "entry \u00e4 " + i;
      expected.put(name, data);
      entries.add(entry(name, data, "f", from));
    }
    byte[] zip =
        bytes(StoredZip.open("x.zip", entries, name -> new MemoryInput(name, file.clone())));
    Map<String, byte[]> found = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
      for (ZipEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
        found.put(next.getName(), in.readAllBytes());
      }
    }
    assertThat(found.keySet()).containsExactlyElementsOf(expected.keySet());
    expected.forEach((name, data) -> assertThat(found.get(name)).isEqualTo(data));
    try (ZipArchive archive =
        ZipArchive.open(new MemoryInput("x.zip", zip), new EntryNames(255, false))) {
      assertThat(archive.entries()).extracting(ArchiveEntry::name).containsAll(expected.keySet());
      for (ArchiveEntry entry : archive.entries()) {
        assertThat(entry.stored()).isTrue();
        entry.check(new MemoryInput("x.zip", zip));
      }
    }
  }

  /** A file of any length that contains the position of each byte, modulo 251. */
  private record Endless(String path) implements Input {
    @Override
    public long length() {
      return Long.MAX_VALUE;
    }

    @Override
    public void readFully(long position, ByteBuffer dst) {
      for (long at = position; dst.hasRemaining(); at++) {
        dst.put((byte) (at % 251));
      }
    }

    @Override
    public void close() {
      // nothing is open
    }
  }

  @Test
  void entriesMayHaveAnyLength() throws IOException {
    long bytes = 5L << 30;
    List<StoredZip.Entry> entries =
        List.of(
            new StoredZip.Entry("model", bytes, 1, "f", 7),
            new StoredZip.Entry("model2", bytes, 2, "f", 7 + bytes));
    Input zip = StoredZip.open("x.sdz", entries, Endless::new);
    try (ZipArchive archive = ZipArchive.open(zip, new EntryNames(255, false))) {
      assertThat(archive.entries()).extracting(ArchiveEntry::size).containsExactly(bytes, bytes);
      ByteBuffer last = ByteBuffer.allocate(2);
      zip.readFully(archive.entries().get(1).dataOffset() + bytes - 2, last);
      long at = 7 + 2 * bytes - 2;
      assertThat(last.array()).containsExactly((byte) (at % 251), (byte) ((at + 1) % 251));
    }
  }
}
