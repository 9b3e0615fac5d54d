package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.jobs.stats.NormStatistics.Bin;

/** Figures for readers. */
class FigureTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "31, 31",
    "31.021437, 31.021",
    "-812.1349, -812.13",
    "0.0123456, 0.012346",
    "0.000123456, 0.00012346",
    "0.0000123456, 1.2346e-5",
    "0.00099999999, 0.001",
    "1234567.8, 1234600",
    "12345678, 1.2346e7",
    "9999999, 1e7",
    "-3e-20, -3e-20",
    "NaN, -",
    "Infinity, -"
  })
  void aValueHasFiveSignificantDigits(double value, String text) {
    assertThat(FigureText.value(value)).isEqualTo(text);
  }

  @Test
  void countsHaveSeparators() {
    assertThat(FigureText.count(1_234_567, "vector")).isEqualTo("1,234,567 vectors");
    assertThat(FigureText.count(1, "vector")).isEqualTo("1 vector");
    assertThat(FigureText.first(new int[] {3, 5, 7}, 2)).isEqualTo("3, 5, ...");
    assertThat(FigureText.first(new int[] {3, 5}, 2)).isEqualTo("3, 5");
  }

  @Test
  void aHistogramInTheTerminalHasAtMost12BinsWithExactCounts() {
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      bins.add(new Bin(i, i + 1, i < 20 || i == 63 ? i + 1 : 0));
    }
    List<Bin> merged = StatsText.merged(bins);
    assertThat(merged).hasSizeLessThanOrEqualTo(12).hasSizeGreaterThan(8);
    assertThat(merged.stream().mapToLong(Bin::vectors).sum()).isEqualTo(210 + 64);
    assertThat(merged.get(0)).isEqualTo(new Bin(0, 2, 1 + 2));
    assertThat(merged.stream().filter(bin -> bin.vectors() == 0)).hasSize(1);
    assertThat(merged.get(merged.size() - 1).to()).isEqualTo(64);
    bins.replaceAll(bin -> new Bin(bin.from(), bin.to(), 1));
    assertThat(StatsText.merged(bins)).hasSize(11); // of 6 bins each
    assertThat(StatsText.merged(List.of())).isEmpty();
  }
}
