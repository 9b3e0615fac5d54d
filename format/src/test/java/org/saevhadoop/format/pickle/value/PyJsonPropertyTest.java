package org.saevhadoop.format.pickle.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.IOException;
import java.util.stream.LongStream;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class PyJsonPropertyTest {
  @Property
  void aValueIsTheSameAfterItsLine(RandomValues any) throws Exception {
    Object value = AnyValues.value(any);
    String line = PyJson.write("v", value, null, Integer.MAX_VALUE);
    assertThat(line.chars()).noneMatch(c -> c < ' ');
    Object back = PyJson.parse("v", line);
    assertThat(AnyValues.comparable(back)).isEqualTo(AnyValues.comparable(value));
    assertThat(PyJson.write("v", back, null, line.length())).isEqualTo(line);
  }

  @Property
  void aScalarIsTheSameAfterItsLine(RandomValues any) throws Exception {
    PythonValue.NumpyScalar value = AnyValues.scalar(any);
    String line = PyJson.write("v", value, null, Integer.MAX_VALUE);
    assertThat(AnyValues.comparable(PyJson.parse("v", line)))
        .isEqualTo(AnyValues.comparable(value));
  }

  @Property
  void aLineThatIsOneCharacterTooLongIsRefused(RandomValues any) throws Exception {
    Object value = AnyValues.value(any);
    String line = PyJson.write("v", value, null, Integer.MAX_VALUE);
    assertFailsWithAnyText(
        PickleError.LIMIT_EXCEEDED, "v", () -> PyJson.write("v", value, null, line.length() - 1));
  }

  @Property
  void aLineThatIsCutIsRefused(RandomValues any) throws Exception {
    Object value = AnyValues.value(any);
    long cut = any.anyLong();
    String line = PyJson.write("v", value, null, Integer.MAX_VALUE);
    String begin = line.substring(0, (int) Math.floorMod(cut, (long) line.length()));
    boolean number = value instanceof Long || value instanceof Double;
    if (!number) {
      assertFailsWithAnyText(PickleError.BAD_METADATA, "v", () -> PyJson.parse("v", begin));
    }
  }

  @Property(tries = 4000)
  void anIndexOfAnArrayHasTheSameElementInBothOrders(RandomValues any) throws IOException {
    long[] shape = any.longs(0, 4, 1, 3);
    int count = (int) LongStream.of(shape).reduce(1, (a, b) -> a * b);
    NumpyType type = NumpyType.named("int8").orElseThrow();
    byte[] fortran = new byte[count];
    byte[] expected = new byte[count];
    for (int i = 0; i < count; i++) {
      fortran[i] = (byte) i;
      int rest = i;
      int at = 0;
      for (int axis = 0; axis < shape.length; axis++) { // the first index moves fastest
        int index = (int) (rest % shape[axis]);
        rest /= (int) shape[axis];
        int stride = 1;
        for (int later = axis + 1; later < shape.length; later++) {
          stride *= (int) shape[later];
        }
        at += index * stride;
      }
      expected[at] = (byte) i;
    }
    PythonValue.NumpyArray array = AnyValues.array(type, shape, true, fortran);
    assertThat(ArrayBytes.rowMajor(array, fortran)).isEqualTo(expected);
  }
}
