package org.saevhadoop.format.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;

/** Writes the pages of a column chunk, one after another. */
final class ChunkWriter {
  private static final int DATA_PAGE = 0;
  private static final int DICTIONARY_PAGE = 2;
  private static final int PLAIN = 0;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;

  private final Output out;
  private final ColumnSchema column;
  private final PageCompression compression;
  private final long start;
  private final List<WrittenChunk.Page> pages = new ArrayList<>();
  private long firstData;
  private long rows;
  private long values;
  private long plainBytes;

  ChunkWriter(Output out, ColumnSchema column, PageCompression compression) {
    this.out = out;
    this.column = column;
    this.compression = compression;
    this.start = out.position();
    this.firstData = start;
  }

  /** Writes the dictionary of an uncompressed chunk; must be called before any page is written. */
  void dictionary(int entries, LocalSpool plain) throws IOException {
    int bytes = Math.toIntExact(plain.length());
    ThriftWriter header =
        new ThriftWriter()
            .i32(1, DICTIONARY_PAGE)
            .i32(2, bytes)
            .i32(3, bytes)
            .struct(7, new ThriftWriter().i32(1, entries).i32(2, PLAIN));
    out.write(ByteBuffer.wrap(header.toBytes()));
    plain.copyTo(out);
    plainBytes += out.position() - start;
    firstData = out.position();
  }

  /**
   * Writes a page.
   *
   * @param count the number of values, including nulls
   * @param body the levels and the values
   */
  void page(int pageRows, int count, ByteBuffer body, WrittenChunk.@Nullable Bounds bounds)
      throws IOException {
    int plain = body.remaining();
    ByteBuffer stored = compression.compress(body);
    CRC32 crc = new CRC32();
    crc.update(stored.duplicate());
    boolean hasDictionary = firstData > start;
    ThriftWriter data =
        new ThriftWriter()
            .i32(1, count)
            .i32(2, hasDictionary ? RLE_DICTIONARY : PLAIN)
            .i32(3, RLE)
            .i32(4, RLE);
    byte[] header =
        new ThriftWriter()
            .i32(1, DATA_PAGE)
            .i32(2, plain)
            .i32(3, stored.remaining())
            .i32(4, (int) crc.getValue())
            .struct(5, data)
            .toBytes();
    long offset = out.position();
    out.write(ByteBuffer.wrap(header));
    out.write(stored);
    int bytes = Math.toIntExact(out.position() - offset);
    pages.add(new WrittenChunk.Page(offset, bytes, rows, bounds));
    rows += pageRows;
    values += count;
    plainBytes += header.length + plain;
  }

  WrittenChunk end() {
    long bytes = out.position() - start;
    return new WrittenChunk(
        column, compression, start, firstData, values, bytes, plainBytes, List.copyOf(pages));
  }
}
