package org.saevhadoop.format.parquet.table;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.parquet.file.ThriftStruct;
import org.saevhadoop.format.tensor.JsonScalars;

/**
 * The type of the values of a column that are neither numbers nor strings: {@code LogicalType} or
 * {@code ConvertedType} of parquet.thrift (parquet-format 2.11), or INT96.
 *
 * @param digits the number of fractional digits of a decimal, or of the seconds in a time
 * @param isUtc whether a timestamp is in UTC
 */
record ScalarType(Kind kind, int digits, boolean isUtc) {
  /** Kinds of values. */
  enum Kind {
    DATE,
    TIME,
    TIMESTAMP,
    /**
     * A timestamp as written by Impala and older versions of Spark: the nanoseconds of the day, and
     * a Julian day.
     */
    INT96,
    DECIMAL,
    UUID
  }

  static final int INT96 = 3;
  static final int INT96_BYTES = 12;

  /** Fields of {@code SchemaElement}. */
  private static final int CONVERTED = 6;

  private static final int SCALE = 7;
  private static final int LOGICAL = 10;

  /**
   * Members of {@code LogicalType}; {@code ConvertedType} has the same numbers for DECIMAL and
   * DATE.
   */
  private static final int DECIMAL = 5;

  private static final int DATE = 6;
  private static final int TIME = 7;
  private static final int TIMESTAMP = 8;
  private static final int UUID = 14;

  /** Members of {@code ConvertedType} whose numbers differ: times, then timestamps. */
  private static final int TIME_MILLIS = 7;

  private static final int TIMESTAMP_MICROS = 10;

  /** The maximum number of digits of a decimal in Arrow. */
  private static final int MAX_DIGITS = 76;

  private static final int MAX_DECIMAL_BYTES = 32;
  private static final int UUID_BYTES = 16;
  private static final long NANOS = 1_000_000_000;
  private static final long SECONDS_OF_DAY = 86_400;
  private static final int NANOS_DIGITS = 9;
  private static final long JULIAN_1970 = 2_440_588;

  /**
   * Returns the type of the values of a column; empty if values are numbers or strings.
   *
   * @param type the Parquet {@code Type}
   * @param width the number of bytes of a stored value
   */
  static Optional<ScalarType> of(int type, int width, ThriftStruct element) {
    if (type == INT96) {
      return Optional.of(new ScalarType(Kind.INT96, NANOS_DIGITS, false));
    }
    ThriftStruct logical = element.struct(LOGICAL);
    ScalarType found =
        logical != null
            ? logical(logical)
            : element.has(CONVERTED) ? converted(element, element.integer(CONVERTED)) : null;
    return Optional.ofNullable(found).filter(own -> own.isStoredAs(type, width));
  }

  private static @Nullable ScalarType logical(ThriftStruct logical) {
    if (logical.has(DATE)) {
      return new ScalarType(Kind.DATE, 0, false);
    }
    if (logical.has(DECIMAL)) {
      ThriftStruct decimal = logical.required(DECIMAL, "a decimal has no scale");
      return new ScalarType(Kind.DECIMAL, decimal.integer(1), false);
    }
    if (logical.has(UUID)) {
      return new ScalarType(Kind.UUID, 0, false);
    }
    boolean isTime = logical.has(TIME);
    if (!isTime && !logical.has(TIMESTAMP)) {
      return null;
    }
    ThriftStruct time = logical.required(isTime ? TIME : TIMESTAMP, "a time has no unit");
    ThriftStruct unit = time.required(2, "a time has no unit");
    int digits = unit.has(1) ? 3 : unit.has(2) ? 6 : NANOS_DIGITS;
    return new ScalarType(isTime ? Kind.TIME : Kind.TIMESTAMP, digits, time.isTrue(1));
  }

  private static @Nullable ScalarType converted(ThriftStruct element, int number) {
    return switch (number) {
      case DECIMAL -> new ScalarType(Kind.DECIMAL, element.integer(SCALE), false);
      case DATE -> new ScalarType(Kind.DATE, 0, false);
      case TIME_MILLIS, TIME_MILLIS + 1 ->
          new ScalarType(Kind.TIME, 3 * (number - TIME_MILLIS + 1), true);
      case TIMESTAMP_MICROS - 1, TIMESTAMP_MICROS ->
          new ScalarType(Kind.TIMESTAMP, 3 * (number - TIMESTAMP_MICROS + 2), true);
      default -> null;
    };
  }

  /**
   * Returns whether values of this type can be read if they are stored as the given Parquet type.
   */
  private boolean isStoredAs(int type, int width) {
    return switch (kind) {
      case DATE -> type == TableColumn.INT32;
      case TIME, TIMESTAMP ->
          type == (digits == 3 && kind == Kind.TIME ? TableColumn.INT32 : TableColumn.INT64);
      case INT96 -> true;
      case DECIMAL ->
          digits >= 0
              && digits <= MAX_DIGITS
              && (type == TableColumn.INT32
                  || type == TableColumn.INT64
                  || type == TableColumn.BYTE_ARRAY
                  || type == TableColumn.FIXED && width > 0 && width <= MAX_DECIMAL_BYTES);
      case UUID -> type == TableColumn.FIXED && width == UUID_BYTES;
    };
  }

  /**
   * Returns a value as JSON.
   *
   * @param column the column of the value
   * @param stored the stored value, in a little-endian buffer; null for a null
   */
  String json(TableColumn column, @Nullable ByteBuffer stored) {
    if (stored == null) {
      return JsonScalars.NULL;
    }
    int at = stored.position();
    return switch (kind) {
      case DATE -> JsonScalars.date(stored.getInt(at));
      case TIME -> JsonScalars.time(number(column, stored), digits);
      case TIMESTAMP -> JsonScalars.timestamp(number(column, stored), digits, isUtc);
      case INT96 -> {
        long nanos = stored.getLong(at);
        long day = stored.getInt(at + Long.BYTES) - JULIAN_1970;
        yield JsonScalars.timestamp(
            day * SECONDS_OF_DAY + Math.floorDiv(nanos, NANOS),
            Math.floorMod(nanos, NANOS),
            digits,
            isUtc);
      }
      case DECIMAL -> JsonScalars.decimal(unscaled(column, stored), digits);
      case UUID -> {
        ByteBuffer bigEndian = stored.duplicate();
        yield "\"" + new UUID(bigEndian.getLong(), bigEndian.getLong()) + "\"";
      }
    };
  }

  private static long number(TableColumn column, ByteBuffer stored) {
    int at = stored.position();
    return column.type() == TableColumn.INT32 ? stored.getInt(at) : stored.getLong(at);
  }

  /** Returns the unscaled integer of a decimal, which is big-endian if it is stored as bytes. */
  private static BigInteger unscaled(TableColumn column, ByteBuffer stored) {
    if (column.type() != TableColumn.FIXED && !column.isBytes()) {
      return BigInteger.valueOf(number(column, stored));
    }
    int length = column.isBytes() ? stored.remaining() : column.width();
    ThriftStruct.require(
        length > 0 && length <= MAX_DECIMAL_BYTES, "a decimal has %d bytes".formatted(length));
    byte[] bytes = new byte[length];
    stored.get(stored.position(), bytes);
    return new BigInteger(bytes);
  }
}
