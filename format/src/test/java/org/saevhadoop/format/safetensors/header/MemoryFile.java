package org.saevhadoop.format.safetensors.header;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/** Files for tests that need no disk. */
public final class MemoryFile {
  static final String PATH = "memory.safetensors";

  private MemoryFile() {}

  /** A file with this header and so many bytes of data. */
  public static byte[] of(String json, int dataBytes) {
    return of(json.getBytes(StandardCharsets.UTF_8), dataBytes);
  }

  public static byte[] of(byte[] header, int dataBytes) {
    return ByteBuffer.allocate(8 + header.length + dataBytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length)
        .put(header)
        .array();
  }

  static Input input(byte[] bytes) {
    return new Bytes(bytes);
  }

  /** What the reference reads. */
  static SafetensorsHeader read(byte[] bytes) throws IOException {
    return SafetensorsHeader.read(input(bytes), HeaderStrictness.LENIENT);
  }

  private record Bytes(byte[] bytes) implements Input {
    @Override
    public String path() {
      return PATH;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      FormatException.check(position + dst.remaining() <= bytes.length, PATH, "read past the end");
      dst.put(bytes, (int) position, dst.remaining());
    }

    @Override
    public void close() {}
  }

  /** An output that keeps what is written to it. */
  static final class Sink implements Output {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean closed;

    @Override
    public String path() {
      return PATH;
    }

    @Override
    public long position() {
      return bytes.size();
    }

    @Override
    public void write(ByteBuffer src) {
      while (src.hasRemaining()) {
        bytes.write(src.get());
      }
    }

    @Override
    public void extendTo(long length) {
      while (bytes.size() < length) {
        bytes.write(0);
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
