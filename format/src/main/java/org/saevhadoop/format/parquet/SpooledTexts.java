package org.saevhadoop.format.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.LocalSpool;

/**
 * Strings that are buffered in a temporary file on the local disk and then read once, in order.
 * Consecutive equal strings are stored once: their count, the length in bytes, and the string in
 * UTF-8. Only the last string is in memory.
 */
final class SpooledTexts implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
  private static final int NULL = -1;

  private final LocalSpool spool;
  private final ByteBuffer some = ByteBuffer.allocate(BUFFER_BYTES);
  private long position;
  private @Nullable String last;

  /** The number of copies of the last string that are not yet written, or not yet returned. */
  private long pending;

  SpooledTexts(Path localFolder) throws IOException {
    this.spool = LocalSpool.temporary(localFolder);
  }

  void add(@Nullable String text) throws IOException {
    if (pending > 0 && !isLast(text)) {
      writePending();
    }
    last = text;
    pending++;
  }

  /** Returns whether a string is equal to the last one that was added or returned. */
  private boolean isLast(@Nullable String text) {
    return text == null ? last == null : text.equals(last);
  }

  private void writePending() throws IOException {
    ByteBuffer utf8 = last == null ? ByteBuffer.allocate(0) : StandardCharsets.UTF_8.encode(last);
    if (some.remaining() < HEADER_BYTES + utf8.remaining()) {
      flush();
    }
    some.putLong(pending).putInt(last == null ? NULL : utf8.remaining());
    if (some.remaining() < utf8.remaining()) {
      flush();
      spool.append(utf8);
    } else {
      some.put(utf8);
    }
    pending = 0;
  }

  private void flush() throws IOException {
    spool.append(some.flip());
    some.clear();
  }

  /** Finishes writing; the strings can then be read. */
  void end() throws IOException {
    if (pending > 0) {
      writePending();
    }
    flush();
    last = null;
    some.limit(0);
  }

  /** Returns the next string. */
  @Nullable String next() throws IOException {
    if (pending == 0) {
      require(HEADER_BYTES);
      pending = some.getLong();
      int length = some.getInt();
      last = length == NULL ? null : text(length);
    }
    pending--;
    return last;
  }

  private String text(int length) throws IOException {
    byte[] utf8 = new byte[length];
    if (length <= some.capacity()) {
      require(length);
      some.get(utf8);
    } else {
      int have = some.remaining();
      some.get(utf8, 0, have);
      spool.read(position, ByteBuffer.wrap(utf8, have, length - have));
      position += length - have;
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private void require(int bytes) throws IOException {
    if (some.remaining() >= bytes) {
      return;
    }
    position -= some.remaining();
    some.clear().limit((int) Math.min(some.capacity(), spool.length() - position));
    spool.read(position, some);
    position += some.limit();
    some.flip();
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }
}
