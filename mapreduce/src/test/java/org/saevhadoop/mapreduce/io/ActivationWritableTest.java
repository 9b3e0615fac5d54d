package org.saevhadoop.mapreduce.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.apache.hadoop.io.Writable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.tensor.DType;

class ActivationWritableTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16_384, 16_385, 100_000})
  void aRecordComesBackBitForBit(int dim) throws IOException {
    byte[] bytes = new byte[2 * dim * Float.BYTES];
    new Random(dim).nextBytes(bytes);
    ActivationWritable written = new ActivationWritable(new int[] {2, dim}, ByteBuffer.wrap(bytes));
    ActivationWritable read = new ActivationWritable();
    read(read, serialized(written));
    assertThat(read).isEqualTo(written).hasSameHashCodeAs(written);
    assertThat(read.shape()).containsExactly(2, dim);
    assertThat(read.bytes()).isEqualTo(ByteBuffer.wrap(bytes));
  }

  @Test
  void aRecordOverDirectMemoryIsWrittenAsOneOverTheHeap() throws IOException {
    ByteBuffer direct = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
    direct.putFloat(1.5f).putFloat(-0f).flip();
    ActivationWritable record = new ActivationWritable(new int[] {2}, direct);
    assertThat(record.toFloats()).containsExactly(1.5f, -0f);
    assertThat(serialized(record)).isEqualTo(serialized(record.copy()));
  }

  @Test
  void writingAndReadingLeaveTheRecordWhereItIs() throws IOException {
    ActivationWritable record = record(1, 2, 3);
    record.bytes().position(8);
    assertThat(serialized(record)).isEqualTo(serialized(record));
    assertThat(record.bytes().remaining()).isEqualTo(12);
    assertThat(record.bytes().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void oneObjectTakesRecordsOfEverySizeInTurn() throws IOException {
    ActivationWritable reused = new ActivationWritable();
    for (int size : new int[] {4, 1, 4, 0, 7, 7}) {
      float[] floats = new float[size];
      for (int i = 0; i < size; i++) {
        floats[i] = size * 10 + i;
      }
      read(reused, serialized(record(floats)));
      assertThat(reused.toFloats()).containsExactly(floats);
      assertThat(reused.shape()).containsExactly(size);
    }
  }

  @Test
  void aCopyOutlivesTheRecordThatItWasTakenFrom() throws IOException {
    ActivationWritable reused = new ActivationWritable();
    read(reused, serialized(record(1, 2)));
    ActivationWritable copy = reused.copy();
    read(reused, serialized(record(3, 4)));
    assertThat(copy.toFloats()).containsExactly(1, 2);
    assertThat(reused.toFloats()).containsExactly(3, 4);
    assertThat(copy).isNotEqualTo(reused);
  }

  @Test
  void aBufferThatWasLentIsNotWrittenTo() throws IOException {
    ByteBuffer lent = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    lent.putFloat(1).putFloat(2).flip();
    ActivationWritable record = new ActivationWritable(new int[] {2}, lent);
    read(record, serialized(record(3, 4)));
    assertThat(record.toFloats()).containsExactly(3, 4);
    assertThat(lent.getFloat(0)).isEqualTo(1);
  }

  @Test
  void onlyTheBytesBetweenPositionAndLimitBelongToARecord() {
    ByteBuffer large = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    large.putFloat(4, 1).putFloat(8, 2).position(4).limit(12);
    ActivationWritable record = new ActivationWritable(new int[] {1, 2}, large);
    assertThat(record.toFloats()).containsExactly(1, 2);
    assertThat(large.position()).isEqualTo(4);
  }

  @Test
  void aShapeThatDoesNotFitTheBytesIsRefused() {
    assertThatThrownBy(() -> new ActivationWritable(new int[] {3}, ByteBuffer.allocate(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("F32 [3] does not have the size of 8 bytes");
  }

  @Test
  void aRecordThatEndsEarlyOrHasANonsenseShapeIsAnError() throws IOException {
    byte[] bytes = serialized(record(1, 2));
    byte[] cut = java.util.Arrays.copyOf(bytes, bytes.length - 1);
    assertThatThrownBy(() -> read(new ActivationWritable(), cut)).isInstanceOf(EOFException.class);
    byte[] type = {99, 1};
    assertThatThrownBy(() -> read(new ActivationWritable(), type))
        .isInstanceOf(IOException.class)
        .hasMessage("a record of type 99");
    for (int size : new int[] {-1, 1 << 30}) {
      byte[] shape =
          ByteBuffer.allocate(10)
              .put((byte) DType.F32.ordinal())
              .put((byte) 2)
              .putInt(size)
              .putInt(size)
              .array();
      assertThatThrownBy(() -> read(new ActivationWritable(), shape))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("[%1$d, %1$d]".formatted(size));
    }
  }

  @Test
  void recordsOfTheSameBytesAndAnotherShapeDiffer() {
    ByteBuffer bytes = ByteBuffer.allocate(24);
    assertThat(new ActivationWritable(new int[] {2, 3}, bytes))
        .isNotEqualTo(new ActivationWritable(new int[] {3, 2}, bytes))
        .isEqualTo(new ActivationWritable(new int[] {2, 3}, bytes.duplicate()))
        .hasToString("float32[2, 3]");
  }

  static byte[] serialized(Writable writable) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writable.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  static void read(Writable writable, byte[] bytes) throws IOException {
    writable.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static ActivationWritable record(float... floats) {
    ByteBuffer bytes =
        ByteBuffer.allocate(floats.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(floats);
    return new ActivationWritable(new int[] {floats.length}, bytes);
  }
}
