package org.saevhadoop.format.samediff.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.zip.HandMadeZip;
import org.saevhadoop.format.zip.ZipReading;
import org.saevhadoop.format.zip.ZipWriter;

/** An entry of 17 MiB, one more than is kept after it was inflated. */
class InflatedInputTest {
  private static final int KEPT_BYTES = 16 << 20;
  private static final int BYTES = 17 << 20;

  private MemoryInput file;
  private Input inflated;

  @BeforeEach
  void readTheWholeEntry() throws IOException {
    MemoryOutput out = new MemoryOutput("x.sdz");
    try (ZipWriter writer = new ZipWriter(out, 1, ZipReading.ROOT)) {
      byte[] data = new byte[BYTES];
      data[BYTES - 1] = 1;
      HandMadeZip.addDeflated(writer, "model", data);
    }
    file = new MemoryInput("x.sdz", out.bytes());
    inflated = new InflatedInput(file, SdzFile.models(SdzFile.open(file)).get(0));
    assertThat(byteAt(BYTES - 1)).isOne();
  }

  private byte byteAt(int position) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(1);
    inflated.readFully(position, found);
    return found.get(0);
  }

  @Test
  void bytesOfTheFirst16MebibytesAreNotInflatedAgain() throws IOException {
    long before = file.bytesRead();
    assertThat(byteAt(0)).isZero();
    assertThat(byteAt(KEPT_BYTES - 1)).isZero();
    assertThat(file.bytesRead()).isEqualTo(before);
  }

  @Test
  void laterBytesAreAsTheyAreNotKept() throws IOException {
    long before = file.bytesRead();
    assertThat(byteAt(BYTES - 2)).isZero();
    assertThat(file.bytesRead()).isGreaterThan(before);
  }
}
