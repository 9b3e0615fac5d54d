package org.saevhadoop.format.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Reads local files from the disk, bypassing the operating system's page cache: for files that were
 * just written, the cache still contains the written bytes, regardless of what the disk has stored.
 */
public final class UncachedFile {
  private static final int WINDOW_BYTES = 1 << 20;

  private UncachedFile() {}

  /**
   * Opens a regular file for reading. Reads through the page cache if the file system does not
   * support direct access, as is the case for in-memory and some network file systems.
   */
  public static Input open(Path path) throws IOException {
    Input cached = LocalFile.open(path);
    FileChannel direct = null;
    try {
      int block = Math.toIntExact(Files.getFileStore(path).getBlockSize());
      direct = FileChannel.open(path, StandardOpenOption.READ, direct());
      DirectReader reader = new DirectReader(path.toString(), direct, block);
      reader.fill(0); // some file systems refuse only the first read
      cached.close();
      return reader;
    } catch (IOException | UnsupportedOperationException e) {
      // no direct access; an error of the disk occurs again in the cached file
      if (direct != null) {
        direct.close();
      }
      return cached;
    }
  }

  /** Finds the option by name, because the compiler of JDK 25 warns about its type. */
  private static OpenOption direct() {
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      return Stream.of(options)
          .map(OpenOption.class::cast)
          .filter(option -> option.toString().equals("DIRECT"))
          .findFirst()
          .orElseThrow(UnsupportedOperationException::new);
    } catch (ClassNotFoundException e) {
      throw new UnsupportedOperationException(e);
    }
  }

  /** Reads blocks of the file system into an aligned buffer and copies bytes from the buffer. */
  private static final class DirectReader implements Input {
    private final String path;
    private final FileChannel channel;
    private final int block;
    private final ByteBuffer window;
    private long start;

    DirectReader(String path, FileChannel channel, int block) {
      this.path = path;
      this.channel = channel;
      this.block = block;
      int bytes = Math.max(1, WINDOW_BYTES / block) * block;
      this.window =
          ByteBuffer.allocateDirect(bytes + block).alignedSlice(block).limit(bytes).slice();
      window.limit(0);
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      long at = position;
      while (dst.hasRemaining()) {
        if (at < start || at >= start + window.limit()) {
          fill(at);
        }
        int offset = (int) (at - start);
        if (offset >= window.limit()) {
          throw LocalFile.truncated(path, channel, dst, position);
        }
        int count = Math.min(dst.remaining(), window.limit() - offset);
        dst.put(window.slice(offset, count));
        at += count;
      }
    }

    /** Reads blocks, starting with the block that contains a position. */
    private void fill(long position) throws IOException {
      start = position / block * block;
      int read = channel.read(window.clear(), start);
      window.position(0).limit(Math.max(0, read));
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
