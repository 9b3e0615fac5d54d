package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.mapreduce.io.ByteMeter;
import org.saevhadoop.mapreduce.io.ForwardingFolder;

/**
 * A folder that computes the SHA-256 of one file at a time while others read from it. Bytes that
 * are read in ascending order are read once; those that readers skip are read for the SHA-256.
 */
final class HashedFolder extends ForwardingFolder {
  private static final int READ_BYTES = 1 << 20;

  private final ByteMeter meter;
  private final MessageDigest sha256 = Sha256.digest();
  private final ByteBuffer skipped = ByteBuffer.allocate(READ_BYTES);
  private @Nullable String name;
  private long length;
  private long hashed;

  /**
   * Creates a view of a folder.
   *
   * @param meter receives the bytes that are read from the file
   */
  HashedFolder(Folder folder, ByteMeter meter) {
    super(folder);
    this.meter = meter;
  }

  /** Begins with a file. */
  void begin(String file) {
    name = file;
    length = -1;
    hashed = 0;
    sha256.reset();
  }

  /** Returns the SHA-256 of the file; reads what nobody has read. */
  byte[] finish(String file) throws IOException {
    if (hashed != length) {
      try (Input rest = open(file)) {
        ((HashedInput) rest).hashTo(length);
      }
    }
    name = null;
    meter.flush();
    return sha256.digest();
  }

  @Override
  public Input open(String file) throws IOException {
    Input input = super.open(file);
    if (!file.equals(name)) {
      return input;
    }
    length = input.length();
    return new HashedInput(input);
  }

  @Override
  public Output create(String file) {
    throw new UnsupportedOperationException(path(file));
  }

  private final class HashedInput implements Input {
    private final Input input;

    HashedInput(Input input) {
      this.input = input;
    }

    @Override
    public String path() {
      return input.path();
    }

    @Override
    public long length() throws IOException {
      return input.length();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      hashTo(position);
      int start = dst.position();
      input.readFully(position, dst);
      int count = dst.position() - start;
      meter.add(count);
      int known = (int) Math.min(hashed - position, count);
      sha256.update(dst.slice(start + known, count - known));
      hashed += count - known;
    }

    /** Hashes the bytes before an offset that were not hashed yet. */
    private void hashTo(long end) throws IOException {
      while (hashed < end) {
        skipped.clear().limit((int) Math.min(READ_BYTES, end - hashed));
        input.readFully(hashed, skipped);
        meter.add(skipped.limit());
        hashed += skipped.limit();
        sha256.update(skipped.flip());
      }
    }

    @Override
    public void close() throws IOException {
      input.close();
    }
  }
}
