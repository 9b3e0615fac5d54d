package org.saevhadoop.testing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Source of the values of a try. Numbers are boundary values, uniformly distributed, or small;
 * collections are often empty or full, and can contain repeated elements. In some tries, almost
 * every number is a boundary value. Ranges include both of their ends.
 */
public final class RandomValues {
  private static final int MAX_SHOWN = 300;
  private static final int MAX_ATTEMPTS = 1000;
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    1.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    1L << 53,
    0.1
  };
  private static final String TRICKY =
      "\0\t\n\r \"'\\/<>&;=${}\u007f\u0080\u00e9\u07ff\u0800\ud800\udbff\udc00\udfff\ufffd\uffff";

  private final SplittableRandom source;
  private final int boundaryPercent;
  private final List<String> drawn = new ArrayList<>();
  private int nesting;

  public RandomValues(long seed) {
    source = new SplittableRandom(seed);
    boundaryPercent = source.nextInt(10) == 0 ? 80 : 12;
  }

  /** Values drawn so far, except for parts of other values. */
  List<String> drawn() {
    return drawn;
  }

  public boolean bool() {
    return draw(source::nextBoolean);
  }

  public int intBetween(int min, int max) {
    return (int) longBetween(min, max);
  }

  public int anyInt() {
    return intBetween(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  public long anyLong() {
    return longBetween(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  public long longBetween(long min, long max) {
    if (min > max) {
      throw new IllegalArgumentException(min + " > " + max);
    }
    return draw(
        () -> {
          if (isBoundary()) {
            return boundary(min, max);
          }
          return source.nextBoolean() ? uniform(min, max) : nearZero(min, max);
        });
  }

  /** Most collections are small: large ones cost time and rarely show more. */
  private int size(int min, int max) {
    boolean isUniform = source.nextInt(4) == 0;
    return (int)
        (isBoundary() ? boundary(min, max) : isUniform ? uniform(min, max) : nearZero(min, max));
  }

  private boolean isBoundary() {
    return source.nextInt(100) < boundaryPercent;
  }

  private long boundary(long min, long max) {
    long power = 1L << source.nextInt(Long.SIZE);
    long[] candidates = {min, max, min, max, min + 1, max - 1, 0, 1, -1, power, power - 1, -power};
    long value = candidates[source.nextInt(candidates.length)];
    return value >= min && value <= max ? value : source.nextBoolean() ? min : max;
  }

  private long uniform(long min, long max) {
    if (max < Long.MAX_VALUE) {
      return source.nextLong(min, max + 1);
    }
    return min == Long.MIN_VALUE ? source.nextLong() : source.nextLong(min - 1, max) + 1;
  }

  /** All bit lengths are equally likely. */
  private long nearZero(long min, long max) {
    long origin = Math.max(min, Math.min(max, 0));
    boolean isUp = source.nextBoolean();
    long span = isUp ? max - origin : origin - min; // unsigned
    int bits = source.nextInt(Long.SIZE + 1 - Long.numberOfLeadingZeros(span));
    long offset = bits == 0 ? 0 : source.nextLong() >>> Long.SIZE - bits;
    offset = Long.compareUnsigned(offset, span) > 0 ? span : offset;
    return isUp ? origin + offset : origin - offset;
  }

  /** Returns a double with arbitrary bits, including NaN and infinities. */
  public double anyDouble() {
    return draw(
        () ->
            isBoundary()
                ? DOUBLES[source.nextInt(DOUBLES.length)]
                : Double.longBitsToDouble(anyLong()));
  }

  public double doubleBetween(double min, double max) {
    return draw(
        () -> {
          double inside = source.nextDouble(min, max);
          return isBoundary() ? source.nextBoolean() ? min : max : inside;
        });
  }

  public BigInteger bigInteger(int maxBits) {
    return draw(
        () -> {
          BigInteger magnitude = new BigInteger(intBetween(0, maxBits), random());
          return source.nextBoolean() ? magnitude : magnitude.negate();
        });
  }

  /** Returns a number with arbitrary bits, to seed another source. */
  public long seed() {
    return draw(source::nextLong);
  }

  public Random random() {
    return new Random(seed());
  }

  @SafeVarargs
  public final <T> T of(T... values) {
    return draw(() -> values[source.nextInt(values.length)]);
  }

  public <T> T of(List<? extends T> values) {
    return draw(() -> values.get(source.nextInt(values.size())));
  }

  public <E extends Enum<E>> E of(Class<E> type) {
    return of(type.getEnumConstants());
  }

  @SafeVarargs
  public final <T> T oneOf(Supplier<? extends T>... alternatives) {
    return draw(() -> alternatives[source.nextInt(alternatives.length)].get());
  }

  /** Returns null in one case out of five, on average. */
  public <T> T orNull(Supplier<? extends T> values) {
    return draw(() -> source.nextInt(5) == 0 ? null : values.get());
  }

  public <T> T filtered(Supplier<? extends T> values, Predicate<? super T> condition) {
    return draw(
        () -> {
          for (int i = 0; i < MAX_ATTEMPTS; i++) {
            T value = values.get();
            if (condition.test(value)) {
              return value;
            }
          }
          throw new IllegalStateException("no value satisfies the condition");
        });
  }

  public byte[] bytes(int min, int max) {
    return draw(
        () -> {
          byte[] bytes = new byte[size(min, max)];
          boolean isUniform = source.nextBoolean();
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (isUniform ? source.nextInt() : intBetween(-128, 127));
          }
          return bytes;
        });
  }

  public long[] longs(int minSize, int maxSize, long min, long max) {
    return draw(
        () -> {
          long[] longs = new long[size(minSize, maxSize)];
          Arrays.setAll(longs, i -> longBetween(min, max));
          return longs;
        });
  }

  /**
   * Returns text of {@code min} to {@code max} arbitrary chars, including lone surrogates,
   * surrogate pairs and control characters.
   */
  public String text(int min, int max) {
    return draw(
        () -> {
          StringBuilder text = new StringBuilder();
          int length = size(min, max);
          while (text.length() < length) {
            int kind = source.nextInt(length - text.length() > 1 ? 4 : 3);
            if (kind == 3) {
              text.appendCodePoint(
                  intBetween(Character.MIN_SUPPLEMENTARY_CODE_POINT, Character.MAX_CODE_POINT));
            } else if (kind == 2) {
              text.append(TRICKY.charAt(source.nextInt(TRICKY.length())));
            } else {
              text.append((char) (kind == 1 ? intBetween(0, 0xffff) : intBetween(' ', '~')));
            }
          }
          return text.toString();
        });
  }

  /** Returns text that consists of the given characters. */
  public String textOf(String characters, int min, int max) {
    return draw(
        () -> {
          StringBuilder text = new StringBuilder();
          for (int i = size(min, max); i > 0; i--) {
            text.append(characters.charAt(source.nextInt(characters.length())));
          }
          return text.toString();
        });
  }

  /** Returns a mutable list, in which elements may be repeated. */
  public <T> List<T> list(int min, int max, Supplier<? extends T> elements) {
    return draw(
        () -> {
          List<T> list = new ArrayList<>();
          for (int i = size(min, max); i > 0; i--) {
            boolean isAgain = !list.isEmpty() && source.nextInt(12) == 0;
            list.add(isAgain ? list.get(source.nextInt(list.size())) : elements.get());
          }
          return list;
        });
  }

  /** Returns a mutable list, in which no two elements have equal keys. */
  public <T> List<T> distinct(
      int min, int max, Function<? super T, ?> key, Supplier<? extends T> elements) {
    return draw(
        () -> {
          List<T> list = new ArrayList<>();
          Set<Object> keys = new HashSet<>();
          int size = size(min, max);
          for (int i = 0; list.size() < size && (i < MAX_ATTEMPTS || list.size() < min); i++) {
            if (i > MAX_ATTEMPTS * size) {
              throw new IllegalStateException("there are no " + min + " distinct elements");
            }
            T element = elements.get();
            if (keys.add(key.apply(element))) {
              list.add(element);
            }
          }
          return list;
        });
  }

  /** Returns a mutable map with at most this many keys. */
  public <K, V> Map<K, V> map(int max, Supplier<? extends K> keys, Supplier<? extends V> values) {
    return draw(
        () -> {
          Map<K, V> map = new LinkedHashMap<>();
          for (int i = size(0, max); i > 0; i--) {
            map.put(keys.get(), values.get());
          }
          return map;
        });
  }

  private <T> T draw(Supplier<T> values) {
    nesting++;
    T value = values.get();
    nesting--;
    if (nesting == 0) {
      String shown = Arrays.deepToString(new Object[] {value});
      drawn.add(shown.substring(1, Math.min(shown.length() - 1, MAX_SHOWN)));
    }
    return value;
  }
}
