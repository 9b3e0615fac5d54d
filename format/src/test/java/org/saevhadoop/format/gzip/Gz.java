package org.saevhadoop.format.gzip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.io.MemoryOutput;

/** gzip files in memory, put together by hand. */
public final class Gz {
  static final String PATH = "memory.pkl.gz";

  private Gz() {}

  /** A member without optional fields. */
  public static byte[] member(byte[] data) {
    return member(new byte[] {31, -117, 8, 0, 0, 0, 0, 0, 0, -1}, data);
  }

  static byte[] member(byte[] header, byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt((int) crc.getValue()).putInt(data.length);
    return join(header, deflated(data), trailer.array());
  }

  /** A BGZF block with {@code sizeError} added to its size. */
  static byte[] block(byte[] data, int sizeError) {
    int size = 18 + deflated(data).length + 8 - 1 + sizeError;
    byte[] header = {
      31, -117, 8, 4, 0, 0, 0, 0, 0, -1, 6, 0, 'B', 'C', 2, 0, (byte) size, (byte) (size >> 8)
    };
    return member(header, data);
  }

  public static byte[] deflated(byte[] data) {
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(data);
    deflater.finish();
    byte[] out = new byte[data.length + 1000];
    int count = deflater.deflate(out);
    deflater.end();
    return Arrays.copyOf(out, count);
  }

  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] random(int length, long seed) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  static byte[] read(byte[] file, int threads) throws IOException {
    return read(input(file), threads, 10_007);
  }

  /** All of it, in pieces of at most {@code most} bytes. */
  static byte[] read(Input file, int threads, int most) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer piece = ByteBuffer.allocate(most);
    try (ByteSource source = PlainOrGzip.open(file, threads)) {
      while (source.read(piece.clear()) >= 0) {
        all.write(piece.array(), 0, piece.position());
      }
    }
    return all.toByteArray();
  }

  static byte[] written(byte[] data, BgzfOutput.Options options) throws IOException {
    MemoryOutput sink = new MemoryOutput(PATH);
    try (BgzfOutput out = new BgzfOutput(sink, options)) {
      out.write(ByteBuffer.wrap(data));
    }
    return sink.bytes();
  }

  static MemoryInput input(byte[] bytes) {
    return new MemoryInput(PATH, bytes);
  }
}
