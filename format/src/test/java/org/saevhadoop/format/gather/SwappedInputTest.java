package org.saevhadoop.format.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

class SwappedInputTest {
  @Property(tries = 2000)
  void anyPartOfTheFileHasItsNumbersReversed(RandomValues any) throws IOException {
    int unit = any.of(2, 4, 8);
    byte[] stored = new byte[320];
    any.random().nextBytes(stored);
    int length = stored.length;
    byte[] expected = new byte[length];
    for (int i = 0; i < length; i++) {
      expected[i] = stored[i / unit * unit + unit - 1 - i % unit];
    }
    MemoryInput file = new MemoryInput("big", stored);
    SwappedInput swapped = new SwappedInput(file, unit);
    for (int i = 0; i < 4; i++) {
      int from = any.intBetween(0, length);
      int to = any.intBetween(from, length);
      int before = any.intBetween(0, 9);
      ByteBuffer dst = any.bool() ? ByteBuffer.allocate(400) : ByteBuffer.allocateDirect(400);
      dst.order(any.bool() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      swapped.readFully(from, dst.position(before).limit(before + to - from));
      assertThat(dst.remaining()).isZero();
      byte[] found = new byte[to - from];
      dst.get(before, found);
      assertThat(found)
          .as("%d bytes, %d to %d", unit, from, to)
          .isEqualTo(Arrays.copyOfRange(expected, from, to));
    }
  }

  @Test
  void aReadBeyondTheEndIsAnError() {
    SwappedInput swapped = new SwappedInput(new MemoryInput("big", new byte[8]), 4);
    assertFails(FileError.TRUNCATED, "big", () -> swapped.readFully(6, ByteBuffer.allocate(3)));
  }

  @Test
  void littleEndianElementsNeedNoChange() throws IOException {
    MemoryInput file = new MemoryInput("little", new byte[8]);
    assertThat(SwappedInput.of(file, 1)).isSameAs(file);
    try (var swapped = SwappedInput.of(file, 2)) {
      assertThat(swapped.path()).isEqualTo("little");
      assertThat(swapped.length()).isEqualTo(8);
    }
    assertThat(file.closed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 16})
  void numbersOfOtherLengthsAreNotKnown(int unit) {
    MemoryInput file = new MemoryInput("big", new byte[8]);
    assertThatThrownBy(() -> new SwappedInput(file, unit))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
