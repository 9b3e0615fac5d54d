package org.saevhadoop.format.safetensors.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.MemoryInput;

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
    return new MemoryInput(PATH, bytes);
  }

  /** What the reference reads. */
  static SafetensorsHeader read(byte[] bytes) throws IOException {
    return SafetensorsHeader.read(input(bytes), HeaderStrictness.LENIENT);
  }
}
