package org.saevhadoop.format.io;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads and writes local files through direct buffers, without any intermediate copy. */
public final class LocalFile {
  /**
   * Buffer size in bytes: smaller writes are collected, larger ones are passed directly to the
   * file.
   */
  static final int WRITE_BUFFER = 1 << 20;

  private LocalFile() {}

  /** Opens a regular file for reading. */
  public static Input open(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw FileError.NOT_FOUND.in(path.toString(), "no such file");
    }
    FileError.NOT_A_FILE.check(Files.isRegularFile(path), path.toString(), "is not a regular file");
    try {
      return new Reader(path.toString(), FileChannel.open(path, StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      throw FileError.NOT_FOUND.in(path.toString(), "no such file").causedBy(e);
    }
  }

  /** Creates a file that must not yet exist, and missing parent directories. */
  public static Output create(Path path) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    if (Files.exists(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    return new Writer(path.toString(), new RandomAccessFile(path.toFile(), "rw"));
  }

  private record Reader(String path, FileChannel channel) implements Input {
    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      long at = position;
      while (dst.hasRemaining()) {
        int n = channel.read(dst, at);
        if (n < 0) { // not check(): what it would be told costs a call of the system each time
          throw FileError.TRUNCATED.in(
              path,
              "ends at byte %d, %d bytes short of a read at byte %d",
              channel.size(),
              dst.remaining(),
              position);
        }
        at += n;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private static final class Writer implements Output {
    private final String path;
    private final RandomAccessFile file;
    private final FileChannel channel;
    private final ByteBuffer small = ByteBuffer.allocateDirect(WRITE_BUFFER);
    private long position;

    Writer(String path, RandomAccessFile file) {
      this.path = path;
      this.file = file;
      this.channel = file.getChannel();
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
      position += src.remaining();
      boolean direct = src.remaining() >= WRITE_BUFFER / 4;
      if (direct || src.remaining() > small.remaining()) {
        flush();
      }
      if (direct) {
        drain(src);
      } else {
        small.put(src);
      }
    }

    @Override
    public void extendTo(long length) throws IOException {
      ZeroFill.check(this, length);
      flush();
      file.setLength(length);
      channel.position(length);
      position = length;
    }

    @Override
    public void close() throws IOException {
      try {
        flush();
      } finally {
        file.close();
      }
    }

    private void flush() throws IOException {
      small.flip();
      drain(small);
      small.clear();
    }

    private void drain(ByteBuffer src) throws IOException {
      while (src.hasRemaining()) {
        channel.write(src);
      }
    }
  }
}
