package org.saevhadoop.format.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A file in memory, up to a limit. */
public final class MemoryOutput implements Output {
  private final String path;
  private final Consumer<byte[]> onClose;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int limit = Integer.MAX_VALUE;
  private int closed;

  public MemoryOutput(String path) {
    this(path, bytes -> {});
  }

  MemoryOutput(String path, Consumer<byte[]> onClose) {
    this.path = path;
    this.onClose = onClose;
  }

  public byte[] bytes() {
    return bytes.toByteArray();
  }

  /** How often the file was closed. */
  public int closed() {
    return closed;
  }

  /** Makes the disk full after this many bytes. */
  public void limit(int max) {
    limit = max;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long position() {
    return bytes.size();
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    if (bytes.size() + src.remaining() > limit) {
      throw new IOException("the disk is full");
    }
    byte[] piece = new byte[src.remaining()];
    src.get(piece);
    bytes.writeBytes(piece);
  }

  @Override
  public void close() {
    closed++;
    onClose.accept(bytes());
  }
}
