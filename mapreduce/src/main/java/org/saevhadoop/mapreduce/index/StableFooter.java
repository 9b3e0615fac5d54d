package org.saevhadoop.mapreduce.index;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a Parquet file after its last row group, which are held until the file is complete.
 * parquet-java lists the encodings of a column in the order of a {@code HashSet} of enum constants
 * (ParquetFileWriter 1.18), which differs from JVM to JVM. Here they are sorted.
 */
final class StableFooter {
  /** The total size of the footer's length and the magic number, which follow the footer. */
  private static final int TRAILER_BYTES = 8;

  private @Nullable ByteArrayOutputStream held;

  /** Begins to collect written bytes. */
  void begin() {
    held = new ByteArrayOutputStream();
  }

  /** Returns whether written bytes must be passed to {@link #hold}. */
  boolean isHeld() {
    return held != null;
  }

  void hold(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(held).write(bytes, offset, length);
  }

  int length() {
    return held == null ? 0 : held.size();
  }

  /** Returns whether the end of the file was written; false if writing it failed. */
  boolean isComplete() {
    byte[] end = held == null ? new byte[0] : held.toByteArray();
    int magic = end.length - ParquetFileWriter.MAGIC.length;
    return magic > 0
        && Arrays.equals(ParquetFileWriter.MAGIC, Arrays.copyOfRange(end, magic, end.length));
  }

  /** Returns the end of the file. */
  byte[] bytes() throws IOException {
    byte[] end = Objects.requireNonNull(held).toByteArray();
    int trailer = end.length - TRAILER_BYTES;
    int length = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer);
    int start = trailer - length;
    FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(end, start, length));
    for (RowGroup group : footer.getRow_groups()) {
      for (ColumnChunk column : group.getColumns()) {
        List<Encoding> encodings = new ArrayList<>(column.getMeta_data().getEncodings());
        encodings.sort(Comparator.comparingInt(Encoding::getValue));
        column.getMeta_data().setEncodings(encodings);
      }
    }
    ByteArrayOutputStream sorted = new ByteArrayOutputStream(end.length);
    sorted.write(end, 0, start);
    Util.writeFileMetaData(footer, sorted);
    ByteBuffer size = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    sorted.writeBytes(size.putInt(sorted.size() - start).array());
    sorted.write(end, trailer + Integer.BYTES, Integer.BYTES);
    return sorted.toByteArray();
  }
}
