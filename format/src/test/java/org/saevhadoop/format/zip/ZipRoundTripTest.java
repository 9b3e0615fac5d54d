package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.zip.Zip64Mode;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** What is written is read by others, and the other way round. */
@Tag("sampled")
class ZipRoundTripTest {
  @TempDir Path folder;

  /** An entry that is to be written. */
  private record Planned(String name, byte[] data, boolean stored) {
    long crc() {
      return Integer.toUnsignedLong(HandMadeZip.crc(data));
    }
  }

  private static List<Planned> entries(RandomValues any) {
    return any.distinct(
        0,
        8,
        Planned::name,
        () ->
            new Planned(
                any.oneOf(
                    () -> "model",
                    () -> "model.shard" + any.intBetween(0, 9) + "-of-9.sdnb",
                    () -> any.textOf("aB. :*\u00e9\u03b1\u4e2d~-", 1, 30) + "x"),
                any.oneOf(() -> any.bytes(0, 100_000), () -> new byte[any.intBetween(0, 300_000)]),
                any.bool()));
  }

  private static Map<String, byte[]> data(List<Planned> entries) {
    Map<String, byte[]> data = new LinkedHashMap<>();
    entries.forEach(entry -> data.put(entry.name(), entry.data()));
    return data;
  }

  private static byte[] written(List<Planned> entries, RandomValues any) throws IOException {
    MemoryOutput out = new MemoryOutput(HandMadeZip.PATH);
    try (ZipWriter writer = new ZipWriter(out, any.intBetween(-1, 9), ZipReading.ROOT)) {
      for (Planned planned : entries) {
        int size = planned.data().length;
        try (Output entry =
            planned.stored()
                ? writer.stored(planned.name(), size, planned.crc())
                : writer.deflated(planned.name(), size)) {
          int cut = any.intBetween(0, size);
          entry.write(ByteBuffer.wrap(planned.data(), 0, cut));
          entry.write(ByteBuffer.wrap(planned.data(), cut, size - cut));
        }
      }
    }
    return out.bytes();
  }

  private static byte[] writtenByJava(List<Planned> entries, RandomValues any) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setComment(any.textOf("PK\1\2\3\4abc", 0, 500));
      for (Planned planned : entries) {
        ZipEntry entry = new ZipEntry(planned.name());
        entry.setMethod(planned.stored() ? ZipEntry.STORED : ZipEntry.DEFLATED);
        if (planned.stored()) {
          entry.setSize(planned.data().length);
          entry.setCrc(planned.crc());
        }
        entry.setComment(any.orNull(() -> any.textOf("abc", 0, 500)));
        entry.setExtra(any.orNull(() -> new byte[] {9, 9, 1, 0, 7}));
        zip.putNextEntry(entry);
        zip.write(planned.data());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] writtenByCommons(List<Planned> entries, RandomValues any)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
      zip.setUseZip64(any.of(Zip64Mode.class));
      for (Planned planned : entries) {
        ZipArchiveEntry entry = new ZipArchiveEntry(planned.name());
        entry.setMethod(planned.stored() ? ZipEntry.STORED : ZipEntry.DEFLATED);
        entry.setSize(planned.data().length);
        entry.setCrc(planned.crc());
        zip.putArchiveEntry(entry);
        zip.write(planned.data());
        zip.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static Map<String, byte[]> read(byte[] file) throws IOException {
    return ZipReading.readAll(new MemoryInput(HandMadeZip.PATH, file));
  }

  private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
    assertThat(new ArrayList<>(actual.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
    expected.forEach((name, data) -> assertThat(actual.get(name)).as(name).isEqualTo(data));
  }

  @Property(tries = 500, sample = 40)
  void whatIsWrittenIsReadByJavaAndCommonsCompress(RandomValues any) throws IOException {
    List<Planned> entries = entries(any);
    byte[] file = written(entries, any);
    Map<String, byte[]> expected = data(entries);
    assertSame(OtherReaders.zipFile(Files.write(folder.resolve("a.zip"), file)), expected);
    assertSame(OtherReaders.zipInputStream(file), expected);
    assertSame(OtherReaders.commonsCompress(file), expected);
    assertThat(read(file)).containsOnlyKeys(expected.keySet()).containsAllEntriesOf(expected);
  }

  @Property(tries = 500, sample = 60)
  void whatJavaWritesIsRead(RandomValues any) throws IOException {
    List<Planned> entries = entries(any);
    Map<String, byte[]> actual = read(writtenByJava(entries, any));
    assertThat(actual).containsOnlyKeys(data(entries).keySet()).containsAllEntriesOf(data(entries));
  }

  @Property(tries = 500, sample = 60)
  void whatCommonsCompressWritesIsReadWithZip64AndWithout(RandomValues any) throws IOException {
    List<Planned> entries = entries(any);
    Map<String, byte[]> actual = read(writtenByCommons(entries, any));
    assertThat(actual).containsOnlyKeys(data(entries).keySet()).containsAllEntriesOf(data(entries));
  }

  /**
   * Of an archive that is accepted, sequential readers may see a part, but nothing else. Java 17
   * does not read data descriptors with ZIP64 sizes after small entries (JDK-8303866).
   */
  @Property(tries = 30_000, sample = 1000)
  void whatIsReadFromAnArchiveWithOtherBytesIsWhatOthersRead(RandomValues any) throws IOException {
    byte[] file = small(any);
    for (int i = any.intBetween(1, 3); i > 0; i--) {
      file[any.intBetween(0, file.length - 1)] = (byte) any.intBetween(-128, 127);
    }
    Map<String, byte[]> ours;
    try {
      ours = read(file);
    } catch (FormatException e) {
      assertThat(e.kind()).isInstanceOf(ZipError.class);
      return;
    }
    try {
      assertSame(
          sorted(OtherReaders.zipFile(Files.write(folder.resolve("a.zip"), file))), sorted(ours));
    } catch (ZipException e) {
      assertThat(e).hasMessageContaining("CEN"); // newer releases of Java are stricter than ZIP
    }
    OtherReaders.zipInputStream(file)
        .forEach((name, data) -> assertThat(data).as(name).isEqualTo(ours.get(name)));
  }

  private static Map<String, byte[]> sorted(Map<String, byte[]> data) {
    return new TreeMap<>(data);
  }

  private static byte[] small(RandomValues any) throws IOException {
    List<Planned> entries =
        List.of(
            new Planned("model", any.bytes(0, 20), any.bool()),
            new Planned("b.sdnb", any.bytes(0, 20), any.bool()));
    return any.bool() ? written(entries, any) : writtenByCommons(entries, any);
  }
}
