package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A file in memory that records its reads and how often it is closed. */
public class MemoryInput implements Input {
  /** A read of some bytes of a file. */
  public record Read(String path, long position, int bytes) {}

  private final String path;
  private final byte[] bytes;
  private final List<Read> reads;
  private int closed;

  public MemoryInput(String path, byte[] bytes) {
    this(path, bytes, new ArrayList<>());
  }

  /**
   * Creates a file.
   *
   * @param reads a list to which each read is added
   */
  public MemoryInput(String path, byte[] bytes, List<Read> reads) {
    this.path = path;
    this.bytes = bytes;
    this.reads = reads;
  }

  /** Returns the reads so far. */
  public List<Read> reads() {
    return reads;
  }

  /** Returns the number of bytes read so far, each counted as often as it was read. */
  public long bytesRead() {
    return bytes(reads);
  }

  static long bytes(List<Read> reads) {
    return reads.stream().mapToLong(Read::bytes).sum();
  }

  /** Returns the content. */
  public ByteBuffer content() {
    return ByteBuffer.wrap(bytes);
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
    synchronized (reads) { // one list may record the reads of several threads
      reads.add(new Read(path, position, dst.remaining()));
    }
    FileError.TRUNCATED.check(
        position + dst.remaining() <= bytes.length, path, "read past the end");
    dst.put(bytes, (int) position, dst.remaining());
  }

  @Override
  public void close() {
    closed++;
  }
}
