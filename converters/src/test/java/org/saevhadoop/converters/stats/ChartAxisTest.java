package org.saevhadoop.converters.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Axes of charts. */
class ChartAxisTest {
  @Test
  void ticksAreRoundNumbers() {
    assertThat(ChartAxis.linear("x", 0, 1.22, true).ticks()).containsExactly(0.0, 0.5, 1.0, 1.5);
    assertThat(ChartAxis.linear("x", 0, 196, false).ticks())
        .containsExactly(0.0, 50.0, 100.0, 150.0);
    assertThat(ChartAxis.linear("x", -0.31, 0.29, true).ticks())
        .containsExactly(-0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3);
    assertThat(ChartAxis.ofPositive("x", 31, 2100, false).ticks())
        .containsExactly(50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0);
    assertThat(ChartAxis.ofPositive("x", 1e-9, 1, true).ticks())
        .containsExactly(1e-9, 1e-7, 1e-5, 1e-3, 0.1, 10.0);
  }

  @Test
  void anAxisIsLogarithmicIfTheRatioIsAbove20() {
    assertThat(ChartAxis.ofPositive("x", 1, 20, false).at(10.5)).isEqualTo(0.5);
    assertThat(ChartAxis.ofPositive("x", 1, 100, false).at(10)).isEqualTo(0.5);
    assertThat(ChartAxis.ofPositive("x", 1, 100, false).has(0)).isFalse();
  }

  @Test
  void fewLargeValuesOfBothSignsMakeAnAxisLogarithmicBeyondZero() {
    ChartAxis axis = ChartAxis.ofSigned("x", new double[] {-0.3, -0.2, 0.1, 0.4, 100});
    assertThat(axis.ticks()).contains(0.0, 1.0, 10.0, 100.0).startsWith(-1.0);
    assertThat(axis.at(100) - axis.at(10)).isCloseTo(axis.at(10) - axis.at(1), within(0.03));
    assertThat(ChartAxis.ofSigned("x", new double[] {-3, 1, 2}).at(0)).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void valuesThatAreAllEqualHaveAnAxis() {
    assertThat(ChartAxis.linear("x", 7, 7, true).at(7)).isCloseTo(0.5, within(0.2));
    assertThat(ChartAxis.linear("x", 0, 0, false).at(0)).isEqualTo(0.5);
    assertThat(ChartAxis.ofSigned("x", new double[] {}).ticks()).isNotEmpty();
  }

  @Property(tries = 500)
  void allValuesOfARangeAreOnItsAxis(RandomValues random) {
    double min = Math.pow(10, random.intBetween(-6, 6)) * (1 + random.intBetween(0, 99) / 100.0);
    double max = min * (1 + Math.pow(10, random.intBetween(-2, 8)));
    for (boolean rounded : new boolean[] {false, true}) {
      for (ChartAxis axis :
          new ChartAxis[] {
            ChartAxis.linear("x", min, max, rounded), ChartAxis.ofPositive("x", min, max, rounded)
          }) {
        assertThat(axis.at(min)).isBetween(-1e-9, 0.7);
        assertThat(axis.at(max)).isBetween(0.3, 1 + 1e-9);
        assertThat(axis.at((min + max) / 2)).isBetween(axis.at(min), axis.at(max));
        assertThat(axis.ticks()).hasSizeBetween(1, 13).isSorted().doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void aFewLargeValuesDoNotSqueezeTheOthers() {
    double[] values = {41, 42, 43, 44, 45, 46, 47, 48, 400};
    ChartAxis axis = ChartAxis.ofGroups("norm", values, true);
    assertThat(axis.at(48)).isGreaterThan(0.6);
    assertThat(axis.at(400)).isGreaterThan(axis.gap());
    assertThat(axis.at(48)).isLessThan(axis.gap());
    double last = -1;
    for (double value : values) {
      assertThat(axis.has(value)).as("%s", value).isTrue();
      assertThat(axis.at(value)).isGreaterThan(last);
      last = axis.at(value);
    }
    for (double tick : axis.ticks()) {
      assertThat(axis.has(tick)).as("tick %s", tick).isTrue();
    }
    assertThat(axis.at(0)).isZero();
  }

  @Test
  void valuesWithoutAGapHaveAnAxisOfOnePiece() {
    assertThat(ChartAxis.ofGroups("norm", new double[] {1, 2, 3, 4, 5}, true).gap()).isNaN();
    assertThat(ChartAxis.ofGroups("norm", new double[] {1, 9}, true).gap()).isNaN();
    assertThat(ChartAxis.ofGroups("norm", new double[] {1.7, 1.72, 2}, true).gap()).isNaN();
    assertThat(ChartAxis.ofGroups("norm", new double[] {1e-30, 2e-30, 1}, true).gap()).isNaN();
    assertThat(ChartAxis.ofGroups("norm", new double[] {7}, true).has(7)).isTrue();
    assertThat(ChartAxis.ofGroups("norm", new double[] {}, true).gap()).isNaN();
  }

  @Test
  void anAxisOfRootsLeavesRoomForSmallValues() {
    ChartAxis axis = ChartAxis.roots("y", 6.5);
    assertThat(axis.to()).isEqualTo(10);
    assertThat(axis.at(2.5)).isEqualTo(0.5);
    assertThat(axis.ticks()).containsExactly(0.0, 0.5, 1.0, 2.0, 5.0, 10.0);
  }
}
