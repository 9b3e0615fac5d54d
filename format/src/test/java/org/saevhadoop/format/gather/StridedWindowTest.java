package org.saevhadoop.format.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class StridedWindowTest {
  private static final int AT = 5;

  @Property(tries = 2000, sample = 700)
  void anyPartOfAnyArrayIsReadInCOrder(RandomValues any) throws IOException {
    long[] shape = any.longs(2, 4, 1, 7);
    int width = any.of(1, 2, 4, 8, 16);
    byte[] values = values(shape, width);
    int window = any.intBetween(width, 3 * values.length);
    StridedWindow array = array(values, shape, width, window);
    for (int i = 0; i < 4; i++) {
      int from = any.intBetween(0, values.length - 1);
      int to = any.intBetween(from, values.length);
      assertThat(read(array, from, to))
          .as("%d bytes %s window %d: %d to %d", width, Arrays.toString(shape), window, from, to)
          .isEqualTo(Arrays.copyOfRange(values, from, to));
    }
  }

  /** Views of a larger array: dimensions in any order, every n-th element, repeated elements. */
  @Property(tries = 2000, sample = 700)
  void anyPartOfAnyViewIsReadInCOrder(RandomValues any) throws IOException {
    int width = any.of(1, 2, 4, 8, 16);
    byte[] file = values(new long[] {any.intBetween(2000, 4000)}, width);
    List<Long> shape = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    for (int i = any.intBetween(1, 4); i > 0; i--) {
      shape.add((long) any.intBetween(1, 6));
      strides.add((long) any.intBetween(0, 30) * width);
    }
    StridedLayout layout = new StridedLayout(AT, width, shape, strides);
    byte[] values = naive(file, layout, 0, AT);
    int window = any.intBetween(width, 3 * values.length);
    MemoryInput input = new MemoryInput("view", file);
    StridedWindow array = new StridedWindow(() -> input, layout, window, buffer());
    for (int i = 0; i < 4; i++) {
      int from = any.intBetween(0, values.length - 1);
      int to = any.intBetween(from, values.length);
      assertThat(read(array, from, to))
          .as("%s window %d: %d to %d", layout, window, from, to)
          .isEqualTo(Arrays.copyOfRange(values, from, to));
    }
  }

  /** Returns the elements of a view whose first indexes, up to an axis, lead to a position. */
  private static byte[] naive(byte[] file, StridedLayout layout, int axis, int at) {
    if (axis == layout.shape().size()) {
      return Arrays.copyOfRange(file, at, at + layout.width());
    }
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    for (int i = 0; i < layout.shape().get(axis); i++) {
      int next = at + i * layout.strides().get(axis).intValue();
      values.writeBytes(naive(file, layout, axis + 1, next));
    }
    return values.toByteArray();
  }

  @Test
  void anArrayLargerThanTheBufferIsReadInOnePassForEachWindow() throws IOException {
    long[] shape = {300, 7, 500};
    byte[] values = values(shape, Float.BYTES);
    MemoryInput file = new MemoryInput("counted", stored(values, shape));
    StridedWindow array =
        new StridedWindow(() -> file, layout(shape, Float.BYTES), 1_500_000, buffer());
    byte[] found = new byte[values.length];
    for (int at = 0; at < found.length; at += 70_000) {
      array.read(at, ByteBuffer.wrap(found, at, Math.min(70_000, found.length - at)));
    }
    assertThat(found).isEqualTo(values);
    assertThat(file.bytesRead()).isLessThanOrEqualTo(3L * values.length);
  }

  @Test
  void aFewElementsAnywhereAreReadWithoutAPass() throws IOException {
    long[] shape = {300, 7, 500};
    byte[] values = values(shape, Float.BYTES);
    MemoryInput file = new MemoryInput("counted", stored(values, shape));
    StridedWindow array =
        new StridedWindow(() -> file, layout(shape, Float.BYTES), 1_500_000, buffer());
    for (int at = values.length - 2001; at > 0; at -= 400_000) {
      assertThat(read(array, at, at + 2000)).isEqualTo(Arrays.copyOfRange(values, at, at + 2000));
    }
    assertThat(file.bytesRead()).isLessThan(30_000);
  }

  @Test
  void aWindowOfAnArrayWithManyRowsReadsOnlyItsRows() throws IOException {
    long[] shape = {200_000, 3};
    byte[] values = values(shape, Float.BYTES);
    MemoryInput file = new MemoryInput("counted", stored(values, shape));
    StridedWindow array =
        new StridedWindow(() -> file, layout(shape, Float.BYTES), 120_000, buffer());
    byte[] found = new byte[values.length];
    for (int at = 0; at < found.length; at += 60_000) {
      array.read(at, ByteBuffer.wrap(found, at, 60_000));
    }
    assertThat(found).isEqualTo(values);
    assertThat(file.bytesRead()).isEqualTo(values.length);
  }

  @Test
  void aWindowThatCouldNotBeReadIsNotTakenForRead() throws IOException {
    long[] shape = {4, 6};
    byte[] values = values(shape, Float.BYTES);
    byte[] stored = stored(values, shape);
    byte[] cut = Arrays.copyOf(stored, stored.length - 4);
    StridedWindow array =
        new StridedWindow(
            () -> new MemoryInput("cut.sdnb", cut), layout(shape, Float.BYTES), 1 << 20, buffer());
    for (int i = 0; i < 2; i++) {
      assertFails(FileError.TRUNCATED, "cut.sdnb", () -> read(array, 0, 4));
    }
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(1 << 20);
  }

  private static byte[] read(StridedWindow array, int from, int to) throws IOException {
    byte[] found = new byte[to - from];
    array.read(from, ByteBuffer.wrap(found));
    return found;
  }

  /** Bytes that are not repeated soon. */
  private static byte[] values(long[] shape, int width) {
    byte[] values = new byte[(int) LongStream.of(shape).reduce(width, (a, b) -> a * b)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i * 31 + i / 256 * 7 + i / 65_536);
    }
    return values;
  }

  private static byte[] stored(byte[] values, long[] shape) {
    byte[] transposed = ForeignContainer.transposed(values, shape);
    byte[] file = new byte[AT + transposed.length];
    System.arraycopy(transposed, 0, file, AT, transposed.length);
    return file;
  }

  private static StridedLayout layout(long[] shape, int width) {
    return StridedLayout.fortran(AT, width, LongStream.of(shape).boxed().toList());
  }

  private static StridedWindow array(byte[] values, long[] shape, int width, int window) {
    MemoryInput file = new MemoryInput("a.sdnb", stored(values, shape));
    return new StridedWindow(() -> file, layout(shape, width), window, buffer());
  }
}
