package org.saevhadoop.converters.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * An axis of a chart.
 *
 * @param scale the function whose results are proportional to positions on the axis
 * @param ticks the values at its ticks, in ascending order
 * @param gap the position on the axis at which a range without values was left out; NaN if no range
 *     was left out
 */
record ChartAxis(
    String name,
    double from,
    double to,
    DoubleUnaryOperator scale,
    List<Double> ticks,
    double gap) {
  /** The ratio of the largest to the smallest value beyond which an axis is logarithmic. */
  private static final double MAX_LINEAR = 20;

  /** The number of decades up to which an axis has ticks at 2 and 5 times a power of ten. */
  private static final double MAX_DIVIDED = 2.5;

  private static final int MAX_TICKS = 6;

  /** The position up to which a square-root axis has no tick except at 0. */
  private static final double MIN_ROOT = 0.2;

  /** The largest number of steps from the first to the last tick on one side of 0. */
  private static final int MAX_SIGNED = 4;

  private static final double ROUNDING = 1e-9;

  /** The minimum share of an axis that a range without values must take to be left out. */
  private static final double MIN_GAP = 0.5;

  /** The minimum factor by which the values beyond such a range exceed the others. */
  private static final double MIN_GAP_RATIO = 3;

  /** The share of the axis for a range that is left out. */
  private static final double GAP_WIDTH = 0.06;

  /** The smallest share of the axis for the values on one side of the gap. */
  private static final double MIN_SIDE = 0.25;

  /** Returns the position of a value; 0 is the beginning of the axis, and 1 is its end. */
  double at(double value) {
    double start = scale.applyAsDouble(from);
    return (scale.applyAsDouble(value) - start) / (scale.applyAsDouble(to) - start);
  }

  /** Returns whether the axis has a position for a value. */
  boolean has(double value) {
    double at = at(value);
    return at > -ROUNDING && at < 1 + ROUNDING;
  }

  /** Returns whether equal distances represent equal differences, at least near the beginning. */
  boolean isLinear() {
    return Double.isFinite(at(0));
  }

  /**
   * Returns a linear axis.
   *
   * @param rounded whether the axis begins and ends at ticks
   */
  static ChartAxis linear(String name, double min, double max, boolean rounded) {
    double margin = max > min ? 0 : min == 0 ? 1 : Math.abs(min) / 10;
    double low = min - margin;
    double high = max + margin;
    double power = Math.pow(10, Math.floor(Math.log10((high - low) / MAX_TICKS)));
    double step = power;
    for (int factor : new int[] {2, 5, 10}) {
      step = (high - low) / step > MAX_TICKS ? factor * power : step;
    }
    List<Double> candidates = new ArrayList<>();
    for (long i = (long) Math.floor(low / step); i <= Math.ceil(high / step); i++) {
      candidates.add(step < 1 ? i / Math.rint(1 / step) : i * step); // 0.3, not 0.30000000000000004
    }
    return of(name, low, high, rounded, DoubleUnaryOperator.identity(), candidates);
  }

  /**
   * Returns a square-root axis from 0 to a tick at or above a value, so that a few large values do
   * not squeeze all others.
   */
  static ChartAxis roots(String name, double max) {
    int last = (int) Math.ceil(Math.log10(max));
    List<Double> candidates = new ArrayList<>(List.of(0.0));
    for (int i = last - 2; i <= last; i++) {
      for (int factor : new int[] {1, 2, 5}) {
        candidates.add(factor * power(i));
      }
    }
    ChartAxis axis = of(name, 0, max, true, Math::sqrt, candidates);
    List<Double> ticks =
        axis.ticks.stream().filter(tick -> tick == 0 || axis.at(tick) > MIN_ROOT).toList();
    return new ChartAxis(name, axis.from, axis.to, axis.scale, ticks, axis.gap);
  }

  /** Returns a linear axis of whole numbers, without ticks between them. */
  static ChartAxis integers(String name, double min, double max) {
    ChartAxis axis = linear(name, min, max, false);
    List<Double> whole = axis.ticks.stream().filter(tick -> tick == Math.rint(tick)).toList();
    return new ChartAxis(name, axis.from, axis.to, axis.scale, whole, axis.gap);
  }

  /**
   * Returns a logarithmic axis if positive values of this range need one; otherwise a linear axis.
   */
  static ChartAxis ofPositive(String name, double min, double max, boolean rounded) {
    if (!(min > 0) || max / min <= MAX_LINEAR) {
      return linear(name, min, max, rounded);
    }
    int first = (int) Math.floor(Math.log10(min));
    int last = (int) Math.ceil(Math.log10(max));
    boolean divided = Math.log10(max / min) <= MAX_DIVIDED;
    int step = (last - first + MAX_TICKS - 1) / MAX_TICKS;
    List<Double> candidates = new ArrayList<>();
    for (int i = first; i < last + step; i += step) {
      for (int factor : divided ? new int[] {1, 2, 5} : new int[] {1}) {
        candidates.add(factor * power(i));
      }
    }
    return of(name, min, max, rounded, Math::log10, candidates);
  }

  /**
   * Returns an axis for positive values. If a few values are more than three times as large as all
   * others, but a linear axis can still show them, the range between the two groups is left out, so
   * that neither is squeezed.
   *
   * @param values values in any order
   * @param rounded whether the axis begins and ends at ticks
   */
  static ChartAxis ofGroups(String name, double[] values, boolean rounded) {
    double[] sorted = Arrays.stream(values).filter(v -> v > 0).sorted().distinct().toArray();
    if (sorted.length == 0) {
      return linear(name, 0, 1, rounded);
    }
    double max = sorted[sorted.length - 1];
    ChartAxis whole = ofPositive(name, sorted[0], max, rounded);
    int above = 1;
    for (int i = 2; i < sorted.length; i++) {
      boolean isWider =
          whole.at(sorted[i]) - whole.at(sorted[i - 1])
              > whole.at(sorted[above]) - whole.at(sorted[above - 1]);
      above = isWider ? i : above;
    }
    boolean isFar =
        sorted.length > 2
            && max / sorted[0] <= MAX_LINEAR
            && sorted[above] > MIN_GAP_RATIO * sorted[above - 1];
    if (!isFar || whole.at(sorted[above]) - whole.at(sorted[above - 1]) < MIN_GAP) {
      return whole;
    }
    ChartAxis low = linear(name, rounded ? 0 : sorted[0], sorted[above - 1], rounded);
    ChartAxis high = linear(name, sorted[above], max, rounded);
    double share = Math.max(MIN_SIDE, Math.min(1 - MIN_SIDE, (double) above / sorted.length));
    return low.to < high.from ? broken(low, high, share * (1 - GAP_WIDTH)) : whole;
  }

  /** Returns a selection of the ticks that fits a share of the axis length. */
  private List<Double> ticks(double share) {
    int step = (int) Math.ceil(ticks.size() / (MAX_TICKS * share));
    return IntStream.range(0, ticks.size())
        .filter(i -> i % step == 0)
        .mapToObj(ticks::get)
        .toList();
  }

  /**
   * Joins two axes into one.
   *
   * @param share the share of the lower axis
   */
  private static ChartAxis broken(ChartAxis low, ChartAxis high, double share) {
    double start = share + GAP_WIDTH;
    DoubleUnaryOperator scale =
        value -> {
          if (value <= low.to) {
            return low.at(value) * share;
          }
          return value < high.from
              ? share + (value - low.to) / (high.from - low.to) * GAP_WIDTH
              : start + high.at(value) * (1 - start);
        };
    List<Double> ticks = new ArrayList<>(low.ticks(share));
    ticks.addAll(high.ticks(1 - start));
    return new ChartAxis(low.name, low.from, high.to, scale, ticks, share + GAP_WIDTH / 2);
  }

  /**
   * Returns an axis for values of both signs: linear around 0 and logarithmic beyond if a few
   * values are far larger than the others; otherwise linear.
   *
   * @param values finite values
   */
  static ChartAxis ofSigned(String name, double[] values) {
    double[] sizes = Arrays.stream(values).map(Math::abs).sorted().toArray();
    double min = Arrays.stream(values).min().orElse(0);
    double max = Arrays.stream(values).max().orElse(0);
    double median = sizes.length == 0 ? 0 : sizes[sizes.length / 2];
    if (median == 0 || sizes[sizes.length - 1] / median <= MAX_LINEAR) {
      return linear(name, min, max, true);
    }
    int first = (int) Math.ceil(Math.log10(median));
    int last = (int) Math.ceil(Math.log10(sizes[sizes.length - 1]));
    double unit = power(first - 1);
    int step = (last - first + MAX_SIGNED - 1) / MAX_SIGNED;
    List<Double> candidates = new ArrayList<>(List.of(0.0));
    for (int i = first; i < last + step; i += step) {
      candidates.add(0, -power(i));
      candidates.add(power(i));
    }
    DoubleUnaryOperator scale = value -> Math.signum(value) * Math.log1p(Math.abs(value) / unit);
    return of(name, min, max, true, scale, candidates);
  }

  private static double power(int exponent) {
    return Double.parseDouble("1e" + exponent); // Math.pow is not exact
  }

  private static ChartAxis of(
      String name,
      double min,
      double max,
      boolean rounded,
      DoubleUnaryOperator scale,
      List<Double> candidates) {
    double from = min;
    double to = max;
    if (rounded) {
      from = candidates.stream().filter(tick -> tick <= min).reduce(min, (a, b) -> b);
      to = candidates.stream().filter(tick -> tick >= max).findFirst().orElse(max);
    }
    double first = from;
    double last = to;
    List<Double> ticks = candidates.stream().filter(tick -> tick >= first && tick <= last).toList();
    return new ChartAxis(name, from, to, scale, ticks, Double.NaN);
  }
}
