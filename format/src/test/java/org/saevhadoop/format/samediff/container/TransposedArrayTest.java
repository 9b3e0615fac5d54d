package org.saevhadoop.format.samediff.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.container.TransposedArray.FileSource;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.samediff.sdnb.StoredArray;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;
import org.saevhadoop.format.samediff.sdnb.VariableKind;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class TransposedArrayTest {
  private static final int AT = 5;

  @Property(tries = 2000)
  void anyPartOfAnyArrayIsReadInCOrder(RandomValues any) throws IOException {
    long[] shape = any.longs(2, 4, 1, 7);
    SdnbType type = any.of(SdnbType.BYTE, SdnbType.HALF, SdnbType.FLOAT, SdnbType.DOUBLE);
    byte[] values = values(shape, type);
    int window = any.intBetween(type.width(), 3 * values.length);
    TransposedArray array = array(values, shape, type, window);
    for (int i = 0; i < 4; i++) {
      int from = any.intBetween(0, values.length - 1);
      int to = any.intBetween(from, values.length);
      assertThat(read(array, from, to))
          .as("%s %s window %d: %d to %d", type, Arrays.toString(shape), window, from, to)
          .isEqualTo(Arrays.copyOfRange(values, from, to));
    }
  }

  @Test
  void anArrayLargerThanTheBufferIsReadInOnePassForEachWindow() throws IOException {
    long[] shape = {300, 7, 500};
    byte[] values = values(shape, SdnbType.FLOAT);
    byte[] stored = stored(values, shape);
    long[] read = {0};
    TransposedArray array =
        new TransposedArray(
            counting(stored, read),
            description(values, shape, SdnbType.FLOAT),
            1_500_000,
            buffer());
    byte[] found = new byte[values.length];
    for (int at = 0; at < found.length; at += 70_000) {
      array.read(at, ByteBuffer.wrap(found, at, Math.min(70_000, found.length - at)));
    }
    assertThat(found).isEqualTo(values);
    assertThat(read[0]).isLessThanOrEqualTo(3L * values.length);
  }

  @Test
  void aFewElementsAnywhereAreReadWithoutAPass() throws IOException {
    long[] shape = {300, 7, 500};
    byte[] values = values(shape, SdnbType.FLOAT);
    long[] read = {0};
    TransposedArray array =
        new TransposedArray(
            counting(stored(values, shape), read),
            description(values, shape, SdnbType.FLOAT),
            1_500_000,
            buffer());
    for (int at = values.length - 2001; at > 0; at -= 400_000) {
      assertThat(read(array, at, at + 2000)).isEqualTo(Arrays.copyOfRange(values, at, at + 2000));
    }
    assertThat(read[0]).isLessThan(30_000);
  }

  /** A file that counts the bytes that are read of it. */
  private static FileSource counting(byte[] stored, long[] read) {
    Input file =
        new MemoryInput("counted", stored) {
          @Override
          public void readFully(long position, ByteBuffer dst) throws IOException {
            read[0] += dst.remaining();
            super.readFully(position, dst);
          }
        };
    return () -> file;
  }

  @Test
  void aWindowOfAnArrayWithManyRowsReadsOnlyItsRows() throws IOException {
    long[] shape = {200_000, 3};
    byte[] values = values(shape, SdnbType.FLOAT);
    long[] read = {0};
    TransposedArray array =
        new TransposedArray(
            counting(stored(values, shape), read),
            description(values, shape, SdnbType.FLOAT),
            120_000,
            buffer());
    byte[] found = new byte[values.length];
    for (int at = 0; at < found.length; at += 60_000) {
      array.read(at, ByteBuffer.wrap(found, at, 60_000));
    }
    assertThat(found).isEqualTo(values);
    assertThat(read[0]).isEqualTo(values.length);
  }

  @Test
  void aWindowThatCouldNotBeReadIsNotTakenForRead() throws IOException {
    long[] shape = {4, 6};
    byte[] values = values(shape, SdnbType.FLOAT);
    byte[] stored = stored(values, shape);
    byte[] cut = Arrays.copyOf(stored, stored.length - 4);
    TransposedArray array =
        new TransposedArray(
            () -> new MemoryInput("cut.sdnb", cut),
            description(values, shape, SdnbType.FLOAT),
            1 << 20,
            buffer());
    for (int i = 0; i < 2; i++) {
      assertFails(FileError.TRUNCATED, "cut.sdnb", () -> read(array, 0, 4));
    }
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(1 << 20);
  }

  private static byte[] read(TransposedArray array, int from, int to) throws IOException {
    byte[] found = new byte[to - from];
    array.read(from, ByteBuffer.wrap(found));
    return found;
  }

  /** Bytes that are not repeated soon. */
  private static byte[] values(long[] shape, SdnbType type) {
    byte[] values = new byte[(int) LongStream.of(shape).reduce(type.width(), (a, b) -> a * b)];
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

  private static StoredArray description(byte[] values, long[] shape, SdnbType type) {
    List<Long> sizes = LongStream.of(shape).boxed().toList();
    return new StoredArray(
        "a", VariableKind.CONSTANT, type, sizes, MemoryOrder.F, AT, values.length);
  }

  private static TransposedArray array(byte[] values, long[] shape, SdnbType type, int window) {
    MemoryInput file = new MemoryInput("a.sdnb", stored(values, shape));
    return new TransposedArray(() -> file, description(values, shape, type), window, buffer());
  }
}
