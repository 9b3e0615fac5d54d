package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.jobs.stats.LayerStatistics.MeanNorm;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class LayerSumsTest {
  private static final int TOKENS = 3;
  private static final int LABELS = 4;
  private static final int DIM = 5;
  private static final StatsLayout LAYOUT =
      new StatsLayout(new Geometry(1, List.of(0), TOKENS, DIM), LABELS, 1);

  /** Returns vectors of small integers, whose sums are exact in any order; some are special. */
  private static double[][] vectors(Random random) {
    double[][] vectors = new double[4 + random.nextInt(60)][DIM];
    for (double[] vector : vectors) {
      boolean isZero = random.nextInt(10) == 0;
      for (int d = 0; d < vector.length; d++) {
        vector[d] = isZero ? 0 : random.nextInt(7) - 3;
      }
      if (random.nextInt(4) == 0) {
        vector[random.nextInt(vector.length)] =
            random.nextBoolean() ? Double.NaN : Double.NEGATIVE_INFINITY;
      }
    }
    return vectors;
  }

  /** Adds vectors, and as many tokens that are padding. */
  private static void add(LayerSums sums, double[][] vectors, int from, int to) {
    for (int i = from; i < to; i++) {
      System.arraycopy(vectors[i], 0, sums.next(), 0, DIM);
      sums.add(i, i % TOKENS, i % (LABELS + 1) - 1);
      sums.padding++;
    }
  }

  private static LayerSums sums(double[][] vectors, int from, int to) {
    LayerSums sums = new LayerSums(LAYOUT);
    add(sums, vectors, from, to);
    return sums;
  }

  private static byte[] bytes(LayerSums sums) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sums.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static LayerSums copy(LayerSums sums, LayerSums into) throws IOException {
    into.readFields(new DataInputStream(new ByteArrayInputStream(bytes(sums))));
    return into;
  }

  /** Returns four vectors, each of a kind of its own. */
  private static double[][] special() {
    return new double[][] {
      {Double.NaN, 1, 2, 3, 4},
      {0, 0, 0, 0, 0},
      {2, 0, 0, 0, 0},
      {1, Double.POSITIVE_INFINITY, 0, 0, 0}
    };
  }

  @Property(tries = 200)
  void sumsThatAreReadReplaceOthers(RandomValues any) throws IOException {
    Random random = new Random(any.seed());
    LayerSums sums = sums(vectors(random), 0, 4);
    LayerSums into = sums(vectors(random), 0, 4);
    bytes(into);
    assertThat(bytes(copy(sums, into))).isEqualTo(bytes(sums));
  }

  @Property(tries = 200)
  void partsAddUpToTheSumsOfAllVectors(RandomValues any) throws IOException {
    Random random = new Random(any.seed());
    double[][] vectors = vectors(random);
    int cut = random.nextInt(vectors.length + 1);
    LayerSums total = new LayerSums(LAYOUT);
    total.add(copy(sums(vectors, 0, cut), new LayerSums(LAYOUT)));
    total.add(copy(sums(vectors, cut, vectors.length), new LayerSums(LAYOUT)));
    LayerSums whole = sums(vectors, 0, vectors.length);
    bytes(whole);
    assertThat(total.vectors).isEqualTo(whole.vectors);
    assertThat(total.padding).isEqualTo(whole.padding);
    assertThat(total.minNorm).isEqualTo(whole.minNorm);
    assertThat(total.maxNorm).isEqualTo(whole.maxNorm);
    assertThat(total.values.statistics(total.vectors))
        .usingRecursiveComparison()
        .isEqualTo(whole.values.statistics(whole.vectors));
    assertThat(total.norms.histogram()).isEqualTo(whole.norms.histogram());
    assertThat(total.norms.count()).isEqualTo(whole.norms.count());
    assertSame(total.nan, whole.nan);
    assertSame(total.infinite, whole.infinite);
    assertSame(total.zeroVectors, whole.zeroVectors);
    for (int i = 0; i < 2; i++) {
      double sum = whole.normSums.sum(i);
      assertThat(total.normSums.sum(i)).isCloseTo(sum, within(1e-15 * sum));
    }
    assertSame(total.byToken, whole.byToken);
    assertSame(total.byLabel, whole.byLabel);
  }

  private static void assertSame(Occurrences found, Occurrences expected) {
    assertThat(found.count()).isEqualTo(expected.count());
    if (expected.count() > 0) {
      assertThat(found.vector()).isEqualTo(expected.vector());
      assertThat(found.dim()).isEqualTo(expected.dim());
    }
  }

  private static void assertSame(NormsByIndex found, NormsByIndex expected) {
    for (int i = 0; i < expected.means().size(); i++) {
      MeanNorm norm = found.means().get(i);
      MeanNorm same = expected.means().get(i);
      assertThat(norm.vectors()).isEqualTo(same.vectors());
      if (same.vectors() > 0) {
        assertThat(norm.mean()).isCloseTo(same.mean(), within(1e-15 * same.mean()));
      }
    }
  }

  @Test
  void theFirstOccurrenceIsKept() {
    double[][] twice =
        Stream.of(special(), special()).flatMap(Arrays::stream).toArray(double[][]::new);
    LayerSums added = sums(twice, 0, 4);
    added.add(sums(twice, 4, 8));
    LayerSums late = sums(twice, 4, 8);
    late.add(sums(twice, 0, 4));
    for (LayerSums sums : List.of(sums(twice, 0, 8), added, late)) {
      assertThat(sums.nan.count()).isEqualTo(2);
      assertThat(sums.nan.vector()).isZero();
      assertThat(sums.infinite.vector()).isEqualTo(3);
      assertThat(sums.infinite.dim()).isEqualTo(1);
      assertThat(sums.zeroVectors.vector()).isEqualTo(1);
    }
  }

  /** Returns the layout of vectors of one value. */
  private static StatsLayout single(DType dtype) {
    return new StatsLayout(new Geometry(1, List.of(0), 1, 1, dtype), 0, 1);
  }

  @Test
  void theVarianceOfDoublesIsExactWhereTheMeanIsLarge() throws IOException {
    LayerSums sums = new LayerSums(single(DType.F64));
    for (int i = 0; i < 64; i++) {
      sums.next()[0] = 1e8 + (i % 2 == 0 ? 1.25 : -1.25) + 0x1p-20;
      sums.add(i, 0, -1);
    }
    bytes(sums);
    assertThat(sums.values.statistics(64).variance()[0]).isCloseTo(1.5625, within(1e-13));
  }

  /** Eight values of float32 are added as doubles, whose roundings are bounded by their sizes. */
  @Property(tries = 200)
  void aMeanThatIsTheCancellationOfLargeValuesIsOffByTheRoundingOfThese(RandomValues any) {
    Random random = new Random(any.seed());
    int vectors = 8 * (1 + random.nextInt(40));
    LayerSums sums = new LayerSums(single(DType.F32));
    BigDecimal sum = BigDecimal.ZERO;
    double absolute = 0;
    float large = 0;
    for (int i = 0; i < vectors; i++) {
      large = i % 2 == 1 ? (float) (1e6 * random.nextGaussian()) : -large;
      float value = i % 8 % 7 == 0 ? (float) (1e-6 * random.nextGaussian()) : large;
      sums.next()[0] = value;
      sums.add(i, 0, -1);
      sum = sum.add(new BigDecimal(value));
      absolute += Math.abs(value);
    }
    double mean = sum.divide(new BigDecimal(vectors), MathContext.DECIMAL128).doubleValue();
    assertThat(sums.values.statistics(vectors).mean()[0])
        .isCloseTo(mean, within(0x1p-51 * absolute / vectors));
  }
}
