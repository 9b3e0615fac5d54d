package org.saevhadoop.format.gzip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFailsWithAnyText;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.io.MemoryOutput;

class BgzfOutputTest {
  private static final String EOF_BLOCK =
      "1f8b08040000000000ff0600424302001b0003000000000000000000";

  private static BgzfOutput.Options options(int threads) {
    return new BgzfOutput.Options(null, false, threads);
  }

  @Test
  void nothingIsTheBlockThatHtslibPutsAtTheEnd() throws IOException {
    assertThat(HexFormat.of().formatHex(Gz.written(new byte[0], options(2)))).isEqualTo(EOF_BLOCK);
  }

  @Test
  void randomBytesAreStoredInBlocksOf65280() throws IOException {
    byte[] file = Gz.written(Gz.random(65_280 * 2 + 1, 3), options(1));
    int block = 65_280 + 5 + 26;
    assertThat(file).hasSize(2 * block + 1 + 5 + 26 + 28).startsWith(31, 139, 8, 4);
    assertThat(file[16] & 0xff | (file[17] & 0xff) << 8).isEqualTo(block - 1);
    assertThat(Arrays.copyOfRange(file, block, block + 4)).startsWith(31, 139, 8, 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theBytesDoNotDependOnTheThreads(boolean singleMember) throws IOException {
    byte[] data = mixed();
    byte[] one = Gz.written(data, new BgzfOutput.Options(null, singleMember, 1));
    for (int threads = 2; threads <= 4; threads++) {
      BgzfOutput.Options options = new BgzfOutput.Options(null, singleMember, threads);
      assertThat(Gz.written(data, options)).isEqualTo(one);
    }
    assertThat(Gz.read(one, 2)).isEqualTo(data);
  }

  @Test
  void aBlockIsDeflatedAsIfItWereTheOnlyOne() throws IOException {
    ByteBuffer numbers = ByteBuffer.allocate(65_280 + 20_000);
    Random random = new Random(5);
    while (numbers.position() < 65_280) {
      numbers.putFloat((float) random.nextGaussian());
    }
    numbers.put(numbers.duplicate().limit(65_280).position(45_280));
    byte[] second = Arrays.copyOfRange(numbers.array(), 65_280, numbers.capacity());
    byte[] alone = Gz.written(second, options(1));
    byte[] both = Gz.written(numbers.array(), options(1));
    assertThat(Arrays.copyOfRange(both, both.length - alone.length, both.length)).isEqualTo(alone);
  }

  /** Dense numbers, zeros, text and noise, in turn. */
  private static byte[] mixed() {
    ByteBuffer data = ByteBuffer.allocate(3_000_000);
    Random random = new Random(5);
    while (data.remaining() >= 400_000) {
      for (int i = 0; i < 50_000; i++) {
        data.putFloat((float) random.nextGaussian());
      }
      data.put(new byte[100_000])
          .put("a text, again and again ".repeat(2000).getBytes(StandardCharsets.US_ASCII));
      data.put(Gz.random(50_000, data.position()));
    }
    return data.array();
  }

  @Test
  void aSingleMemberIsOneMember() throws IOException {
    byte[] data = mixed();
    byte[] file = Gz.written(data, new BgzfOutput.Options(null, true, 2));
    assertThat(file).startsWith(31, 139, 8, 0, 0, 0, 0, 0, 0, 255);
    GZIPInputStream theirs = new GZIPInputStream(new ByteArrayInputStream(file));
    assertThat(theirs.readAllBytes()).isEqualTo(data);
    byte[] cut = Arrays.copyOf(file, file.length - 1);
    assertThat(assertFailsWithAnyText(GzipError.TRUNCATED, Gz.PATH, () -> Gz.read(cut, 1)))
        .hasMessageContaining("member at byte 0");
  }

  @Test
  void contentDecidesWhetherRepetitionsAreLookedFor() throws IOException {
    int size = 20 * 65_280;
    ByteBuffer dense = ByteBuffer.allocate(size);
    ByteBuffer sparse = ByteBuffer.allocate(size);
    ByteBuffer rows = ByteBuffer.allocate(size);
    Random random = new Random(1);
    byte[] row = Gz.random(960 * 4, 2);
    while (dense.hasRemaining()) {
      dense.putFloat((float) random.nextGaussian());
      sparse.putFloat(random.nextInt(10) == 0 ? (float) random.nextGaussian() : 0);
    }
    for (int i = 0; i < size / row.length; i++) {
      rows.put(i % 2 == 0 ? row : Gz.random(row.length, i));
    }
    byte[] text =
        "{\"text_preview\": \"the quick brown fox\"}\n"
            .repeat(5000)
            .getBytes(StandardCharsets.US_ASCII);
    int best = written(dense.array(), 9);
    assertThat(written(dense.array(), null)).isLessThan(best);
    assertThat(written(sparse.array(), null)).isEqualTo(written(sparse.array(), 1));
    assertThat(written(rows.array(), null)).isEqualTo(written(rows.array(), 1));
    assertThat(written(text, null)).isEqualTo(written(text, 1));
  }

  private static int written(byte[] data, Integer level) throws IOException {
    return Gz.written(data, new BgzfOutput.Options(level, false, 2)).length;
  }

  @Test
  void lengthsAreThoseBeforeCompression() throws IOException {
    MemoryOutput sink = new MemoryOutput(Gz.PATH);
    try (BgzfOutput out = new BgzfOutput(sink, options(2))) {
      out.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertThat(out.position()).isEqualTo(3);
      out.extendTo(200_000);
      assertThat(out.position()).isEqualTo(200_000);
      assertThatThrownBy(() -> out.extendTo(5)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(sink.closed()).isPositive();
    byte[] expected = new byte[200_000];
    System.arraycopy(new byte[] {1, 2, 3}, 0, expected, 0, 3);
    assertThat(Gz.read(sink.bytes(), 1)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void afterAFailedWriteNothingIsWrittenAnyMore(int threads) throws IOException {
    MemoryOutput sink = new MemoryOutput(Gz.PATH);
    sink.limit(300_000);
    BgzfOutput out = new BgzfOutput(sink, options(threads));
    ByteBuffer data = ByteBuffer.wrap(Gz.random(5_000_000, 1));
    assertThatThrownBy(() -> out.write(data)).hasMessage("the disk is full");
    long before = sink.position();
    sink.limit(Integer.MAX_VALUE);
    assertThatThrownBy(() -> out.write(data))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it failed");
    out.close();
    assertThat(sink.closed()).isPositive();
    assertThat(sink.position()).isEqualTo(before);
  }

  @Test
  void afterClosingNothingCanBeWritten() throws IOException {
    MemoryOutput sink = new MemoryOutput(Gz.PATH);
    BgzfOutput out = new BgzfOutput(sink, options(2));
    out.close();
    out.close();
    assertThat(sink.position()).isEqualTo(28);
    assertThatThrownBy(() -> out.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
  }

  @Test
  void whatFailsInAThreadComesToTheWriter() {
    assertThatThrownBy(
            () ->
                CompressionWorkers.result(
                    new FutureTask<Void>(
                        () -> {
                          throw new IllegalStateException("broken");
                        }),
                    "a.gz"))
        .isInstanceOf(IOException.class)
        .hasMessage("a.gz: a thread of gzip failed: java.lang.IllegalStateException: broken");
  }
}
