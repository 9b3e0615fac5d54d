package org.saevhadoop.format.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.ByteRange;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class TensorSliceTest {
  private static final long BEGIN = 1000;

  private record Tensor(DType dtype, List<Long> shape) {}

  private static Tensor tensor(DType dtype, Long... shape) {
    return new Tensor(dtype, List.of(shape));
  }

  private static TensorSlice parse(String text, Tensor tensor) throws SliceException {
    return TensorSlice.parse(text, tensor.dtype(), tensor.shape());
  }

  private static List<ByteRange> runs(TensorSlice slice) {
    List<ByteRange> runs = new ArrayList<>();
    slice.runs(BEGIN).forEach(runs::add);
    return runs;
  }

  private static ByteRange run(long offset, long length) {
    return new ByteRange(BEGIN + offset, length);
  }

  private static void assertRefused(String message, Tensor tensor, String text) {
    assertThatThrownBy(() -> parse(text, tensor))
        .isInstanceOf(SliceException.class)
        .hasMessage(message);
  }

  @Test
  void aSliceOfAnInnerDimensionIsARunForEachOuterIndex() throws SliceException {
    TensorSlice slice = parse(":,1:3", tensor(DType.F32, 3L, 4L, 2L));
    assertThat(slice.shape()).containsExactly(3L, 2L, 2L);
    assertThat(runs(slice)).containsExactly(run(8, 16), run(40, 16), run(72, 16));
    assertThat(slice.byteLength()).isEqualTo(48);
    TensorSlice one = parse(":,2", tensor(DType.U8, 2L, 3L, 4L));
    assertThat(one.shape()).containsExactly(2L, 4L);
    assertThat(runs(one)).containsExactly(run(8, 4), run(20, 4));
  }

  @Test
  void aScalarIsTakenWhole() throws SliceException {
    assertThat(runs(parse("", tensor(DType.F64)))).containsExactly(run(0, 8));
  }

  @Test
  void offsetsCountFromWhereTheTensorBegins() throws SliceException {
    TensorSlice slice = parse("1", tensor(DType.U8, 4L));
    assertThat(slice.runs(77)).containsExactly(new ByteRange(77 + 1, 1));
  }

  @Test
  void moreRunsThanMemoryHoldsAreMadeOneByOne() throws SliceException {
    TensorSlice slice = parse(":,1", tensor(DType.U8, 1L << 40, 2L));
    assertThat(slice.runs(BEGIN).iterator().next()).isEqualTo(run(1, 1));
    assertThat(slice.byteLength()).isEqualTo(1L << 40);
  }

  @Test
  void moreIndexesThanDimensionsAreTooMany() {
    assertRefused(
        "TooManySlices: 2 indexes for a tensor of 1 dimensions", tensor(DType.U8, 3L), ":,:");
    assertRefused("TooManySlices: 1 indexes for a tensor of 0 dimensions", tensor(DType.U8), "0");
  }

  @Test
  void aPackedTensorIsCutBetweenBytes() throws SliceException {
    assertThat(runs(parse("1,1:3", tensor(DType.F4, 4L, 3L, 2L)))).containsExactly(run(4, 2));
    String message =
        "MisalignedSlice: the slice begins or ends within a byte (expected whole bytes)";
    assertRefused(message, tensor(DType.F4, 4L, 3L, 2L), ":,:,0");
    assertRefused(message, tensor(DType.F4, 4L, 3L), "1");
    assertRefused(message, tensor(DType.F4, 4L, 3L), "0:1");
    assertRefused(message, tensor(DType.F4, 2L, 3L, 2L, 5L), ":,1,1");
    assertThat(runs(parse("4:8", tensor(DType.F6_E2M3, 8L)))).containsExactly(run(3, 3));
  }

  @Test
  void anEmptySliceHasNoRuns() throws SliceException {
    Tensor tensor = tensor(DType.F4, 2L, 3L);
    TensorSlice slice = parse("1:1", tensor);
    assertThat(slice.shape()).containsExactly(0L, 3L);
    assertThat(runs(slice)).isEmpty();
    assertThat(slice.byteLength()).isZero();
    assertThat(runs(parse(":,2:1", tensor))).isEmpty();
    assertThat(parse(":,2:1", tensor).shape()).containsExactly(2L, 0L);
    assertThat(parse(":", tensor(DType.U8, 0L, 3L)).shape()).containsExactly(0L, 3L);
    Tensor unsigned = tensor(DType.U8, Long.MIN_VALUE, 0L);
    assertThat(parse(":", unsigned).shape()).containsExactly(Long.MIN_VALUE, 0L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "\"\"; 5 4 3; 0; 60",
        ":; 5 4 3; 0; 60",
        "0:10; 5 4 3; 0; 60",
        "1:3; 2 4 3; 12; 24",
        "-2:; 2 4 3; 36; 24",
        ":-4; 1 4 3; 0; 12",
        "-99:1; 1 4 3; 0; 12",
        "+1; 4 3; 12; 12",
        "-1; 4 3; 48; 12",
        "' 2 , 1 : 3 '; 2 3; 27; 6",
        "-1,-1,-1; ; 59; 1",
        "3:4,0:10,:; 1 4 3; 36; 12"
      })
  void numpysTextIsUnderstood(String text, String shape, long offset, long length)
      throws SliceException {
    TensorSlice slice = parse(text.replace("'", ""), tensor(DType.U8, 5L, 4L, 3L));
    assertThat(slice.shape())
        .isEqualTo(
            shape == null ? List.of() : Stream.of(shape.split(" ")).map(Long::valueOf).toList());
    assertThat(runs(slice)).containsExactly(run(offset, length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1:2:3", "::", ",", "1,", "1.0", "--1", "...", "1 2", "[0]", "0x1"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> parse(text, tensor(DType.U8, 5L, 4L, 3L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\"%s\" is not a slice (expected an index or start:stop for each dimension, without a"
                    .formatted(text)
                + " step, such as 0:10,3,:,-1)");
  }

  @ParameterizedTest
  @ValueSource(longs = {5, -6, 99, 999_999_999_999_999_999L})
  void anIndexOfTextIsInItsDimension(long index) {
    assertThatThrownBy(() -> parse(Long.toString(index), tensor(DType.U8, 5L)))
        .hasMessage("SliceOutOfRange: index %d of dimension 0 (expected less than 5)", index);
  }

  @Property(tries = 2000)
  void runsAreTheBytesOfTheElementsInOrder(RandomValues any) throws SliceException {
    List<Long> shape = any.list(0, 4, () -> any.longBetween(1, 5));
    List<List<Integer>> pairs = any.list(0, 4, () -> any.list(2, 2, () -> any.intBetween(0, 30)));
    int ones = any.intBetween(0, 7);
    Tensor tensor = tensor(DType.U16, shape.toArray(Long[]::new));
    List<String> texts = new ArrayList<>();
    List<long[]> ranges = new ArrayList<>();
    for (int i = 0; i < Math.min(pairs.size(), shape.size()); i++) {
      long a = pairs.get(i).get(0) % shape.get(i);
      long b = pairs.get(i).get(1) % (shape.get(i) + 1);
      boolean isOne = (ones >> i & 1) == 1;
      long[] range = isOne ? new long[] {a, a + 1} : new long[] {Math.min(a, b), Math.max(a, b)};
      ranges.add(range);
      texts.add(isOne ? Long.toString(a) : range[0] + ":" + range[1]);
    }
    TensorSlice slice = parse(String.join(",", texts), tensor);
    List<Long> expected = new ArrayList<>();
    elements(shape, ranges, 0, 0, expected);
    List<Long> actual = new ArrayList<>();
    ByteRange previous = null;
    for (ByteRange run : runs(slice)) {
      assertThat(run.length()).isPositive();
      if (previous != null) {
        assertThat(run.offset()).isGreaterThan(previous.offset() + previous.length());
      }
      previous = run;
      LongStream.range(0, run.length() / 2).forEach(i -> actual.add(run.offset() + 2 * i));
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(slice.byteLength()).isEqualTo(2L * expected.size());
    assertThat(slice.shape().stream().reduce(1L, Math::multiplyExact)).isEqualTo(expected.size());
  }

  private static void elements(
      List<Long> shape, List<long[]> ranges, int dimension, long element, List<Long> out) {
    if (dimension == shape.size()) {
      out.add(BEGIN + 2 * element);
      return;
    }
    long size = shape.get(dimension);
    long[] range = dimension < ranges.size() ? ranges.get(dimension) : new long[] {0, size};
    for (long i = range[0]; i < range[1]; i++) {
      elements(shape, ranges, dimension + 1, element * size + i, out);
    }
  }
}
