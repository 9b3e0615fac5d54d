package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("late")
@Tag("sampled")
class GzipRoundTripTest {
  @Property(tries = 200, sample = 25)
  void whatIsWrittenIsRead(RandomValues any) throws IOException {
    int size = size(any);
    int zeroPercent = any.intBetween(0, 100);
    int level = any.intBetween(-1, 9);
    boolean singleMember = any.bool();
    int threads = any.intBetween(1, 4);
    long seed = any.seed();
    Random random = new Random(seed);
    byte[] data = numbers(size, zeroPercent, random);
    MemoryOutput sink = new MemoryOutput(Gz.PATH);
    Integer zlibLevel = level < 0 ? null : level;
    try (BgzfOutput out =
        new BgzfOutput(sink, new BgzfOutput.Options(zlibLevel, singleMember, threads))) {
      ByteBuffer rest = ByteBuffer.wrap(data);
      while (rest.hasRemaining()) {
        int count = Math.min(rest.remaining(), 1 + random.nextInt(100_000));
        out.write(rest.slice(rest.position(), count));
        rest.position(rest.position() + count);
      }
    }
    byte[] file = sink.bytes();
    assertThat(Gz.read(Gz.input(file), threads, 1 + random.nextInt(100_000))).isEqualTo(data);
    assertThat(file.length).isLessThanOrEqualTo(data.length + 31 * (data.length / 65_280 + 1) + 28);
  }

  private static int size(RandomValues any) {
    return any.oneOf(
        () -> any.intBetween(0, 300_000),
        () -> any.intBetween(65_270, 65_290),
        () -> any.intBetween(2 * 65_280 - 2, 2 * 65_280 + 2),
        () -> 1_100_000);
  }

  private static byte[] numbers(int size, int zeroPercent, Random random) {
    byte[] data = new byte[size];
    for (int i = 0; i < size; i++) {
      if (random.nextInt(100) >= zeroPercent) {
        data[i] = (byte) random.nextInt();
      }
    }
    return data;
  }

  @Property(tries = 200, sample = 25)
  void anyMembersAreReadAsOneStream(RandomValues any) throws IOException {
    List<Integer> members = any.list(0, 255, () -> any.intBetween(0, 5));
    int threads = any.intBetween(1, 4);
    long seed = any.seed();
    Random random = new Random(seed);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    file.writeBytes(Gz.member(new byte[0]));
    for (int kind : members) {
      byte[] data = numbers(random.nextInt(20_000), 50, random);
      switch (kind) {
        case 0 -> file.writeBytes(new byte[random.nextInt(30)]);
        case 1 -> file.writeBytes(Gz.member(new byte[0]));
        case 2 -> file.writeBytes(Gz.member(data));
        case 3 -> file.writeBytes(Gz.block(data, random.nextInt(20) == 0 ? 3 : 0));
        case 4 -> file.writeBytes(Gz.written(data, new BgzfOutput.Options(null, true, 1)));
        default -> file.writeBytes(Gz.written(data, new BgzfOutput.Options(null, false, 2)));
      }
      if (kind > 1) {
        expected.writeBytes(data);
      }
    }
    assertThat(Gz.read(Gz.input(file.toByteArray()), threads, 1 + random.nextInt(70_000)))
        .isEqualTo(expected.toByteArray());
  }
}
