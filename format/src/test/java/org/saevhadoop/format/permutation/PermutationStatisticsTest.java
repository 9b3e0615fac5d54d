package org.saevhadoop.format.permutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.TestExtent;

/**
 * Statistics of permutations over many seeds. Each is standardized by its distribution over
 * uniformly random permutations, so that its p-values must be uniform.
 */
@Tag("late")
class PermutationStatisticsTest {
  private static final int ROWS = 1_000_000;
  private static final int SEEDS = 200;
  private static final int CELLS = 16;

  /** Critical distance of Kolmogorov and Smirnov for 200 values, at the level 0.001. */
  private static final double MAX_DISTANCE = 1.95 / Math.sqrt(SEEDS);

  /** A window of this many rows is what a reader with a buffer shuffles. */
  private static final int WINDOW = 10_000;

  /** The p-values of a permutation. */
  private record Statistics(double cells, double neighbours, double displacement) {
    static Statistics of(int n, LongUnaryOperator originOf) {
      long[][] counts = new long[CELLS][CELLS];
      double middle = (n - 1) / 2.0;
      double products = 0;
      double distances = 0;
      long before = originOf.applyAsLong(n - 1);
      for (int i = 0; i < n; i++) {
        long origin = originOf.applyAsLong(i);
        counts[(int) ((long) i * CELLS / n)][(int) (origin * CELLS / n)]++;
        products += (origin - middle) * (before - middle);
        distances += Math.abs(origin - i);
        before = origin;
      }
      return new Statistics(
          upperTail(chiSquare(counts, n), (CELLS - 1) * (CELLS - 1)),
          twoSided(neighbours(products, n)),
          twoSided(displacement(distances, n)));
    }

    /** Rows and columns have fixed sums, hence the factor (n - 1) / n. */
    private static double chiSquare(long[][] counts, double n) {
      double sum = 0;
      for (int row = 0; row < CELLS; row++) {
        long inRow = LongStream.of(counts[row]).sum();
        for (int column = 0; column < CELLS; column++) {
          int index = column;
          long inColumn = Arrays.stream(counts).mapToLong(some -> some[index]).sum();
          double expected = inRow * inColumn / n;
          sum += Math.pow(counts[row][column] - expected, 2) / expected;
        }
      }
      return sum * (n - 1) / n;
    }

    /** Circular serial correlation: its mean is -1 / (n - 1), its variance about 1 / n. */
    private static double neighbours(double products, double n) {
      double correlation = products / (n * (n * n - 1) / 12);
      return (correlation + 1 / (n - 1)) * Math.sqrt(n);
    }

    /** Spearman's footrule: mean (n^2 - 1) / 3, variance (n + 1)(2 n^2 + 7) / 45. */
    private static double displacement(double distances, double n) {
      return (distances - (n * n - 1) / 3) / Math.sqrt((n + 1) * (2 * n * n + 7) / 45);
    }
  }

  @Test
  @Tag("long")
  void pValuesOverManySeedsAreUniform() {
    assertUniform(seed -> Statistics.of(ROWS, Permutation.of(ROWS, seed, "statistics")::at));
  }

  /** Lengths with many rounds, with few rounds, and that are no multiples of the cells. */
  @ParameterizedTest
  @ValueSource(ints = {1_003, 65_536, 70_001})
  void pValuesOfShorterLengthsAreUniform(int n) {
    assertUniform(seed -> Statistics.of(n, Permutation.of(n, seed, "short")::at));
  }

  @Test
  void aWindowShuffleFailsTheSameTests() {
    for (int seed = 0; seed < 3; seed++) {
      int[] origins = windowShuffle(seed);
      Statistics statistics = Statistics.of(ROWS, i -> origins[(int) i]);
      assertThat(statistics.cells()).isLessThan(1e-12);
      assertThat(statistics.neighbours()).isLessThan(1e-12);
      assertThat(statistics.displacement()).isLessThan(1e-12);
    }
  }

  @Test
  void aShuffleInMemoryPassesTheSameTests() {
    assertUniform(
        seed -> {
          int[] origins = shuffle(20_000, seed);
          return Statistics.of(origins.length, i -> origins[(int) i]);
        });
  }

  @Test
  @Tag("sampled")
  void everyOrderOfFewElementsIsEquallyLikely() {
    int keys = TestExtent.of(100_000, 400_000);
    for (int n = 2; n <= 5; n++) {
      int orders = IntStream.rangeClosed(1, n).reduce(1, (x, y) -> x * y);
      long[] counts = new long[(int) Math.pow(n, n)];
      for (int key = 0; key < keys; key++) {
        Permutation permutation = new Permutation(n, key, 5);
        int code = 0;
        for (int i = 0; i < n; i++) {
          code = code * n + (int) permutation.at(i);
        }
        counts[code]++;
      }
      double expected = (double) keys / orders;
      double chiSquare =
          Arrays.stream(counts)
              .filter(count -> count > 0)
              .mapToDouble(count -> Math.pow(count - expected, 2) / expected)
              .sum();
      assertThat(Arrays.stream(counts).filter(count -> count > 0).count()).isEqualTo(orders);
      assertThat(upperTail(chiSquare, orders - 1)).as("%d elements", n).isBetween(0.001, 0.999);
    }
  }

  private static void assertUniform(LongFunction<Statistics> ofSeed) {
    List<Statistics> all = LongStream.range(0, SEEDS).mapToObj(ofSeed).toList();
    assertThat(distance(all.stream().mapToDouble(Statistics::cells)))
        .as("chi-square of position against origin")
        .isLessThan(MAX_DISTANCE);
    assertThat(distance(all.stream().mapToDouble(Statistics::neighbours)))
        .as("serial correlation of the origins of neighbours")
        .isLessThan(MAX_DISTANCE);
    assertThat(distance(all.stream().mapToDouble(Statistics::displacement)))
        .as("mean displacement")
        .isLessThan(MAX_DISTANCE);
  }

  private static int[] windowShuffle(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] buffer = IntStream.range(0, WINDOW).toArray();
    int[] origins = new int[ROWS];
    for (int i = 0; i < ROWS; i++) {
      int left = Math.min(WINDOW, ROWS - i);
      int index = random.nextInt(left);
      origins[i] = buffer[index];
      buffer[index] = i + WINDOW < ROWS ? i + WINDOW : buffer[left - 1];
    }
    return origins;
  }

  private static int[] shuffle(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] origins = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int value = origins[i];
      origins[i] = origins[other];
      origins[other] = value;
    }
    return origins;
  }

  /** Returns the greatest distance of the values' distribution from the uniform one. */
  private static double distance(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    double distance = 0;
    for (int i = 0; i < sorted.length; i++) {
      distance = Math.max(distance, sorted[i] - (double) i / sorted.length);
      distance = Math.max(distance, (i + 1.0) / sorted.length - sorted[i]);
    }
    return distance;
  }

  /** Upper tail of the chi-square distribution, by the cube root of Wilson and Hilferty (1931). */
  private static double upperTail(double chiSquare, int freedom) {
    double spread = 2.0 / (9 * freedom);
    return normalTail((Math.cbrt(chiSquare / freedom) - (1 - spread)) / Math.sqrt(spread));
  }

  private static double twoSided(double z) {
    return 2 * normalTail(Math.abs(z));
  }

  /** Abramowitz and Stegun, formula 26.2.17: the error is below 7.5e-8. */
  private static double normalTail(double z) {
    if (z < 0) {
      return 1 - normalTail(-z);
    }
    double t = 1 / (1 + 0.2316419 * z);
    double sum =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }
}
