package org.saevhadoop.format.tensor;

import static java.time.temporal.ChronoField.NANO_OF_SECOND;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Numbers, dates and times as JSON. Dates and times are strings in ISO 8601 format. */
public final class JsonScalars {
  /** The JSON text of a missing value. */
  public static final String NULL = "null";

  private static final int NANOS_DIGITS = 9;
  private static final long SECONDS_OF_DAY = 86_400;

  /** The end of a day in nanoseconds: 24:00:00 in ISO 8601 and in DuckDB. */
  private static final long END_OF_DAY = 86_400_000_000_000L;

  /** Formatters for times, indexed by the number of fractional-second digits. */
  private static final List<DateTimeFormatter> TIMES =
      IntStream.rangeClosed(0, NANOS_DIGITS).mapToObj(JsonScalars::formatter).toList();

  private JsonScalars() {}

  private static DateTimeFormatter formatter(int digits) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().appendPattern("HH:mm:ss");
    return digits == 0
        ? builder.toFormatter()
        : builder.appendFraction(NANO_OF_SECOND, digits, digits, true).toFormatter();
  }

  /**
   * Returns a number or a boolean. Numbers that JSON cannot represent, such as NaN, become strings.
   *
   * @param stored the stored value, little-endian, with integers in at least four bytes; null for a
   *     missing value
   */
  public static String number(DType dtype, @Nullable ByteBuffer stored) {
    if (stored == null) {
      return NULL;
    }
    int at = stored.position();
    return switch (dtype) {
      case BOOL -> String.valueOf(stored.get(at) != 0);
      case F16 -> number(half(stored.getShort(at)));
      case F32 -> number(stored.getFloat(at));
      case F64 -> {
        double value = stored.getDouble(at);
        yield Double.isFinite(value) ? String.valueOf(value) : "\"" + value + "\"";
      }
      case I64 -> String.valueOf(stored.getLong(at));
      case U64 -> Long.toUnsignedString(stored.getLong(at));
      case U32 -> Integer.toUnsignedString(stored.getInt(at));
      default -> String.valueOf(stored.getInt(at));
    };
  }

  private static String number(float value) {
    return Float.isFinite(value) ? String.valueOf(value) : "\"" + value + "\"";
  }

  private static float half(short bits) {
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    float magnitude =
        switch (exponent) {
          case 0 -> Math.scalb(fraction, -24);
          case 0x1f -> fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
          default -> Math.scalb(0x400 + fraction, exponent - 25);
        };
    return bits < 0 ? -magnitude : magnitude;
  }

  /** Returns a decimal number with all its digits. */
  public static String decimal(BigInteger unscaled, int scale) {
    return new BigDecimal(unscaled, scale).toPlainString();
  }

  /**
   * Returns a date.
   *
   * @param day the number of days since 1970-01-01
   */
  public static String date(long day) {
    return "\"" + LocalDate.ofEpochDay(day) + "\"";
  }

  /**
   * Returns a time of day.
   *
   * @param count the number of units since midnight
   * @param digits the number of fractional-second digits that the unit resolves
   */
  public static String time(long count, int digits) {
    long nanos = Math.multiplyExact(count, power(NANOS_DIGITS - digits));
    return nanos == END_OF_DAY
        ? "\"24" + TIMES.get(digits).format(LocalTime.MIDNIGHT).substring(2) + "\""
        : "\"" + TIMES.get(digits).format(LocalTime.ofNanoOfDay(nanos)) + "\"";
  }

  /**
   * Returns a date and time.
   *
   * @param count the number of units since 1970-01-01
   * @param digits the number of fractional-second digits that the unit resolves
   * @param isUtc whether the time is in UTC, rather than in an unknown time zone
   */
  public static String timestamp(long count, int digits, boolean isUtc) {
    long units = power(digits);
    long nanos = Math.floorMod(count, units) * power(NANOS_DIGITS - digits);
    return timestamp(Math.floorDiv(count, units), nanos, digits, isUtc);
  }

  /**
   * Returns a date and time.
   *
   * @param second the number of seconds since 1970-01-01
   * @param nanos the nanoseconds within the second
   * @param digits the number of fractional-second digits to show
   * @param isUtc whether the time is in UTC, rather than in an unknown time zone
   */
  public static String timestamp(long second, long nanos, int digits, boolean isUtc) {
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(second, SECONDS_OF_DAY));
    LocalTime time =
        LocalTime.ofSecondOfDay(Math.floorMod(second, SECONDS_OF_DAY)).plusNanos(nanos);
    return "\"" + date + "T" + TIMES.get(digits).format(time) + (isUtc ? "Z" : "") + "\"";
  }

  private static long power(int digits) {
    long power = 1;
    for (int i = 0; i < digits; i++) {
      power *= 10;
    }
    return power;
  }
}
