package org.saevhadoop.format.parquet.file;

import org.saevhadoop.format.codec.Zstd;
import org.saevhadoop.format.io.FormatException;

/**
 * The pages of a column in a row group.
 *
 * @param codec the compression of the pages
 * @param range the bytes of the pages
 * @param values the number of values, including nulls
 */
public record ChunkPages(PageCodec codec, FileRange range, long values) {
  /**
   * Returns the pages of a column chunk.
   *
   * @param column the name of the column, for messages
   * @param type the type of the column, a Parquet {@code Type}
   * @param meta the {@code ColumnMetaData} of the chunk
   * @param limit the offset at which the pages of the file must end
   */
  public static ChunkPages of(String path, String column, int type, ThriftStruct meta, long limit)
      throws FormatException {
    int codecs = PageCodec.values().length;
    int number = meta.integer(4);
    ParquetError.UNSUPPORTED_PARQUET.check(
        number >= 0 && number < codecs && PageCodec.values()[number].readable(),
        path,
        "column %s is compressed with %s (expected %s or none)",
        column,
        number >= 0 && number < codecs ? PageCodec.values()[number] : "codec " + number,
        PageCodec.READ);
    if (PageCodec.values()[number] == PageCodec.ZSTD && Zstd.problem().isPresent()) {
      throw ParquetError.UNSUPPORTED_PARQUET
          .in(
              path,
              "column %s is compressed with ZSTD (expected %s; or the file rewritten in Python with"
                  + " pyarrow.parquet.write_table(pyarrow.parquet.read_table(path), other,"
                  + " compression=\"snappy\"))",
              column,
              Zstd.NEEDED)
          .causedBy(Zstd.problem().get());
    }
    long data = meta.number(9);
    long dictionary = meta.number(11);
    long start = dictionary > 0 ? Math.min(dictionary, data) : data;
    long bytes = meta.number(7);
    if (meta.number(5) == 0) { // pyarrow gives the pages of a row group without rows the offset 0
      return new ChunkPages(PageCodec.values()[number], new FileRange(FileMetaData.MAGIC, 0), 0);
    }
    ParquetError.BAD_PARQUET.check(
        start >= FileMetaData.MAGIC && bytes >= 0 && start <= limit - bytes,
        path,
        "column %s has %d bytes at byte %d (expected its end before %d)",
        column,
        bytes,
        start,
        limit);
    ThriftStruct.require(
        meta.integer(1) == type, "the type of a column chunk differs from that of its column");
    return new ChunkPages(PageCodec.values()[number], new FileRange(start, bytes), meta.number(5));
  }
}
