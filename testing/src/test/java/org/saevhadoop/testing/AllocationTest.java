package org.saevhadoop.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private int runs;

  @Test
  void codeThatAllocatesLittleRunsOnce() throws IOException {
    assertThat(Allocation.atMost(1 << 20, () -> ++runs)).isEqualTo(1);
  }

  @Test
  void codeThatAllocatesMuchEachTimeFailsTheTest() {
    assertThatThrownBy(() -> Allocation.atMost(1 << 20, () -> new byte[2 << 20]))
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith(" bytes were allocated, more than 1048576");
  }

  @Test
  void codeThatAllocatesMuchTheFirstTimeRunsTwice() throws IOException {
    byte[] allocated = Allocation.atMost(1 << 20, () -> new byte[runs++ == 0 ? 2 << 20 : 1]);
    assertThat(allocated).hasSize(2 << 20);
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void codeThatFailsIsHeldToItsLimitToo() {
    assertThatThrownBy(() -> Allocation.atMost(1 << 20, () -> failed(1)))
        .isInstanceOf(IOException.class)
        .hasMessage("failed with 1 bytes");
    assertThatThrownBy(() -> Allocation.atMost(1 << 20, () -> failed(2 << 20)))
        .isInstanceOf(AssertionError.class);
  }

  private static Object failed(int bytes) throws IOException {
    throw new IOException("failed with " + new byte[bytes].length + " bytes");
  }
}
