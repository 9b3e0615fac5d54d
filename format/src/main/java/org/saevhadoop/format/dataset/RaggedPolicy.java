package org.saevhadoop.format.dataset;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;
import org.saevhadoop.format.tensor.SmallFloat;
import org.saevhadoop.format.tensor.TensorValues;

/**
 * Treatment of samples of different lengths; all examples must have the same number of tokens.
 *
 * @param tokens the number of tokens after truncation or padding; 0 for the other modes
 */
public record RaggedPolicy(Mode mode, int tokens, double value) {
  /** Refuses different lengths with an error that lists the lengths and the alternatives. */
  public static final RaggedPolicy ERROR = new RaggedPolicy(Mode.ERROR, 0, 0);

  private static final int FILLING = 4096;
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
  private static final int MAX_SHOWN = 8;
  private static final Pattern TEXT =
      Pattern.compile("(error|flatten|truncate:([0-9]+)|pad:([0-9]+)(?::(.+))?)");

  public enum Mode {
    ERROR,
    /** Turns each token into an example with a single token. */
    FLATTEN,
    /** Drops the last tokens of longer samples. */
    TRUNCATE,
    /** Pads shorter samples at the end. */
    PAD
  }

  /**
   * Parses the notation used in options.
   *
   * @throws IllegalArgumentException if the text is not in this notation
   */
  public static RaggedPolicy parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    try {
      if (matcher.matches()) {
        Mode mode = Mode.valueOf(matcher.group(1).replaceFirst(":.*", "").toUpperCase(Locale.ROOT));
        String tokens = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
        String value = matcher.group(4);
        int count = tokens == null ? 0 : Integer.parseInt(tokens);
        if (tokens == null || count > 0) {
          return new RaggedPolicy(mode, count, value == null ? 0 : value(value));
        }
      }
    } catch (NumberFormatException e) {
      // reported below, like any other invalid text
    }
    throw new IllegalArgumentException(
        "\"%s\" (expected error, flatten, truncate:N, pad:N or pad:N:VALUE)".formatted(text));
  }

  private static double value(String text) {
    double value = Double.parseDouble(text);
    if (INTEGER.matcher(text).matches()
        && new BigDecimal(text).compareTo(new BigDecimal(value)) != 0) {
      throw new IllegalArgumentException(
          "float64 does not hold the padding %s (expected VALUE of pad:N:VALUE to be a float64)"
              .formatted(text));
    }
    return value;
  }

  /** Returns whether each token is an example. */
  public boolean isFlattening() {
    return mode == Mode.FLATTEN;
  }

  /**
   * Returns a little-endian buffer of padding values. Values are rounded for float types of 16 bits
   * or more.
   *
   * @param path the path of the dataset
   * @throws FormatException if the type cannot represent the value
   */
  public ByteBuffer filling(String path, DType dtype) throws FormatException {
    ByteBuffer one = one(dtype);
    DatasetError.NOT_CONVERTIBLE.check(
        one.hasRemaining(),
        path,
        "its values are %s, which does not hold the padding %s (expected --ragged pad:%d:VALUE with a"
            + " value of %s)",
        dtype,
        value,
        tokens,
        dtype);
    ByteBuffer filling = ByteBuffer.allocate(FILLING * one.remaining());
    while (filling.hasRemaining()) {
      filling.put(one.duplicate());
    }
    return filling.flip();
  }

  /** Returns one padding value; empty if the type cannot represent the value. */
  private ByteBuffer one(DType dtype) {
    if (dtype.name().startsWith("F8_")) {
      return IntStream.range(0, 256)
          .filter(bits -> Double.compare(SmallFloat.of(dtype, (byte) bits), value) == 0)
          .mapToObj(bits -> ByteBuffer.wrap(new byte[] {(byte) bits}))
          .findFirst()
          .orElse(NONE);
    }
    if (!DTypeConversion.exists(DType.F64, dtype)) {
      return NONE;
    }
    ByteBuffer from = ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer to = ByteBuffer.allocate(dtype.bits() / Byte.SIZE);
    DTypeConversion conversion =
        DTypeConversion.of(DType.F64, dtype, RoundingPolicy.NEAREST_EVEN, RangePolicy.WRAP);
    conversion.convert(from.putDouble(value).flip(), to);
    ConversionChanges changes = conversion.changes();
    boolean integers = TensorValues.of(dtype, NONE).areIntegers();
    return integers && changes.changed() > 0 || changes.overflowed() > 0 ? NONE : to.flip();
  }

  /**
   * Returns the number of tokens of each example.
   *
   * @param path the path of the dataset
   * @param lengths the number of samples for each number of tokens; not empty
   * @param notes a consumer of warnings about changed samples
   * @throws FormatException if samples have lengths that this policy does not allow
   */
  public int tokens(String path, SortedMap<Long, Long> lengths, Consumer<String> notes)
      throws FormatException {
    long shortest = lengths.firstKey();
    long longest = lengths.lastKey();
    DatasetError.RAGGED.check(
        isFlattening() || shortest > 0 || tokens > 0,
        path,
        "has %d samples without tokens (expected --ragged flatten, which leaves out such samples,"
            + " or pad:N)",
        lengths.get(shortest));
    switch (mode) {
      case FLATTEN:
        if (shortest == 0) {
          notes.accept(
              Quote.sentence("%d samples were left out for lack of tokens", lengths.get(0L)));
        }
        return 1;
      case TRUNCATE:
        DatasetError.RAGGED.check(
            shortest >= tokens,
            path,
            "has samples of %d tokens (expected at least %d, or --ragged pad:N)",
            shortest,
            tokens);
        note("%d samples were cut to %d tokens", count(lengths.tailMap(tokens + 1L)), notes);
        return tokens;
      case PAD:
        DatasetError.RAGGED.check(
            longest <= tokens,
            path,
            "has samples of %d tokens (expected at most %d, or --ragged truncate:N)",
            longest,
            tokens);
        note("%d samples were padded to %d tokens", count(lengths.headMap((long) tokens)), notes);
        return tokens;
      default:
        if (lengths.size() > 1) {
          throw refuse(path, lengths);
        }
        DatasetError.TOO_LARGE.check(
            longest <= Integer.MAX_VALUE, path, "has samples of %d tokens", longest);
        return (int) longest;
    }
  }

  private void note(String template, long samples, Consumer<String> notes) {
    if (samples > 0) {
      notes.accept(Quote.sentence(template, samples, tokens));
    }
  }

  private static long count(Map<Long, Long> lengths) {
    return lengths.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the error for samples of different lengths in mode ERROR. */
  public static FormatException refuse(String path, SortedMap<Long, Long> lengths) {
    String shown =
        lengths.entrySet().stream()
            .limit(MAX_SHOWN)
            .map(e -> Quote.sentence("%d (%d times)", e.getKey(), e.getValue()))
            .collect(Collectors.joining(", "));
    return DatasetError.RAGGED.in(
        path,
        "samples have different lengths, from %d to %d tokens: %s%s (expected one length, or"
            + " --ragged flatten, truncate:N or pad:N)",
        lengths.firstKey(),
        lengths.lastKey(),
        shown,
        lengths.size() > MAX_SHOWN ? " ..." : "");
  }

  /** Returns the notation that {@link #parse} accepts. */
  @Override
  public String toString() {
    String name = mode.name().toLowerCase(Locale.ROOT);
    return switch (mode) {
      case ERROR, FLATTEN -> name;
      case TRUNCATE -> name + ":" + tokens;
      case PAD -> name + ":" + tokens + ":" + value;
    };
  }
}
