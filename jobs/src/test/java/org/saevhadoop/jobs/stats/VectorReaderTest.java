package org.saevhadoop.jobs.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.tensor.DType;

class VectorReaderTest {
  @ParameterizedTest
  @EnumSource(names = {"F64", "I32", "U32", "I64", "U64"})
  void squaresOfMoreThan26BitsAreNotExact(DType dtype) {
    assertThat(VectorReader.hasExactSquares(dtype)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "BF16", "I16", "U16", "I8", "U8"})
  void squaresOfUpTo26BitsAreExact(DType dtype) {
    assertThat(VectorReader.hasExactSquares(dtype)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F64"})
  void vectorsOfBlocksAreRead(DType dtype) {
    ByteBuffer bytes =
        ByteBuffer.allocate(6 * dtype.bits() / Byte.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 6; i++) {
      if (dtype == DType.F32) {
        bytes.putFloat(i + 0.5f);
      } else {
        bytes.putDouble(i + 0.5);
      }
    }
    VectorReader reader = new VectorReader(3);
    reader.begin(dtype, bytes.flip());
    double[] found = new double[3];
    reader.read(1, found);
    assertThat(found).containsExactly(3.5, 4.5, 5.5);
    reader.read(0, found);
    assertThat(found).containsExactly(0.5, 1.5, 2.5);
    reader.begin(dtype, reader.bytes(1));
    reader.read(0, found);
    assertThat(found).containsExactly(3.5, 4.5, 5.5);
  }
}
