package org.saevhadoop.format.arrow.file;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.flatbuffer.FlatTable;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.JsonScalars;

/**
 * A type of values that can be a field of sample metadata; the indexes are defined in Schema.fbs
 * (Arrow 18).
 *
 * @param dtype the type of numbers; null if the values are not numbers
 * @param bytes the size of a value in bytes; 0 for strings and booleans
 * @param digits the number of digits after the decimal point of a decimal, or of the seconds in a
 *     time
 * @param isUtc whether a timestamp is in UTC
 */
record ArrowScalar(ArrowType type, @Nullable DType dtype, int bytes, int digits, boolean isUtc) {
  /** Parameters of types. */
  private static final int UNIT = 0;

  private static final int ZONE = 1;
  private static final int SCALE = 1;
  private static final int TIME_BITS = 1;
  private static final int DECIMAL_BITS = 2;

  /** Units of dates and times, and the default units of types that state none. */
  private static final int DAY = 0;

  private static final int MILLIS = 1;
  private static final int NANOS = 3;
  private static final int DECIMAL = 128;

  private static final int DIGITS_OF_UNIT = 3;
  private static final int MAX_DIGITS = 76;
  private static final long MILLIS_OF_DAY = 86_400_000;

  /** Returns the type of a field; null if its values are not scalars of a supported type. */
  static @Nullable ArrowScalar of(ArrowType type, @Nullable DType dtype, FlatTable parameters)
      throws IOException {
    return switch (type) {
      case UTF8, LARGE_UTF8, UTF8_VIEW, BOOL -> new ArrowScalar(type, dtype, 0, 0, false);
      case INT, FLOATING_POINT ->
          dtype == null ? null : new ArrowScalar(type, dtype, dtype.bits() / Byte.SIZE, 0, false);
      case DATE -> {
        int unit = parameters.has(UNIT) ? parameters.i16(UNIT) : MILLIS;
        yield unit == DAY || unit == MILLIS
            ? new ArrowScalar(type, null, unit == DAY ? Integer.BYTES : Long.BYTES, 0, false)
            : null;
      }
      case TIME -> {
        int bits = parameters.has(TIME_BITS) ? parameters.i32(TIME_BITS) : Integer.SIZE;
        int unit = parameters.has(UNIT) ? parameters.i16(UNIT) : MILLIS;
        yield bits == Integer.SIZE || bits == Long.SIZE ? timed(type, bits, unit, false) : null;
      }
      case TIMESTAMP ->
          timed(
              type,
              Long.SIZE,
              parameters.i16(UNIT),
              !Optional.ofNullable(parameters.text(ZONE)).orElse("").isEmpty());
      case DECIMAL -> decimal(parameters);
      default -> null;
    };
  }

  static ArrowScalar ofIntegers(DType dtype) {
    return new ArrowScalar(ArrowType.INT, dtype, dtype.bits() / Byte.SIZE, 0, false);
  }

  private static @Nullable ArrowScalar timed(ArrowType type, int bits, int unit, boolean isUtc) {
    return unit >= 0 && unit <= NANOS
        ? new ArrowScalar(type, null, bits / Byte.SIZE, DIGITS_OF_UNIT * unit, isUtc)
        : null;
  }

  private static @Nullable ArrowScalar decimal(FlatTable parameters) throws IOException {
    int bits = parameters.has(DECIMAL_BITS) ? parameters.i32(DECIMAL_BITS) : DECIMAL;
    int scale = parameters.i32(SCALE);
    return bits >= Integer.SIZE
            && bits <= 2 * DECIMAL
            && Integer.bitCount(bits) == 1
            && scale >= -MAX_DIGITS
            && scale <= MAX_DIGITS
        ? new ArrowScalar(ArrowType.DECIMAL, null, bits / Byte.SIZE, scale, false)
        : null;
  }

  boolean isText() {
    return type == ArrowType.UTF8 || type == ArrowType.LARGE_UTF8 || type == ArrowType.UTF8_VIEW;
  }

  boolean isBits() {
    return type == ArrowType.BOOL;
  }

  /**
   * Returns whether values are integers or booleans, which may belong to tokens instead of the
   * sample metadata.
   */
  boolean isInteger() {
    return type == ArrowType.INT || type == ArrowType.BOOL;
  }

  /**
   * Returns a value that is not a string as JSON.
   *
   * @param stored a little-endian buffer with the value; a boolean is one byte
   */
  String json(ByteBuffer stored) {
    int at = stored.position();
    return switch (type) {
      case DATE ->
          JsonScalars.date(
              bytes == Integer.BYTES
                  ? stored.getInt(at)
                  : Math.floorDiv(stored.getLong(at), MILLIS_OF_DAY));
      case TIME ->
          JsonScalars.time(bytes == Integer.BYTES ? stored.getInt(at) : stored.getLong(at), digits);
      case TIMESTAMP -> JsonScalars.timestamp(stored.getLong(at), digits, isUtc);
      case DECIMAL -> {
        byte[] number = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
          number[bytes - 1 - i] = stored.get(at + i);
        }
        yield JsonScalars.decimal(new BigInteger(number), digits);
      }
      default -> JsonScalars.number(required(dtype), widened(stored));
    };
  }

  private static DType required(@Nullable DType dtype) {
    if (dtype == null) {
      throw new IllegalStateException("no number");
    }
    return dtype;
  }

  /** Returns an integer of one or two bytes, extended to four bytes. */
  private ByteBuffer widened(ByteBuffer stored) {
    return type != ArrowType.INT || bytes >= Integer.BYTES
        ? stored
        : ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(0, (int) integer(stored));
  }

  /**
   * Returns an integer; an unsigned 64-bit integer of 2^63 or more is returned as a negative
   * number.
   */
  long integer(ByteBuffer stored) {
    int at = stored.position();
    return switch (required(dtype)) {
      case U8 -> Byte.toUnsignedInt(stored.get(at));
      case I8 -> stored.get(at);
      case U16 -> Short.toUnsignedInt(stored.getShort(at));
      case I16 -> stored.getShort(at);
      case U32 -> Integer.toUnsignedLong(stored.getInt(at));
      case I32 -> stored.getInt(at);
      default -> stored.getLong(at);
    };
  }
}
