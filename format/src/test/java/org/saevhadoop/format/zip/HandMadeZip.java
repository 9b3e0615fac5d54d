package org.saevhadoop.format.zip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.saevhadoop.format.gzip.Gz;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.Output;

/**
 * A ZIP archive put together by hand: valid, unless a test changes a field. Fields of the end
 * records that are null have the right value.
 */
public final class HandMadeZip {
  static final String PATH = "memory.zip";

  public final List<Part> parts = new ArrayList<>();
  public byte[] before = {};
  public byte[] comment = {};
  public byte[] after = {};
  public Integer commentLength;
  public int disk;
  public int directoryDisk;
  public Integer diskEntries;
  public Long entries;
  public Long directoryLength;
  public Long directoryOffset;

  /** Whether there is a ZIP64 end record, whose fields the other one leaves to it. */
  public boolean wide;

  public int locatorDisk;
  public int locatorDisks = 1;
  public Long locatorOffset;
  public Long wideEntries;
  public Long wideDirectoryOffset;
  public boolean narrowContradicts;

  /** An entry: the fields of its central header, and those of its local header where not null. */
  public static final class Part {
    public byte[] name;
    public int method;
    public int flags;
    public int crc;
    public long size;
    public long compressedSize;
    public int disk;
    public byte[] data;
    public byte[] extra = {};
    public byte[] localExtra = {};
    public byte[] comment = {};
    public byte[] descriptor = {};
    public byte[] localName;
    public Integer localSignature;
    public Integer localFlags;
    public Integer localMethod;
    public Integer localCrc;
    public Long localSize;
    public Long localCompressedSize;
    public Long offset;
    public boolean isListed = true;
    public boolean isWritten = true;
  }

  public HandMadeZip stored(String name, byte[] data) {
    return add(name, CentralHeader.STORED, data, data);
  }

  /** Adds a deflated entry without a data descriptor. */
  public HandMadeZip deflated(String name, byte[] data) {
    return add(name, CentralHeader.DEFLATED, data, Gz.deflated(data));
  }

  private HandMadeZip add(String name, int method, byte[] data, byte[] inFile) {
    Part part = new Part();
    part.name = name.getBytes(StandardCharsets.UTF_8);
    part.method = method;
    part.crc = crc(data);
    part.size = data.length;
    part.compressedSize = inFile.length;
    part.data = inFile;
    parts.add(part);
    return this;
  }

  /** Changes the entry that was added last. */
  public HandMadeZip part(Consumer<Part> change) {
    change.accept(parts.get(parts.size() - 1));
    return this;
  }

  public HandMadeZip with(Consumer<HandMadeZip> change) {
    change.accept(this);
    return this;
  }

  public static int crc(byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return (int) crc.getValue();
  }

  /** Writes an entry as the product does. */
  static void addStored(ZipWriter writer, String name, byte[] data) throws IOException {
    try (Output entry = writer.stored(name, data.length, Integer.toUnsignedLong(crc(data)))) {
      entry.write(ByteBuffer.wrap(data));
    }
  }

  public static void addDeflated(ZipWriter writer, String name, byte[] data) throws IOException {
    try (Output entry = writer.deflated(name, data.length)) {
      entry.write(ByteBuffer.wrap(data));
    }
  }

  /** Little-endian integers of 32 bits. */
  public static byte[] ints(int... values) {
    ByteBuffer bytes = little(values.length * Integer.BYTES);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  /** A ZIP64 extra field. */
  public static byte[] zip64(long... values) {
    ByteBuffer bytes = little(4 + values.length * Long.BYTES);
    bytes.putShort((short) 1).putShort((short) (values.length * Long.BYTES));
    for (long value : values) {
      bytes.putLong(value);
    }
    return bytes.array();
  }

  private static ByteBuffer little(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static <T> T or(T changed, T right) {
    return changed == null ? right : changed;
  }

  MemoryInput input() {
    return new MemoryInput(PATH, bytes());
  }

  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream directory = new ByteArrayOutputStream();
    out.writeBytes(before);
    int listed = 0;
    for (Part part : parts) {
      long offset = out.size() - before.length;
      if (part.isWritten) {
        out.writeBytes(local(part));
      }
      if (part.isListed) {
        directory.writeBytes(central(part, or(part.offset, offset)));
        listed++;
      }
    }
    long start = out.size() - before.length;
    out.writeBytes(directory.toByteArray());
    if (wide) {
      out.writeBytes(wideEnd(out.size(), listed, directory.size(), start));
    }
    out.writeBytes(end(listed, directory.size(), start));
    out.writeBytes(comment);
    out.writeBytes(after);
    return out.toByteArray();
  }

  private static byte[] local(Part part) {
    byte[] name = or(part.localName, part.name);
    ByteBuffer header = little(LocalHeader.LENGTH);
    header.putInt(or(part.localSignature, LocalHeader.SIGNATURE)).putShort((short) 20);
    header.putShort(or(part.localFlags, part.flags).shortValue());
    header.putShort(or(part.localMethod, part.method).shortValue()).putInt(0x210000);
    header.putInt(or(part.localCrc, part.crc));
    header.putInt(or(part.localCompressedSize, part.compressedSize).intValue());
    header.putInt(or(part.localSize, part.size).intValue());
    header.putShort((short) name.length).putShort((short) part.localExtra.length);
    return Gz.join(header.array(), name, part.localExtra, part.data, part.descriptor);
  }

  private static byte[] central(Part part, long offset) {
    ByteBuffer header = little(CentralHeader.LENGTH);
    header.putInt(CentralHeader.SIGNATURE).putShort((short) 20).putShort((short) 20);
    header.putShort((short) part.flags).putShort((short) part.method).putInt(0x210000);
    header.putInt(part.crc).putInt((int) part.compressedSize).putInt((int) part.size);
    header.putShort((short) part.name.length).putShort((short) part.extra.length);
    header.putShort((short) part.comment.length).putShort((short) part.disk);
    header.putShort((short) 0).putInt(0).putInt((int) offset);
    return Gz.join(header.array(), part.name, part.extra, part.comment);
  }

  private byte[] wideEnd(long at, long listed, long length, long start) {
    ByteBuffer end = little(56 + 20);
    end.putInt(0x06064b50).putLong(44).putShort((short) 45).putShort((short) 45);
    end.putInt(disk).putInt(directoryDisk);
    end.putLong(or(wideEntries, listed)).putLong(or(wideEntries, listed));
    end.putLong(length).putLong(or(wideDirectoryOffset, start));
    end.putInt(0x07064b50).putInt(locatorDisk).putLong(or(locatorOffset, at)).putInt(locatorDisks);
    return end.array();
  }

  private byte[] end(long listed, long length, long start) {
    boolean isLeft = wide && !narrowContradicts;
    long count = or(entries, isLeft ? 0xffff : listed);
    ByteBuffer end = little(22);
    end.putInt(0x06054b50).putShort((short) disk).putShort((short) directoryDisk);
    end.putShort(or(diskEntries, (int) count).shortValue()).putShort((short) count);
    end.putInt(or(directoryLength, isLeft ? -1 : length).intValue());
    end.putInt((int) (or(directoryOffset, isLeft ? -1 : start) + (narrowContradicts ? 1 : 0)));
    end.putShort(or(commentLength, comment.length).shortValue());
    return end.array();
  }
}
