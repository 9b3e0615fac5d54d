package org.saevhadoop.format.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.OutOfRangeException;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;

class NormalizationTest {
  /** Does not divide the number of values that are converted at once. */
  private static final int DIM = 7;

  private static final int VALUES = DIM * 431;

  private static Normalization normalization(NormalizeBy by, double[] mean, double scale) {
    OptionalDouble known = OptionalDouble.of(scale);
    LayerFigures figures = new LayerFigures(mean, known, known);
    return new Normalization(
        by, "0a", "file:/a:b", new Figures("a", new TreeMap<>(Map.of(-2, figures)), false));
  }

  private static DTypeConversion conversion(Normalization by, DType from, DType to)
      throws Exception {
    return DTypeConversion.changing(
        from, by.change(-2, List.of(-2)), to, RoundingPolicy.NEAREST_EVEN, RangePolicy.ERROR);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @EnumSource(NormalizeBy.class)
  void eachDimensionHasItsMeanAlsoInRecordsOfManyVectors(NormalizeBy by) throws Exception {
    Random random = new Random(1);
    double[] mean = random.doubles(DIM).toArray();
    double scale = 1 / 3.0;
    ByteBuffer from = buffer(VALUES * 4);
    double[] expected = new double[VALUES];
    for (int i = 0; i < VALUES; i++) {
      float x = (float) random.nextGaussian();
      from.putFloat(x);
      double centered = by == NormalizeBy.SCALE ? x : x - mean[i % DIM];
      expected[i] = by == NormalizeBy.CENTER ? centered : centered * scale;
    }
    for (DType to : List.of(DType.F64, DType.F32)) {
      ByteBuffer found = buffer(VALUES * 8);
      DTypeConversion conversion = conversion(normalization(by, mean, scale), DType.F32, to);
      conversion.convert(from.rewind(), found);
      found.flip();
      for (int i = 0; i < VALUES; i++) {
        double value = to == DType.F64 ? found.getDouble() : found.getFloat();
        assertThat(value).isEqualTo(to == DType.F64 ? expected[i] : (float) expected[i]);
      }
      assertThat(conversion.changes().values()).isEqualTo(VALUES);
    }
  }

  /** What is not finite, and the sign of zero, stay as numpy leaves them. */
  @Test
  void unusualValuesAreThoseOfTheirArithmetic() throws Exception {
    Normalization by = normalization(NormalizeBy.SCALE, new double[1], 2);
    double[] values = {-0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 1e308};
    ByteBuffer from = buffer(values.length * 8);
    for (double value : values) {
      from.putDouble(value);
    }
    ByteBuffer found = buffer(values.length * 8);
    DTypeConversion conversion = conversion(by, DType.F64, DType.F64);
    conversion.convert(from.flip(), found);
    found.flip();
    for (double value : values) {
      assertThat(found.getDouble()).isEqualTo(Double.valueOf(value * 2));
    }
    assertThat(conversion.changes()).isEqualTo(new ConversionChanges(values.length, 0, 0, 0, 0));
  }

  @Test
  void aValueOutOfRangeIsNamedByItsIndexInTheRecord() throws Exception {
    ByteBuffer from = buffer(VALUES * 4);
    from.putFloat(2000 * 4, 100).position(from.limit()).flip();
    Normalization by = normalization(NormalizeBy.SCALE, new double[DIM], 3);
    DTypeConversion conversion = conversion(by, DType.F32, DType.I8);
    assertThatThrownBy(() -> conversion.convert(from, buffer(VALUES)))
        .isInstanceOf(OutOfRangeException.class)
        .hasMessageContaining("element 2000 is 300");
  }

  @Test
  void theTextIsParsedAgain() {
    Normalization by = new Normalization(NormalizeBy.CENTER_SCALE, "0a", "hdfs://a:9/b:c", null);
    assertThat(by.text()).isEqualTo("center-scale:0a:hdfs://a:9/b:c");
    assertThat(Normalization.parse(by.text())).isEqualTo(by);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "center", "center:0a", "std:0a:b"})
  void anotherTextIsRefused(String text) {
    assertThatThrownBy(() -> Normalization.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRecordContainsTheOneBeforeWhateverThatIs() {
    Normalization by = new Normalization(NormalizeBy.CENTER, "0a", "b", null);
    Provenance none = Provenance.NONE;
    String first = "{\"by\":\"center\",\"sha256\":\"0a\"}";
    assertThat(by.record(none)).isEqualTo(first);
    assertThat(by.record(none.with(Provenance.NORMALIZATION, first)))
        .isEqualTo("{\"by\":\"center\",\"sha256\":\"0a\",\"before\":" + first + "}");
    assertThat(by.record(none.with(Provenance.NORMALIZATION, "a {")))
        .isEqualTo("{\"by\":\"center\",\"sha256\":\"0a\",\"before\":\"a {\"}");
  }
}
