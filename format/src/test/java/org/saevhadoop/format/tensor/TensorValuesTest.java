package org.saevhadoop.format.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TensorValuesTest {
  private static ByteBuffer random(DType dtype, int count) {
    byte[] bytes = new byte[count * dtype.bits() / Byte.SIZE];
    new Random(dtype.ordinal()).nextBytes(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"[IU](8|16|32)", "B?F(8_.*|16|32|64)"})
  void aValueIsTheOneThatItsConversionToDoubleReturns(DType dtype) {
    ByteBuffer stored = random(dtype, 4096);
    ByteBuffer doubles = ByteBuffer.allocate(4096 * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    DTypeConversion.of(dtype, DType.F64).convert(stored.duplicate(), doubles);
    TensorValues values = TensorValues.of(dtype, stored);
    assertThat(values.count()).isEqualTo(4096);
    for (int i = 0; i < values.count(); i++) {
      assertThat(values.doubleAt(i)).isEqualTo(Double.valueOf(doubles.getDouble(i * Double.BYTES)));
      if (values.areIntegers()) {
        assertThat((double) values.longAt(i)).isEqualTo(values.doubleAt(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"I64", "U64"})
  void wideIntegersAreExactAsLongsAndRoundedAsDoubles(DType dtype) {
    ByteBuffer stored = random(dtype, 1000);
    ByteBuffer doubles = ByteBuffer.allocate(1000 * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    DTypeConversion.of(dtype, DType.F64).convert(stored.duplicate(), doubles);
    TensorValues values = TensorValues.of(dtype, stored);
    for (int i = 0; i < values.count(); i++) {
      assertThat(values.longAt(i)).isEqualTo(stored.getLong(i * Long.BYTES));
      assertThat(values.doubleAt(i)).isEqualTo(Double.valueOf(doubles.getDouble(i * Double.BYTES)));
    }
  }

  @ParameterizedTest // the largest, smallest and special values of the OCP specifications
  @CsvSource({
    "F8_E4M3,0x7e,448", "F8_E4M3,0x01,0.001953125", "F8_E4M3,0xff,NaN", "F8_E5M2,0x7b,57344",
    "F8_E5M2,0xfc,-Infinity", "F8_E5M2,0x7d,NaN", "F8_E4M3FNUZ,0x80,NaN", "F8_E4M3FNUZ,0x7f,240",
    "F8_E5M2FNUZ,0x7f,57344", "F8_E8M0,0x7f,1", "F8_E8M0,0xff,NaN", "BOOL,0x02,1"
  })
  void anElementOfOneByteHasTheValueOfItsType(DType dtype, int element, double value) {
    ByteBuffer stored = ByteBuffer.wrap(new byte[] {0, (byte) element}).position(1);
    TensorValues values = TensorValues.of(dtype, stored);
    assertThat(values.count()).isEqualTo(1);
    assertThat(values.doubleAt(0)).isEqualTo(Double.valueOf(value));
  }

  @ParameterizedTest
  @EnumSource(names = {"F4", "F6_E2M3", "F6_E3M2", "C64"})
  void elementsThatAreNotOneNumberAreRefused(DType dtype) {
    assertThatThrownBy(() -> TensorValues.of(dtype, ByteBuffer.allocate(8)))
        .hasMessageContaining(dtype.name());
  }

  @Test
  void floatsAreNoIntegers() {
    TensorValues values = TensorValues.of(DType.F32, ByteBuffer.allocate(4));
    assertThatThrownBy(() -> values.longAt(0)).isInstanceOf(IllegalStateException.class);
  }
}
