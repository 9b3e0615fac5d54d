package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file in memory that counts how often it is closed. */
public class MemoryInput implements Input {
  private final String path;
  private final byte[] bytes;
  private int closed;

  /** A file of these bytes. */
  public MemoryInput(String path, byte[] bytes) {
    this.path = path;
    this.bytes = bytes;
  }

  /** How often it was closed. */
  public int closed() {
    return closed;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return bytes.length;
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.TRUNCATED.check(
        position + dst.remaining() <= bytes.length, path, "read past the end");
    dst.put(bytes, (int) position, dst.remaining());
  }

  @Override
  public void close() {
    closed++;
  }
}
