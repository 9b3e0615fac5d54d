package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.MemoryInput;

class PlainOrGzipTest {
  @Test
  void aFileThatDoesNotBeginAsGzipIsReadAsItIs() throws IOException {
    byte[] plain = Gz.random(50_000, 1);
    plain[0] = (byte) 0x80;
    assertThat(Gz.read(Gz.input(plain), 2, 777)).isEqualTo(plain);
    byte[] other = {0x1f, 0x74, 1};
    assertThat(Gz.read(new MemoryInput("a.pkl", other), 2, 1)).isEqualTo(other);
    assertThat(Gz.read(new MemoryInput("a.pkl", new byte[] {0x1f}), 2, 1)).hasSize(1);
  }

  @Test
  void itsNameDoesNotMatterForAFileThatIsGzip() throws IOException {
    byte[] data = {1, 2, 3};
    assertThat(Gz.read(new MemoryInput("a.pkl", Gz.member(data)), 1, 100)).isEqualTo(data);
  }

  @Test
  void aPlainFileCountsItsBytesAndLeavesTheBufferAsItWas() throws IOException {
    try (ByteSource source = PlainOrGzip.open(Gz.input(new byte[10]))) {
      ByteBuffer dst = ByteBuffer.allocate(100).limit(20).position(16);
      assertThat(source.read(dst)).isEqualTo(4);
      assertThat(source.fileBytesRead()).isEqualTo(4);
      assertThat(source.read(dst)).isZero();
      assertThat(source.read(dst.limit(90))).isEqualTo(6);
      assertThat(dst.position()).isEqualTo(26);
      assertThat(dst.limit()).isEqualTo(90);
      assertThat(source.read(dst)).isEqualTo(-1);
    }
  }

  @Test
  void theFileIsClosedWithTheSourceAndWhereThereIsNone() throws IOException {
    for (byte[] file : new byte[][] {{1}, Gz.member(new byte[1])}) {
      MemoryInput open = Gz.input(file);
      PlainOrGzip.open(open).close();
      assertThat(open.closed()).isEqualTo(1);
    }
    MemoryInput empty = Gz.input(new byte[0]);
    assertFails(GzipError.TRUNCATED, Gz.PATH, () -> PlainOrGzip.open(empty));
    assertThat(empty.closed()).isEqualTo(1);
  }
}
