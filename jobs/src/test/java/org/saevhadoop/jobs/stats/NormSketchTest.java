package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class NormSketchTest {
  private static double[] norms(Random random) {
    double[] norms = new double[1 + random.nextInt(1000)];
    double spread = Math.pow(10, random.nextInt(5) - 2);
    Arrays.setAll(
        norms, i -> random.nextInt(20) == 0 ? 0 : Math.exp(random.nextGaussian() * spread));
    return norms;
  }

  private static NormSketch sketch(double[] norms, int from, int to) {
    NormSketch sketch = new NormSketch();
    for (int i = from; i < to; i++) {
      sketch.add(norms[i]);
    }
    return sketch;
  }

  @Property(tries = 300, sample = 60)
  void everyRankIsWithinFourTenthsOfAPercent(RandomValues any) {
    double[] norms = norms(new Random(any.seed()));
    NormSketch sketch = sketch(norms, 0, norms.length);
    Arrays.sort(norms);
    assertThat(sketch.count()).isEqualTo(norms.length);
    for (int rank = 0; rank < norms.length; rank++) {
      assertThat(sketch.at(rank)).isCloseTo(norms[rank], within(0.004 * norms[rank]));
    }
  }

  @Property(tries = 300, sample = 60)
  void partsCanBeAddedInAnyOrder(RandomValues any) throws IOException {
    Random random = new Random(any.seed());
    double[] norms = norms(random);
    int cut = random.nextInt(norms.length + 1);
    NormSketch whole = sketch(norms, 0, norms.length);
    NormSketch late = sketch(norms, cut, norms.length);
    late.add(sketch(norms, 0, cut));
    assertThat(bytes(late)).isEqualTo(bytes(whole));

    NormSketch read = sketch(new double[] {1, 0}, 0, 2);
    read.readFields(new DataInputStream(new ByteArrayInputStream(bytes(whole))));
    assertThat(bytes(read)).isEqualTo(bytes(whole));
  }

  private static byte[] bytes(NormSketch sketch) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sketch.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Property(tries = 300, sample = 60)
  void binsOfTheHistogramCountTheNormsBetweenTheirBounds(RandomValues any) {
    double[] norms = norms(new Random(any.seed()));
    List<NormStatistics.Bin> bins = sketch(norms, 0, norms.length).histogram();
    assertThat(bins).hasSizeLessThanOrEqualTo(NormSketch.MAX_BINS);
    for (int i = 0; i < bins.size(); i++) {
      NormStatistics.Bin bin = bins.get(i);
      assertThat(bin.vectors())
          .isEqualTo(
              Arrays.stream(norms).filter(norm -> norm >= bin.from() && norm < bin.to()).count());
      assertThat(bin.from()).isEqualTo(i == 0 ? bin.from() : bins.get(i - 1).to());
    }
    long positive = Arrays.stream(norms).filter(norm -> norm > 0).count();
    assertThat(bins.stream().mapToLong(NormStatistics.Bin::vectors).sum()).isEqualTo(positive);
    if (positive > 0) {
      assertThat(bins.get(0).vectors()).isPositive();
      assertThat(bins.get(bins.size() - 1).vectors()).isPositive();
    }
  }

  @Test
  void anEmptySketchHasNoHistogram() {
    assertThat(new NormSketch().histogram()).isEmpty();
    assertThat(sketch(new double[] {0, 0}, 0, 2).histogram()).isEmpty();
  }
}
