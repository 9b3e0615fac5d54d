package org.saevhadoop.format.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputBufferTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 65, 1 << 18, (1 << 20) + 1})
  void aBufferToReadIntoIsAlignedAndHasTheSizeThatIsAskedFor(int bytes) {
    ByteBuffer buffer = Input.buffer(bytes);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.capacity()).isEqualTo(bytes);
    assertThat(buffer.alignmentOffset(0, Input.ALIGNMENT)).isZero();
  }
}
