package org.saevhadoop.jobs.diff;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.api.PublicApi;

/**
 * The largest difference between two finite values that does not count.
 *
 * @param limit the largest distance that does not count; 0 for {@link Measure#BITS} and {@link
 *     Measure#BF16}
 */
@PublicApi
public record Tolerance(Measure measure, double limit) {
  /** The measure of the distance between two values. */
  public enum Measure {
    /** Any difference in the bits counts, after both values are widened to the same type. */
    BITS,
    /** {@code |a - b|}. */
    ABS,
    /** {@code |a - b| / max(|a|, |b|)}. */
    REL,
    /** The number of steps between the values in the narrower of the two types. */
    ULP,
    /** Whether the values are different numbers after they are rounded to bfloat16. */
    BF16
  }

  /** Values are equal if their bits are equal. */
  public static final Tolerance NONE = new Tolerance(Measure.BITS, 0);

  /** The forms of text that {@link #parse} accepts. */
  public static final String FORMS = "abs:X|rel:X|ulp:N|bf16";

  private static final Pattern FORM = Pattern.compile("(abs|rel|ulp):([0-9.eE+-]+)|(bits|bf16)");

  /**
   * Parses one of the {@link #FORMS}, or {@code bits}.
   *
   * @throws IllegalArgumentException if the text has another form, or the limit is negative or not
   *     a number
   */
  public static Tolerance parse(String text) {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (form.matches() && form.group(3) != null) {
      return form.group(3).equals("bits") ? NONE : new Tolerance(Measure.BF16, 0);
    }
    if (form.matches()) {
      Measure measure = Measure.valueOf(form.group(1).toUpperCase(Locale.ROOT));
      double limit = limit(form.group(2));
      if (limit >= 0
          && limit < Double.POSITIVE_INFINITY
          && (measure != Measure.ULP || limit == Math.rint(limit))) {
        return new Tolerance(measure, limit);
      }
    }
    if (text.matches("[0-9.eE-]+")) {
      throw new IllegalArgumentException(
          "\"%s\" (expected abs:%s or rel:%s)".formatted(text, text, text));
    }
    throw new IllegalArgumentException(
        "\"%s\" (expected %s, where X and N are not negative)".formatted(text, FORMS));
  }

  private static double limit(String number) {
    try {
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns the limit as an integer, without a fraction. */
  BigInteger steps() {
    return new BigDecimal(limit).toBigInteger();
  }

  /** Returns the text that {@link #parse} accepts; for {@link #NONE} it is {@code bits}. */
  @Override
  public String toString() {
    String name = measure.name().toLowerCase(Locale.ROOT);
    return switch (measure) {
      case BITS, BF16 -> name;
      case ULP -> name + ":" + steps();
      default -> name + ":" + limit;
    };
  }
}
