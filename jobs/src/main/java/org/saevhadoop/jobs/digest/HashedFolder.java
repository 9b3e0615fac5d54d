package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.mapreduce.io.ByteMeter;

/**
 * A folder that computes the SHA-256 of one file at a time while others read from it. The file is
 * opened once and read window by window; only data before the current window is read again.
 */
final class HashedFolder extends ForwardingFolder {
  @FunctionalInterface
  interface Reader {
    void read() throws IOException, InterruptedException;
  }

  private static final int WINDOW_BYTES = 1 << 20;

  private final ByteMeter meter;
  private final MessageDigest sha256 = Sha256.digest();
  private final ByteBuffer window = Input.buffer(WINDOW_BYTES);

  /** The position in the file at which the window ends. */
  private long hashed;

  private @Nullable HashedInput file;

  /**
   * Creates a view of a folder.
   *
   * @param meter receives the bytes that are read from files while they are hashed
   */
  HashedFolder(Folder folder, ByteMeter meter) {
    super(folder);
    this.meter = meter;
  }

  /** Returns the SHA-256 of a file, which may be read at the same time. */
  byte[] sha256(String name, Reader reader) throws IOException, InterruptedException {
    hashed = 0;
    window.limit(0);
    try (Input input = super.open(name)) {
      HashedInput opened = new HashedInput(name, input, input.length());
      file = opened;
      reader.read();
      while (hashed < opened.length) {
        opened.next();
      }
      return sha256.digest();
    } finally {
      file = null;
      meter.flush();
    }
  }

  @Override
  public Input open(String name) throws IOException {
    return file != null && file.name.equals(name) ? file : super.open(name);
  }

  @Override
  public Output create(String name) {
    throw new UnsupportedOperationException(path(name));
  }

  private final class HashedInput implements Input {
    private final String name;
    private final Input input;
    private final long length;

    HashedInput(String name, Input input, long length) {
      this.name = name;
      this.input = input;
      this.length = length;
    }

    @Override
    public String path() {
      return input.path();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      long at = position;
      while (dst.hasRemaining()) {
        long from = at - (hashed - window.limit());
        if (from < 0 || at >= length) {
          meter.add(dst.remaining());
          input.readFully(at, dst);
        } else if (at >= hashed) {
          next();
        } else {
          int count = (int) Math.min(window.limit() - from, dst.remaining());
          dst.put(dst.position(), window, (int) from, count).position(dst.position() + count);
          at += count;
        }
      }
    }

    /** Reads the next window and hashes it. */
    private void next() throws IOException {
      window.clear().limit((int) Math.min(WINDOW_BYTES, length - hashed));
      input.readFully(hashed, window);
      meter.add(window.limit());
      hashed += window.limit();
      sha256.update(window.flip());
    }

    @Override
    public void close() {
      // open until the SHA-256 is known
    }
  }
}
