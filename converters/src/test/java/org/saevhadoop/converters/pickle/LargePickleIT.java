package org.saevhadoop.converters.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.console.SmallHeapCommands;
import org.saevhadoop.format.gzip.Gz;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
import org.saevhadoop.format.tensor.DType;

/** A shard of three times the heap, which is 256 MiB. */
@Tag("long")
class LargePickleIT {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @AutoClose
  private static final SmallHeapCommands SMALL_HEAP = new SmallHeapCommands(List.of("-Xmx256m"));

  private static final int SAMPLES = 12;
  private static final int ROWS = 1 << 14;
  private static final long[] SHAPE = {ROWS, 1 << 10};
  private static final int ARRAY_BYTES = ROWS << 12;

  /** Zeros that are a hole of a file, or a member of gzip. */
  private static final int PIECE = 1 << 20;

  @TempDir Path folder;

  @Test
  void aPlainShardIsConvertedWithEachArrayAtItsPosition() throws IOException, InterruptedException {
    Path shard = folder.resolve("shard_0001.pkl");
    try (FileChannel out = created(shard)) {
      write(piece -> writeHoles(out, piece));
    }
    assertThat(Files.size(shard)).isGreaterThan((long) SAMPLES * ARRAY_BYTES);
    Path saev = folder.resolve("saev");
    Object[] convert = {
      "convert", shard, saev, "--to", "saev", "--family", "clip", "--ckpt", "c", "--quiet"
    };
    Path dataset = SMALL_HEAP.run(LIMIT, convert).succeeds().lastLinePath();
    long sample = 0;
    for (int file = 0; sample < SAMPLES; file++) {
      try (FileChannel in = FileChannel.open(dataset.resolve("acts%06d.bin".formatted(file)))) {
        for (long at = 0; at < in.size() && sample < SAMPLES; at += ARRAY_BYTES) {
          assertThat(number(in, at)).isEqualTo(sample);
          assertThat(number(in, at + ARRAY_BYTES - Long.BYTES)).isEqualTo(sample++);
        }
      }
    }
    assertThat(sample).isEqualTo(SAMPLES);
  }

  private static long number(FileChannel in, long at) throws IOException {
    ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    in.read(number, at);
    return number.getLong(0);
  }

  @Test
  void aCompressedShardIsListedWithTheDigestOfEachArray() throws IOException, InterruptedException {
    Path shard = folder.resolve("shard_0001.pkl.gz");
    byte[] zeros = Gz.member(new byte[PIECE]);
    try (FileChannel out = created(shard)) {
      write(piece -> writeMembers(out, piece, zeros));
    }
    assertThat(Files.size(shard)).isLessThan(64 << 20);
    Cli list = SMALL_HEAP.run(LIMIT, "list", shard, "--digests").succeeds();
    ByteBuffer array = array();
    List<String> lines = list.text().lines().toList();
    for (int i = 0; i < SAMPLES; i++) {
      String digest = HexFormat.of().formatHex(Sha256.of(marked(array, i)));
      assertThat(lines.get(i))
          .isEqualTo("shard_0001.pkl.gz 7 %d [%d,1024] float32 %s".formatted(i, ROWS, digest));
    }
  }

  private static FileChannel created(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private static void write(Io.Consumer<ByteBuffer> sink) throws IOException {
    ShardPickler pickler = new ShardPickler("large", sink, 4, Form.REAL);
    pickler.beginLayer(7);
    ByteBuffer array = array();
    for (int i = 0; i < SAMPLES; i++) {
      pickler.sample(i, null, DType.F32, SHAPE, marked(array, i));
    }
    pickler.endLayer();
    pickler.end();
  }

  private static ByteBuffer array() {
    return ByteBuffer.allocate(ARRAY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Zeros, but for their beginning and their end. */
  private static ByteBuffer marked(ByteBuffer array, long number) {
    array.putLong(0, number).putLong(ARRAY_BYTES - Long.BYTES, number);
    return array.duplicate().order(ByteOrder.LITTLE_ENDIAN).clear();
  }

  private static void writeHoles(FileChannel out, ByteBuffer bytes) throws IOException {
    long at = out.position();
    if (bytes.remaining() == ARRAY_BYTES) {
      out.write(bytes.duplicate().limit(bytes.position() + PIECE));
      at += ARRAY_BYTES - PIECE;
      out.position(at);
      bytes.position(bytes.limit() - PIECE);
    }
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  private static void writeMembers(FileChannel out, ByteBuffer bytes, byte[] zeros)
      throws IOException {
    boolean isArray = bytes.remaining() == ARRAY_BYTES;
    for (int left = bytes.remaining(); left > 0; left = bytes.remaining()) {
      int n = Math.min(PIECE, left);
      boolean isZero = isArray && left != ARRAY_BYTES && left > PIECE;
      byte[] piece = new byte[n];
      bytes.get(piece);
      out.write(ByteBuffer.wrap(isZero ? zeros : Gz.member(piece)));
    }
  }
}
