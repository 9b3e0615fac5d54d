package org.saevhadoop.format.io;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads and writes local files through direct buffers, without any intermediate copy. */
public final class LocalFile {
  /**
   * Buffer size in bytes: smaller writes are collected, larger ones are passed directly to the
   * file.
   */
  static final int WRITE_BUFFER = 1 << 20;

  private LocalFile() {}

  public static Input open(Path path) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      FileError.NOT_A_FILE.check(
          attributes.isRegularFile(), path.toString(), "is not a regular file");
      return new Reader(path.toString(), FileChannel.open(path, StandardOpenOption.READ));
    } catch (NoSuchFileException e) {
      throw FileError.NOT_FOUND.in(path.toString(), "no such file").causedBy(e);
    } catch (AccessDeniedException e) {
      throw FileError.ACCESS_DENIED
          .in(path.toString(), "cannot be read: permission denied")
          .causedBy(e);
    } catch (FileSystemException e) {
      throw FileError.READ_FAILED
          .in(path.toString(), "cannot be read: %s", String.valueOf(e.getReason()))
          .causedBy(e);
    }
  }

  /** Creates a file that must not yet exist, in a directory that exists. */
  public static Output create(Path path) throws IOException {
    return create(path, false);
  }

  /**
   * Creates a file that must not yet exist, in a directory that exists.
   *
   * @param forced whether closing the file forces its content to the disk
   */
  static Output create(Path path, boolean forced) throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw WriteFailure.of(path, "be created", e);
    }
    return new Writer(path, new RandomAccessFile(path.toFile(), "rw"), forced);
  }

  /** Returns the error for a read at a position that leaves part of a buffer empty. */
  static FormatException truncated(String path, FileChannel channel, ByteBuffer dst, long position)
      throws IOException {
    return FileError.TRUNCATED.in(
        path,
        "ends at byte %d, %d bytes short of a read at byte %d",
        channel.size(),
        dst.remaining(),
        position);
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
        if (n < 0) { // not check(): its arguments cost a system call each time
          throw truncated(path, channel, dst, position);
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
    private final Path path;
    private final RandomAccessFile file;
    private final FileChannel channel;
    private final boolean forced;
    private final ByteBuffer small = ByteBuffer.allocateDirect(WRITE_BUFFER);
    private long position;

    Writer(Path path, RandomAccessFile file, boolean forced) {
      this.path = path;
      this.file = file;
      this.channel = file.getChannel();
      this.forced = forced;
    }

    @Override
    public String path() {
      return path.toString();
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
    public void writeAt(long at, ByteBuffer src) throws IOException {
      flush();
      channel.position(at);
      try {
        drain(src);
      } finally {
        position = Math.max(position, channel.position());
        channel.position(position);
      }
    }

    @Override
    public void extendTo(long length) throws IOException {
      checkExtension(length);
      flush();
      try {
        file.setLength(length);
        channel.position(length);
      } catch (IOException e) {
        throw WriteFailure.of(path, channel.position(), length - channel.position(), e);
      }
      position = length;
    }

    @Override
    public void close() throws IOException {
      if (!channel.isOpen()) {
        return;
      }
      try (file) {
        flush();
        if (forced) {
          channel.force(true);
        }
      } catch (FormatException e) {
        throw e;
      } catch (IOException e) {
        // quotas, delayed allocation and network storages may report a failure only here
        throw WriteFailure.of(path, "be written to the end", e);
      }
    }

    private void flush() throws IOException {
      small.flip();
      try {
        drain(small);
      } finally {
        small.clear();
      }
    }

    private void drain(ByteBuffer src) throws IOException {
      try {
        while (src.hasRemaining()) {
          channel.write(src);
        }
      } catch (IOException e) {
        throw WriteFailure.of(path, channel.position(), src.remaining(), e);
      }
    }
  }
}
