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
import org.saevhadoop.format.slice.TensorSlice.Index;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class TensorSliceTest {
  private static final long BEGIN = 1000;

  private record Tensor(DType dtype, List<Long> shape) {}

  private static Tensor tensor(DType dtype, Long... shape) {
    return new Tensor(dtype, List.of(shape));
  }

  private static TensorSlice of(Tensor tensor, List<Index> indexes) throws SliceException {
    return TensorSlice.of(tensor.dtype(), tensor.shape(), indexes);
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

  private static void assertRefused(String message, Tensor tensor, Index... indexes) {
    assertThatThrownBy(() -> of(tensor, List.of(indexes)))
        .isInstanceOf(SliceException.class)
        .hasMessage(message);
  }

  @Test
  void aSliceOfTheFirstDimensionIsOneRun() throws SliceException {
    TensorSlice slice = of(tensor(DType.F32, 5L, 2L, 3L), List.of(Index.narrow(1, 4), Index.all()));
    assertThat(slice.shape()).containsExactly(3L, 2L, 3L);
    assertThat(runs(slice)).containsExactly(run(24, 72));
    assertThat(slice.byteLength()).isEqualTo(72);
  }

  @Test
  void aSliceOfAnInnerDimensionIsARunForEachOuterIndex() throws SliceException {
    TensorSlice slice = of(tensor(DType.F32, 3L, 4L, 2L), List.of(Index.all(), Index.narrow(1, 3)));
    assertThat(slice.shape()).containsExactly(3L, 2L, 2L);
    assertThat(runs(slice)).containsExactly(run(8, 16), run(40, 16), run(72, 16));
  }

  @Test
  void oneIndexTakesItsDimensionAway() throws SliceException {
    TensorSlice slice = of(tensor(DType.U8, 2L, 3L, 4L), List.of(Index.all(), Index.select(2)));
    assertThat(slice.shape()).containsExactly(2L, 4L);
    assertThat(runs(slice)).containsExactly(run(8, 4), run(20, 4));
  }

  @Test
  void noIndexesAreTheWholeTensor() throws SliceException {
    TensorSlice slice = of(tensor(DType.F64, 3L), List.of());
    assertThat(slice.shape()).containsExactly(3L);
    assertThat(runs(slice)).containsExactly(run(0, 24));
    assertThat(runs(of(tensor(DType.F64), List.of()))).containsExactly(run(0, 8));
  }

  @Test
  void offsetsCountFromWhereTheTensorBegins() throws SliceException {
    TensorSlice slice = of(tensor(DType.U8, 4L), List.of(Index.select(1)));
    assertThat(slice.runs(77)).containsExactly(new ByteRange(77 + 1, 1));
  }

  @Test
  void moreRunsThanMemoryHoldsAreMadeOneByOne() throws SliceException {
    Tensor huge = tensor(DType.U8, 1L << 40, 2L);
    TensorSlice slice = of(huge, List.of(Index.all(), Index.select(1)));
    assertThat(slice.runs(BEGIN).iterator().next()).isEqualTo(run(1, 1));
    assertThat(slice.byteLength()).isEqualTo(1L << 40);
  }

  @Test
  void moreIndexesThanDimensionsAreTooMany() {
    assertRefused(
        "TooManySlices: 2 indexes for a tensor of 1 dimensions",
        tensor(DType.U8, 3L),
        Index.all(),
        Index.all());
    assertThatThrownBy(() -> parse("0", tensor(DType.U8))).hasMessageStartingWith("TooManySlices");
  }

  @Test
  void indexesAreInTheirDimension() {
    Tensor tensor = tensor(DType.U8, 2L, 3L);
    String message = "SliceOutOfRange: index %d of dimension %d (expected less than %d)";
    assertRefused(message.formatted(2, 0, 2), tensor, Index.select(2));
    assertRefused(message.formatted(3, 1, 3), tensor, Index.all(), Index.narrow(3, 3));
    assertRefused(message.formatted(6, 1, 3), tensor, Index.all(), Index.narrow(0, 7));
    assertRefused(message.formatted(-1, 0, 2), tensor, Index.select(-1));
    assertRefused(message.formatted(0, 0, 0), tensor(DType.U8, 0L), Index.all());
    assertRefused(
        "SliceOutOfRange: dimension 0 ends at 0 (expected no less than 1, where it begins)",
        tensor,
        Index.narrow(1, 0));
  }

  @Test
  void aPackedTensorIsCutBetweenBytes() throws SliceException {
    Tensor tensor = tensor(DType.F4, 4L, 3L, 2L);
    assertThat(runs(of(tensor, List.of(Index.select(1), Index.narrow(1, 3)))))
        .containsExactly(run(4, 2));
    String message =
        "MisalignedSlice: the slice begins or ends within a byte (expected whole bytes)";
    assertRefused(message, tensor, Index.all(), Index.all(), Index.select(0));
    assertRefused(message, tensor(DType.F4, 4L, 3L), Index.select(1));
    assertRefused(message, tensor(DType.F4, 4L, 3L), Index.narrow(0, 1));
    assertRefused(
        message, tensor(DType.F4, 2L, 3L, 2L, 5L), Index.all(), Index.select(1), Index.select(1));
    assertThat(runs(of(tensor(DType.F6_E2M3, 8L), List.of(Index.narrow(4, 8)))))
        .containsExactly(run(3, 3));
  }

  @Test
  void anEmptySliceHasNoRuns() throws SliceException {
    Tensor tensor = tensor(DType.F4, 2L, 3L);
    TensorSlice slice = of(tensor, List.of(Index.narrow(1, 1)));
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
    List<Index> indexes = new ArrayList<>();
    for (int i = 0; i < Math.min(pairs.size(), shape.size()); i++) {
      long a = pairs.get(i).get(0) % shape.get(i);
      long b = pairs.get(i).get(1) % (shape.get(i) + 1);
      indexes.add(
          (ones >> i & 1) == 1 ? Index.select(a) : Index.narrow(Math.min(a, b), Math.max(a, b)));
    }
    TensorSlice slice = of(tensor, indexes);
    List<Long> expected = new ArrayList<>();
    elements(shape, indexes, 0, 0, expected);
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
      List<Long> shape, List<Index> indexes, int dimension, long element, List<Long> out) {
    if (dimension == shape.size()) {
      out.add(BEGIN + 2 * element);
      return;
    }
    Index index =
        dimension < indexes.size() ? indexes.get(dimension) : Index.narrow(0, shape.get(dimension));
    for (long i = index.start(); i < index.stop(); i++) {
      elements(shape, indexes, dimension + 1, element * shape.get(dimension) + i, out);
    }
  }
}
