package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class GzipRoundTripTest {
  @Property(tries = 200)
  void whatIsWrittenIsRead(
      @ForAll("sizes") int size,
      @ForAll @IntRange(max = 100) int zeroPercent,
      @ForAll @IntRange(min = -1, max = 9) int level,
      @ForAll boolean singleMember,
      @ForAll @IntRange(min = 1, max = 4) int threads,
      @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    byte[] data = numbers(size, zeroPercent, random);
    Gz.Sink sink = new Gz.Sink();
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
    byte[] file = sink.bytes.toByteArray();
    assertThat(Gz.read(Gz.input(file), threads, 1 + random.nextInt(100_000))).isEqualTo(data);
    assertThat(file.length).isLessThanOrEqualTo(data.length + 31 * (data.length / 65_280 + 1) + 28);
  }

  @Provide
  Arbitrary<Integer> sizes() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(0, 300_000),
        Arbitraries.integers().between(65_270, 65_290),
        Arbitraries.integers().between(2 * 65_280 - 2, 2 * 65_280 + 2),
        Arbitraries.of(1_100_000));
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

  @Property(tries = 200)
  void anyMembersAreReadAsOneStream(
      @ForAll List<@IntRange(max = 5) Integer> members,
      @ForAll @IntRange(min = 1, max = 4) int threads,
      @ForAll long seed)
      throws IOException {
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
