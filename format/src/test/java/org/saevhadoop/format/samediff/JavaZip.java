package org.saevhadoop.format.samediff;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A ZIP file that Java writes, as SameDiff does. */
public final class JavaZip {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ZipOutputStream out = new ZipOutputStream(bytes);

  public JavaZip deflated(String name, byte[] content) throws IOException {
    return add(new ZipEntry(name), content);
  }

  public JavaZip stored(String name, byte[] content) throws IOException {
    ZipEntry entry = sized(name, content);
    entry.setMethod(ZipEntry.STORED);
    entry.setCompressedSize(content.length);
    return add(entry, content);
  }

  /** Adds an entry whose sizes are in its local header. */
  JavaZip deflatedWithSizes(String name, byte[] content) throws IOException {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    deflater.setInput(content);
    deflater.finish();
    byte[] buffer = new byte[content.length + 100];
    ZipEntry entry = sized(name, content);
    entry.setCompressedSize(deflater.deflate(buffer));
    deflater.end();
    return add(entry, content);
  }

  private static ZipEntry sized(String name, byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setSize(content.length);
    entry.setCrc(crc.getValue());
    return entry;
  }

  private JavaZip add(ZipEntry entry, byte[] content) throws IOException {
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
    return this;
  }

  public byte[] bytes() throws IOException {
    out.close();
    return bytes.toByteArray();
  }
}
