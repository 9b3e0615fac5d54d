package org.saevhadoop.format.parquet.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The metadata at the end of a file: Parquet's {@code FileMetaData}, its length in 4 bytes, and
 * "PAR1".
 *
 * @param meta the metadata
 * @param limit the offset at which the pages of the file must end
 */
public record FileMetaData(ThriftStruct meta, long limit) {
  /** Size in bytes of the magic number at the beginning and the end of a file. */
  public static final int MAGIC = 4;

  private static final int END = 4 + MAGIC;
  private static final int PAR1 = 0x31524150;

  /**
   * Reads the metadata; bytes that are read along with it remain cached in {@code file}.
   *
   * @param tail the number of bytes to read initially from the end of the file
   */
  public static FileMetaData read(ByteWindows file, int tail) throws IOException {
    long length = file.length();
    String path = file.path();
    ParquetError.BAD_PARQUET.check(
        length >= MAGIC + END, path, "has %d bytes (expected a Parquet file)", length);
    file.keepFrom(Math.max(0, length - tail));
    ByteBuffer end = file.read(length - END, END);
    int footer = end.getInt();
    ParquetError.BAD_PARQUET.check(
        end.getInt() == PAR1, path, "does not end with PAR1 (expected a Parquet file)");
    ParquetError.BAD_PARQUET.check(
        footer > 0 && footer <= length - MAGIC - END,
        path,
        "the footer has %d bytes (expected at most %d)",
        footer & 0xffffffffL,
        length - MAGIC - END);
    ParquetLimits.check(footer, ParquetLimits.MAX_FOOTER_BYTES, "bytes of footer");
    long limit = length - END - footer;
    return new FileMetaData(
        ThriftStruct.read(
            file.read(limit, footer),
            new MemoryAccount(ParquetLimits.MAX_FOOTER_MEMORY, "a footer")),
        limit);
  }
}
