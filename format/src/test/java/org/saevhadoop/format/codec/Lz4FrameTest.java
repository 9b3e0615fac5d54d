package org.saevhadoop.format.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.apache.commons.codec.digest.XXHash32;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.Parameters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Frames that commons-compress writes. */
@Tag("sampled")
class Lz4FrameTest {
  private static byte[] content(RandomValues any, int length) {
    Random random = new Random(any.anyLong());
    byte[] content = new byte[length];
    for (int at = 0; at < length; ) {
      int back = random.nextInt(Math.min(at, 70_000) + 1);
      int some = Math.min(length - at, 1 + random.nextInt(5_000));
      for (int i = 0; i < some; i++) {
        content[at + i] = back == 0 ? (byte) random.nextInt() : content[at + i - back];
      }
      at += some;
    }
    return content;
  }

  /** The blocks are independent: commons-compress 1.27.1 writes wrong ones if they are linked. */
  private static byte[] frame(
      byte[] content, BlockSize size, boolean hasContentChecksum, boolean hasBlockChecksums)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Parameters parameters = new Parameters(size, hasContentChecksum, hasBlockChecksums, false);
    try (var frame = new FramedLZ4CompressorOutputStream(out, parameters)) {
      frame.write(content);
    }
    return out.toByteArray();
  }

  private static byte[] read(byte[] frame) throws IOException {
    try (Lz4Frame in = new Lz4Frame(new ByteArrayInputStream(frame))) {
      return in.readAllBytes();
    }
  }

  @Property(tries = 500, sample = 100)
  void framesHaveTheirContent(RandomValues any) throws IOException {
    byte[] content = content(any, any.intBetween(0, 300_000));
    BlockSize size = any.of(BlockSize.K64, BlockSize.K256, BlockSize.M1);
    byte[] frame = frame(content, size, any.bool(), any.bool());
    assertThat(read(frame)).isEqualTo(content);
  }

  /** lz4 1.9.4 wrote it, with -BD -B4 -BX --content-size. */
  @Test
  void linkedBlocksReferToThoseBefore() throws IOException {
    byte[] repeated = new byte[3000];
    new Random(1).nextBytes(repeated);
    byte[] content = new byte[250_000];
    for (int i = 0; i < content.length; i++) {
      content[i] = repeated[i % repeated.length];
    }
    try (InputStream file = Lz4FrameTest.class.getResourceAsStream("/lz4/linked.lz4")) {
      assertThat(read(Objects.requireNonNull(file).readAllBytes())).isEqualTo(content);
    }
  }

  @Property(tries = 200, sample = 50)
  void hashesAreThoseOfCommonsCodec(RandomValues any) {
    byte[] bytes = content(any, any.intBetween(0, 100));
    XXHash32 expected = new XXHash32();
    expected.update(bytes, 0, bytes.length);
    XxHash32 hash = new XxHash32();
    int cut = any.intBetween(0, bytes.length);
    hash.update(bytes, 0, cut);
    hash.update(bytes, cut, bytes.length - cut);
    assertThat(hash.value()).isEqualTo((int) expected.getValue());
  }

  /** Checksums of blocks and content leave no byte whose change is not seen. */
  @Test
  void changedAndCutFramesAreRefused() throws IOException {
    byte[] content = new byte[2000];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i % 7 * (i / 100));
    }
    byte[] frame = frame(content, BlockSize.K64, true, true);
    assertThat(read(frame)).isEqualTo(content);
    for (int at = 0; at < frame.length; at++) {
      byte[] changed = frame.clone();
      changed[at] ^= 0x11;
      assertThatThrownBy(() -> read(changed))
          .as("byte %d", at)
          .isInstanceOfAny(IllegalArgumentException.class, BufferUnderflowException.class);
      byte[] cut = Arrays.copyOf(frame, at);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", at)
          .isInstanceOfAny(IllegalArgumentException.class, BufferUnderflowException.class);
    }
    byte[] longer = Arrays.copyOf(frame, frame.length + 1);
    assertThatThrownBy(() -> read(longer)).hasMessageContaining("followed by other bytes");
  }
}
