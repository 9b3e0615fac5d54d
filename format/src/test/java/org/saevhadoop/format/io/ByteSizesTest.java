package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteSizesTest {
  @Test
  void aSizeHasTheLargestUnitThatItReaches() {
    assertThat(ByteSizes.show(0)).isEqualTo("0 B");
    assertThat(ByteSizes.show(1023)).isEqualTo("1023 B");
    assertThat(ByteSizes.show(1536)).isEqualTo("1.5 KiB");
    assertThat(ByteSizes.show(3L << 30)).isEqualTo("3.0 GiB");
    assertThat(ByteSizes.show(Long.MAX_VALUE)).isEqualTo("8192.0 PiB");
  }
}
