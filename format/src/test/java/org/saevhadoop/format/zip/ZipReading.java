package org.saevhadoop.format.zip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.ErrorAssertions;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Allocation;

/** Reads ZIP archives to their end. */
public final class ZipReading {
  private static final long MAX_ALLOCATED = 1 << 20;

  /** The strictest rules for names. */
  public static final EntryNames ROOT = new EntryNames(255, false);

  private ZipReading() {}

  static ZipArchive open(Input file) throws IOException {
    return ZipArchive.open(file, ROOT);
  }

  /** Returns the data of each entry. */
  static Map<String, byte[]> readAll(Input file) throws IOException {
    Map<String, byte[]> all = new LinkedHashMap<>();
    try (ZipArchive archive = open(file)) {
      for (ArchiveEntry entry : archive.entries()) {
        all.put(entry.name(), read(archive, entry, 1000));
      }
    }
    return all;
  }

  /** Returns the data of an entry, read in pieces of at most this many bytes. */
  public static byte[] read(ZipArchive archive, ArchiveEntry entry, int piece) throws IOException {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    ByteBuffer dst = ByteBuffer.allocate(piece);
    try (ByteSource source = archive.read(entry)) {
      while (source.read(dst.clear()) >= 0) {
        data.write(dst.array(), 0, dst.position());
      }
      assertThat(source.fileBytesRead()).isEqualTo(entry.compressedSize());
      assertThat(source.read(dst.clear())).isEqualTo(-1);
    }
    return data.toByteArray();
  }

  /** Asserts that opening a file fails, whatever sizes it declares, within a mebibyte of memory. */
  static void assertRefused(ZipError kind, byte[] file) {
    MemoryInput input = new MemoryInput(HandMadeZip.PATH, file);
    ErrorAssertions.assertFails(
        kind, HandMadeZip.PATH, () -> Allocation.atMost(MAX_ALLOCATED, () -> open(input)));
    assertThat(input.closed()).isEqualTo(1);
  }

  /** Asserts that a file is not taken for a complete one. */
  static void assertIncomplete(byte[] file) {
    ErrorAssertions.assertFailsWithAnyText(
        file.length < Integer.BYTES ? ZipError.NOT_A_ZIP : ZipError.TRUNCATED,
        HandMadeZip.PATH,
        () -> open(new MemoryInput(HandMadeZip.PATH, file)));
  }
}
