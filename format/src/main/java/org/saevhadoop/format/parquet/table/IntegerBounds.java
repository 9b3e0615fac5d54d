package org.saevhadoop.format.parquet.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.parquet.file.ThriftStruct;
import org.saevhadoop.format.tensor.DType;

/**
 * The bounds of the integers of a column in a row group; those above the maximum of a {@code long}
 * count as that.
 */
public record IntegerBounds(long min, long max) {
  /** Fields of {@code Statistics} of parquet.thrift; those before them have no defined order. */
  private static final int MAX = 5;

  private static final int MIN = 6;

  /** Returns the bounds that statistics state; empty if they state none. */
  static Optional<IntegerBounds> of(TableColumn column, @Nullable ThriftStruct statistics) {
    boolean areIntegers = column.isInteger() || column.isListOfIntegers();
    byte[] min = statistics == null ? null : statistics.bytes(MIN);
    byte[] max = statistics == null ? null : statistics.bytes(MAX);
    return areIntegers
            && min != null
            && max != null
            && min.length == column.width()
            && max.length == column.width()
        ? Optional.of(new IntegerBounds(number(min, column.dtype()), number(max, column.dtype())))
        : Optional.empty();
  }

  private static long number(byte[] stored, DType dtype) {
    ByteBuffer bytes = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    if (stored.length == Integer.BYTES) {
      int number = bytes.getInt();
      return dtype == DType.U32 ? Integer.toUnsignedLong(number) : number;
    }
    long number = bytes.getLong();
    return number < 0 && dtype == DType.U64 ? Long.MAX_VALUE : number;
  }
}
