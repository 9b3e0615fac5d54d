package org.saevhadoop.format.zip;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

/** What other readers find in an archive: the data of each entry. */
public final class OtherReaders {
  private OtherReaders() {}

  /** Java's reader of the central directory, which newer versions of nd4j use. */
  public static Map<String, byte[]> zipFile(Path file) throws IOException {
    Map<String, byte[]> all = new LinkedHashMap<>();
    try (java.util.zip.ZipFile zip = new java.util.zip.ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        try (InputStream in = zip.getInputStream(entry)) {
          all.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return all;
  }

  /** Java's sequential reader, which older versions of nd4j use: the entries before an error. */
  public static Map<String, byte[]> zipInputStream(byte[] file) throws IOException {
    Map<String, byte[]> all = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(file))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        all.put(entry.getName(), in.readAllBytes());
      }
    } catch (ZipException | EOFException e) {
      return all;
    }
    return all;
  }

  public static Map<String, byte[]> commonsCompress(byte[] file) throws IOException {
    Map<String, byte[]> all = new LinkedHashMap<>();
    try (ZipFile zip =
        ZipFile.builder().setSeekableByteChannel(new SeekableInMemoryByteChannel(file)).get()) {
      for (ZipArchiveEntry entry : Collections.list(zip.getEntriesInPhysicalOrder())) {
        try (InputStream in = zip.getInputStream(entry)) {
          all.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return all;
  }
}
