package org.saevhadoop.format.io;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file on the local disk for bytes whose final position or order is not yet known. Bytes that are
 * never written are zero. Closing a spool deletes its file, so that no incomplete file is left
 * behind, unless it was created with a name and {@link #keep()} was called. Not thread-safe.
 */
public final class LocalSpool implements Closeable {
  private static final int COPY_BYTES = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final boolean named;
  private final @Nullable ForceQueue queue;
  private boolean kept;
  private long length;
  private long unforced;

  private LocalSpool(Path path, FileChannel channel, boolean named, @Nullable ForceQueue queue) {
    this.path = path;
    this.channel = channel;
    this.named = named;
    this.queue = queue;
  }

  /**
   * Opens a temporary file. If the system allows it, the name of the file is removed once the file
   * is open, so that the file disappears when the process ends for any reason.
   *
   * @param folder a folder on the local disk
   */
  public static LocalSpool temporary(Path folder) throws IOException {
    Path path;
    try {
      path = Files.createTempFile(folder, "saev-hadoop", ".spool");
    } catch (IOException e) {
      throw WriteFailure.of(folder, "hold a temporary file", e);
    }
    try {
      FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      return new LocalSpool(path, channel, false, null);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /**
   * Creates or empties a file that remains after {@link #close()} if {@link #keep()} was called.
   *
   * @param queue the queue that forces the content to the disk while the file is written and after
   *     it is closed; null to leave this to the system
   */
  static LocalSpool named(Path path, @Nullable ForceQueue queue) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    return new LocalSpool(path, channel, true, queue);
  }

  /** Returns the number of bytes from the beginning to the end of the last byte written. */
  public long length() {
    return length;
  }

  public void append(ByteBuffer src) throws IOException {
    write(length, src);
  }

  /** Writes all remaining bytes of {@code src} to the file, starting at byte {@code position}. */
  public void write(long position, ByteBuffer src) throws IOException {
    long at = position;
    try {
      while (src.hasRemaining()) {
        at += channel.write(src, at);
      }
    } catch (IOException e) {
      throw WriteFailure.of(path, at, src.remaining(), e);
    }
    if (at > position) { // writing nothing does not extend the file
      length = Math.max(length, at);
      unforced += at - position;
    }
    if (queue != null && unforced >= ForceQueue.STEP_BYTES) {
      unforced = 0;
      queue.add(this::force);
    }
  }

  private void force() throws IOException {
    if (!channel.isOpen()) { // it was not kept
      return;
    }
    try {
      channel.force(true);
    } catch (IOException e) {
      throw WriteFailure.of(path, "be written to the end", e);
    }
  }

  /**
   * Fills {@code dst} up to its limit with the bytes that start at {@code position}.
   *
   * @throws EOFException if the file ends earlier
   */
  public void read(long position, ByteBuffer dst) throws IOException {
    long at = position;
    while (dst.hasRemaining()) {
      int n = channel.read(dst, at);
      if (n < 0) {
        throw new EOFException(
            Quote.sentence(
                "%s: ends at byte %d (expected %d bytes or more)", path, at, at + dst.remaining()));
      }
      at += n;
    }
  }

  public void copyTo(Output out) throws IOException {
    ByteBuffer buffer = Input.buffer((int) Math.min(COPY_BYTES, length));
    for (long done = 0; done < length; done += buffer.limit()) {
      read(done, buffer.clear().limit((int) Math.min(buffer.capacity(), length - done)));
      out.write(buffer.flip());
    }
  }

  /**
   * Returns an output that overwrites the spool, starting at a position. Closing it leaves the
   * spool open.
   *
   * @param path the path of the file for which the bytes are intended, for error messages
   * @param origin the position of the spool's first byte in that file
   * @param position the position in that file at which the output begins
   */
  public Output output(String path, long origin, long position) {
    return new Window(path, this, origin, position);
  }

  /** Removes the content so that the spool can be used again. */
  public void clear() throws IOException {
    channel.truncate(0);
    length = 0;
  }

  /** Declares the file of a named spool complete, so that it remains when the spool is closed. */
  public void keep() {
    kept = true;
  }

  @Override
  public void close() throws IOException {
    if (kept && queue != null) {
      queue.add(this::complete);
      return;
    }
    try {
      channel.close();
    } finally {
      if (named && !kept) {
        Files.deleteIfExists(path);
      }
    }
  }

  private void complete() throws IOException {
    try (channel) {
      force();
    }
  }

  private static final class Window implements Output {
    private final String path;
    private final LocalSpool spool;
    private final long origin;
    private long position;

    Window(String path, LocalSpool spool, long origin, long position) {
      this.path = path;
      this.spool = spool;
      this.origin = origin;
      this.position = position;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      int count = src.remaining();
      spool.write(position - origin, src);
      position += count;
    }

    @Override
    public void close() {
      // the spool stays open
    }
  }
}
