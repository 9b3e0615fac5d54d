package org.saevhadoop.format.parquet.file;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Reads consecutive pages of a column. Only the memory of the last page read is charged. */
public final class PageReader {
  /** Types of pages. */
  public static final int DATA = 0;

  public static final int DICTIONARY = 2;
  public static final int DATA_V2 = 3;

  /** Encodings of values and levels. */
  public static final int PLAIN = 0;

  public static final int PLAIN_DICTIONARY = 2;
  public static final int RLE = 3;
  public static final int RLE_DICTIONARY = 8;

  private static final long MAX_HEADER_MEMORY = 4L * ParquetLimits.MAX_PAGE_HEADER_BYTES;

  private final ByteWindows file;
  private final PageCodec codec;
  private final int maxBytes;
  private final MemoryAccount memory;
  private long position;
  private long end;
  private long taken;

  /**
   * A page.
   *
   * @param start the offset of its header in the file
   * @param header the Parquet {@code PageHeader}
   * @param body the bytes after the header, which can be compressed
   */
  public record Page(long start, ThriftStruct header, ByteBuffer body) {
    public int type() {
      return header.integer(1);
    }

    /** Returns the number of bytes of the body before compression. */
    public int unpackedBytes() {
      return header.integer(2);
    }
  }

  /**
   * Creates a reader of the pages of a chunk.
   *
   * @param maxBytes the maximum size of a page in bytes, compressed or decompressed
   * @param memory the account that is charged for the current page
   */
  public PageReader(ByteWindows file, ChunkPages pages, int maxBytes, MemoryAccount memory) {
    this.file = file;
    this.codec = pages.codec();
    this.maxBytes = maxBytes;
    this.memory = memory;
    moveTo(pages.range().start(), pages.range().end());
  }

  /** Continues at the header of a page. */
  public void moveTo(long start, long end) {
    this.position = start;
    this.end = end;
  }

  /** Returns the offset of the next page. */
  public long position() {
    return position;
  }

  /** Returns whether there is another page. */
  public boolean hasNext() {
    return position < end;
  }

  /** Reads the next page, which replaces the last one, and compares its CRC if it has one. */
  public Page next() throws IOException {
    release();
    long start = position;
    ThriftStruct header = null;
    int headerBytes = 0;
    for (int size = 512; header == null; size *= 16) {
      int have = (int) Math.min(size, end - position);
      ByteBuffer bytes = file.read(position, have);
      try {
        header = ThriftStruct.read(bytes, new MemoryAccount(MAX_HEADER_MEMORY, "a page header"));
        headerBytes = bytes.position();
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        if (have == end - position || size > ParquetLimits.MAX_PAGE_HEADER_BYTES / 16) {
          throw e;
        }
      }
    }
    int size = header.integer(3);
    ParquetError.BAD_PARQUET.check(
        size >= 0 && size <= end - position - headerBytes,
        file.path(),
        "the page at byte %d has %d bytes (expected at most %d)",
        position,
        size,
        end - position - headerBytes);
    ParquetLimits.check(size, maxBytes, "bytes in a page");
    take(size);
    ByteBuffer body = file.read(position + headerBytes, size);
    if (header.has(4)) {
      CRC32 crc = new CRC32();
      crc.update(body.duplicate());
      ParquetError.BAD_PARQUET.check(
          (int) crc.getValue() == (int) header.number(4),
          file.path(),
          "the page at byte %d is corrupt: its CRC is %08x (expected %08x)",
          position,
          (int) crc.getValue(),
          (int) header.number(4));
    }
    position += headerBytes + size;
    return new Page(start, header, body);
  }

  /** Charges memory for the page that was read. */
  public void take(long bytes) {
    memory.take(bytes);
    taken += bytes;
  }

  /** Credits the memory of the page that was read. */
  public void release() {
    memory.release(taken);
    taken = 0;
  }

  /** Decompresses the rest of a page. */
  public ByteBuffer unpack(ByteBuffer body, int size) {
    ParquetLimits.check(size, maxBytes, "bytes in an unpacked page");
    if (codec != PageCodec.UNCOMPRESSED) {
      take(size);
    }
    return codec.unpack(body, size);
  }

  /**
   * Reads levels that are preceded by their size.
   *
   * @param highest the highest level
   */
  public static RunLengthDecoder levels(ByteBuffer in, int highest, int encoding) {
    if (highest == 0) {
      return new RunLengthDecoder(in, 0);
    }
    ThriftStruct.require(encoding == RLE, "levels are in encoding " + encoding);
    return sizedLevels(in, highest, in.getInt());
  }

  /** Reads levels of a given size. */
  public static RunLengthDecoder sizedLevels(ByteBuffer in, int highest, int size) {
    ThriftStruct.require(size >= 0 && size <= in.remaining(), "levels are longer than their page");
    ByteBuffer levels = in.slice(in.position(), size);
    in.position(in.position() + size);
    return new RunLengthDecoder(levels, Integer.SIZE - Integer.numberOfLeadingZeros(highest));
  }
}
