package org.saevhadoop.format.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class StridedAxisTest {
  private static StridedAxis any(RandomValues any, List<Long> offsets) {
    List<Long> sizes = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    offsets.add(0L);
    for (int i = any.intBetween(0, 4); i > 0; i--) {
      long size = any.intBetween(1, 4);
      long stride = any.bool() ? 4L * any.intBetween(0, 12) : 4;
      sizes.add(size);
      strides.add(stride);
      List<Long> outer = List.copyOf(offsets);
      offsets.clear();
      outer.forEach(at -> LongStream.range(0, size).forEach(k -> offsets.add(at + k * stride)));
    }
    return new StridedAxis(sizes, strides);
  }

  private static List<Long> offsets(StridedAxis axis) {
    return LongStream.range(0, axis.size()).mapToObj(axis::offset).toList();
  }

  @Property(tries = 2000, sample = 500)
  void elementsAreInCOrderOfTheDimensions(RandomValues any) {
    List<Long> expected = new ArrayList<>();
    StridedAxis axis = any(any, expected);
    assertThat(offsets(axis)).isEqualTo(expected);
    assertThat(axis.sizes()).doesNotContain(1L);
    if (axis.isEven()) {
      for (int i = 1; i < expected.size(); i++) {
        assertThat(expected.get(i) - expected.get(i - 1)).isEqualTo(axis.stride());
      }
    }
  }

  @Property(tries = 2000, sample = 500)
  void sectionsAreConsecutiveElements(RandomValues any) {
    List<Long> expected = new ArrayList<>();
    StridedAxis axis = any(any, expected);
    int first = any.intBetween(0, expected.size());
    int end = any.intBetween(first, expected.size());
    List<StridedAxis.Section> sections = axis.sections(first, end - first);
    List<Long> found = new ArrayList<>();
    for (StridedAxis.Section section : sections) {
      offsets(section.axis()).forEach(at -> found.add(section.offset() + at));
    }
    assertThat(found).isEqualTo(expected.subList(first, end));
    assertThat(sections).hasSizeLessThanOrEqualTo(Math.max(1, 2 * axis.sizes().size() - 1));
    if (end - first == expected.size()) {
      assertThat(sections).containsExactly(new StridedAxis.Section(0, axis));
    }
  }

  @Property(tries = 2000, sample = 500)
  void runsOfEqualDistancesAreAnAxisOfTheirOwn(RandomValues any) {
    List<Long> expected = new ArrayList<>();
    StridedAxis axis = any(any, expected);
    int count = any.intBetween(2, 12);
    assumeTrue(expected.size() % count == 0);
    Optional<StridedAxis.Split> split = axis.split(count);
    if (split.isEmpty()) {
      assertThat(axis.isEven()).isFalse();
      return;
    }
    assertThat(split.get().inner().size()).isEqualTo(count);
    List<Long> found = new ArrayList<>();
    for (long outer : offsets(split.get().outer())) {
      offsets(split.get().inner()).forEach(at -> found.add(outer + at));
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void evenlySpacedDimensionsAreOne() {
    assertThat(new StridedAxis(List.of(14L, 1L, 14L), List.of(56L, 7L, 4L)))
        .isEqualTo(new StridedAxis(List.of(196L), List.of(4L)));
    assertThat(new StridedAxis(List.of(14L, 14L), List.of(4L, 56L)).isEven()).isFalse();
    assertThat(new StridedAxis(List.of(3L, 0L), List.of(0L, 0L)).size()).isZero();
  }

  @Test
  void anAxisHasFewerThan2To63Elements() {
    List<Long> sizes = List.of(1L << 40, 1L << 40);
    assertThatThrownBy(() -> new StridedAxis(sizes, List.of(0L, 0L)))
        .isInstanceOf(ArithmeticException.class);
  }
}
