package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class HuffmanDeflaterTest {
  private final HuffmanDeflater deflater = new HuffmanDeflater();

  @Property(tries = 500, sample = 150)
  void anyFrequenciesGiveACodeThatZlibReads(RandomValues any) throws DataFormatException {
    int length = any.intBetween(1, 65_280);
    double skew = any.doubleBetween(0.01, 0.99);
    int offset = any.intBetween(0, 7);
    long seed = any.seed();
    Random random = new Random(seed);
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      data[i] = (byte) (Math.log(1 - random.nextDouble()) / Math.log(skew));
    }
    assertIsReadAgain(data, offset);
  }

  @Property(tries = 300)
  void soDoFewBytes(RandomValues any) throws DataFormatException {
    byte[] data = any.bytes(1, 40);
    assertIsReadAgain(data, 0);
  }

  @Test
  void frequenciesThatNeedLongerCodesThanThereAreGetShorterOnes() throws DataFormatException {
    for (int symbols = 2; symbols < 23; symbols++) {
      ByteBuffer data = ByteBuffer.allocate(65_280);
      int count = 1;
      int before = 1;
      for (int symbol = 0; symbol < symbols && data.remaining() >= count; symbol++) {
        byte[] some = new byte[count];
        Arrays.fill(some, (byte) (symbol * 11));
        data.put(some);
        count += before;
        before = count - before;
      }
      assertIsReadAgain(Arrays.copyOf(data.array(), data.position()), 0);
    }
  }

  @Test
  void allBytesAsOftenAsOneAnotherAndOneByteAloneAreReadAgain() throws DataFormatException {
    byte[] all = new byte[65_280];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    assertIsReadAgain(all, 0);
    assertIsReadAgain(new byte[65_280], 0);
    assertIsReadAgain(new byte[1], 0);
  }

  @Test
  void itIsAsShortAsWhatZlibMakes() {
    ByteBuffer numbers = ByteBuffer.allocate(65_280);
    Random random = new Random(1);
    while (numbers.hasRemaining()) {
      numbers.putFloat((float) random.nextGaussian());
    }
    Deflater zlib = new Deflater(1, true);
    zlib.setStrategy(Deflater.HUFFMAN_ONLY);
    zlib.setInput(numbers.array());
    zlib.finish();
    byte[] theirs = new byte[70_000];
    int length = 0;
    while (!zlib.finished()) {
      length += zlib.deflate(theirs, length, theirs.length - length);
    }
    zlib.end();
    assertThat(deflated(numbers.array(), 0, true)).hasSizeLessThanOrEqualTo(length);
  }

  @Test
  void whatIsTooLongIsNotWritten() {
    byte[] data = Gz.random(1000, 1);
    int length = deflated(data, 0, true).length;
    ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = ByteBuffer.allocate(3000).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(deflater.deflate(in, out, length - 1, true)).isFalse();
    assertThat(out.position()).isZero();
    assertThat(deflater.deflate(in, out, length, true)).isTrue();
    assertThat(out.position()).isEqualTo(length);
  }

  private void assertIsReadAgain(byte[] data, int offset) throws DataFormatException {
    assertThat(inflated(deflated(data, offset, true), data.length)).isEqualTo(data);
    byte[] begun = deflated(data, offset, false);
    byte[] twice = Gz.join(begun, deflated(data, 0, true));
    assertThat(inflated(twice, data.length * 2)).isEqualTo(Gz.join(data, data));
  }

  private byte[] deflated(byte[] data, int offset, boolean last) {
    ByteBuffer in = ByteBuffer.allocate(offset + data.length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(offset).put(data).flip().position(offset);
    ByteBuffer out = ByteBuffer.allocate(100_000).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(deflater.deflate(in, out, 90_000, last)).isTrue();
    return Arrays.copyOf(out.array(), out.position());
  }

  private static byte[] inflated(byte[] deflated, int length) throws DataFormatException {
    Inflater inflater = new Inflater(true);
    inflater.setInput(deflated);
    byte[] data = new byte[length + 1];
    int count = inflater.inflate(data);
    assertThat(inflater.finished()).isTrue();
    assertThat(inflater.getRemaining()).isZero();
    inflater.end();
    return Arrays.copyOf(data, count);
  }
}
