package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class CompensatedSumsTest {
  private static final MathContext DIGITS = new MathContext(60);

  /** The mean and the variance of values, computed with 60 digits. */
  private record Exact(double mean, double variance) {
    static Exact of(double[] values) {
      BigDecimal count = new BigDecimal(values.length);
      BigDecimal mean =
          Arrays.stream(values)
              .mapToObj(BigDecimal::new)
              .reduce(BigDecimal.ZERO, BigDecimal::add)
              .divide(count, DIGITS);
      BigDecimal squares =
          Arrays.stream(values)
              .mapToObj(value -> new BigDecimal(value).subtract(mean).pow(2))
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      return new Exact(mean.doubleValue(), squares.divide(count, DIGITS).doubleValue());
    }
  }

  private static void check(double[] values, int cut, boolean exactSquares) {
    CompensatedSums sums = new CompensatedSums(1);
    CompensatedSums squares = new CompensatedSums(1);
    CompensatedSums laterSums = new CompensatedSums(1);
    CompensatedSums laterSquares = new CompensatedSums(1);
    for (int i = 0; i < values.length; i++) {
      (i < cut ? sums : laterSums).add(0, values[i]);
      (i < cut ? squares : laterSquares).addSquare(0, values[i], exactSquares);
    }
    sums.add(laterSums);
    squares.add(laterSquares);
    Exact exact = Exact.of(values);
    assertThat(sums.mean(0, values.length))
        .isCloseTo(exact.mean(), within(1e-15 * Math.abs(exact.mean())));
    assertThat(sums.variance(squares, 0, values.length))
        .isCloseTo(exact.variance(), within(1e-13 * exact.variance()));
  }

  @Property(tries = 200)
  void floatsOfMixedMagnitudeHaveTheMeanAndVarianceOfExactArithmetic(RandomValues any) {
    Random random = new Random(any.seed());
    double[] values = new double[1 + random.nextInt(500)];
    Arrays.setAll(
        values, i -> (float) (random.nextGaussian() * Math.pow(10, random.nextInt(12) - 6)));
    check(values, random.nextInt(values.length + 1), true);
  }

  @Property(tries = 200)
  void theVarianceIsExactWhereTheMeanIsAMillionStandardDeviations(RandomValues any) {
    Random random = new Random(any.seed());
    double[] values = new double[2 + random.nextInt(500)];
    Arrays.setAll(values, i -> (float) (4e3 + random.nextInt(64) / 1024.0));
    check(values, random.nextInt(values.length + 1), true);
  }

  @Property(tries = 200)
  void theVarianceOfDoublesIsExactWhereTheMeanIsAHundredMillionStandardDeviations(
      RandomValues any) {
    Random random = new Random(any.seed());
    double[] values = new double[2 + random.nextInt(500)];
    Arrays.setAll(values, i -> 1e8 + random.nextGaussian());
    check(values, random.nextInt(values.length + 1), false);
  }
}
