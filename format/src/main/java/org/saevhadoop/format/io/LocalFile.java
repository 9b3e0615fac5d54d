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
import org.jspecify.annotations.Nullable;

/** Reads and writes local files through direct buffers, without any intermediate copy. */
public final class LocalFile {
  /**
   * Buffer size in bytes: smaller writes are collected, and larger writes are passed directly to
   * the file.
   */
  static final int WRITE_BUFFER = 1 << 20;

  /** Size in bytes of the buffer before the first flush: a larger buffer takes longer to clear. */
  private static final int FIRST_BUFFER = 1 << 14;

  /** Maximum number of bytes per system call of a copy. */
  private static final long COPIED_BYTES = 64 << 20;

  private LocalFile() {}

  public static Input open(Path path) throws IOException {
    return open(path, false);
  }

  /**
   * Opens a file.
   *
   * @param isListed whether a listing has shown that the file is regular, which saves a system
   *     call; opening a named pipe would wait for its writer
   */
  static Input open(Path path, boolean isListed) throws IOException {
    try {
      if (!isListed) {
        FileError.NOT_A_FILE.check(
            Files.readAttributes(path, BasicFileAttributes.class).isRegularFile(),
            path.toString(),
            "is not a regular file");
      }
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

  /** Creates a new file in an existing directory. */
  public static Output create(Path path) throws IOException {
    return create(path, null);
  }

  /**
   * Creates a new file in an existing directory.
   *
   * @param queue the queue that forces the content to the disk while the file is written and after
   *     it is closed; null to leave this to the system
   */
  static Output create(Path path, @Nullable ForceQueue queue) throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw WriteFailure.of(path, "be created", e);
    }
    return new Writer(path, new RandomAccessFile(path.toFile(), "rw"), queue);
  }

  /** Returns the error for a read that ends before the buffer is full. */
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
    private final @Nullable ForceQueue queue;
    private ByteBuffer small = ByteBuffer.allocate(0);
    private long position;
    private long written;
    private volatile long requested;
    private long forced;
    private boolean isClosed;

    Writer(Path path, RandomAccessFile file, @Nullable ForceQueue queue) {
      this.path = path;
      this.file = file;
      this.channel = file.getChannel();
      this.queue = queue;
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
      int bytes = src.remaining();
      boolean direct = bytes >= WRITE_BUFFER / 4;
      if (direct || bytes > small.remaining()) {
        flush();
      }
      if (direct) {
        drain(src, position);
      } else {
        collect(src);
      }
      position += bytes;
      requestForce(bytes);
    }

    /** Adds bytes to the buffer, which has room for them or was flushed. */
    private void collect(ByteBuffer src) {
      if (src.remaining() > small.remaining()) {
        boolean isFirst = small.capacity() == 0 && src.remaining() <= FIRST_BUFFER;
        small = ByteBuffer.allocateDirect(isFirst ? FIRST_BUFFER : WRITE_BUFFER);
      }
      small.put(src);
    }

    @Override
    public void writeAt(long at, ByteBuffer src) throws IOException {
      int bytes = src.remaining();
      flush();
      drain(src, at);
      position = Math.max(position, at + bytes);
      requestForce(bytes);
    }

    /** Copies bytes of a local file within the kernel. */
    @Override
    public void copy(Input in, long from, long bytes) throws IOException {
      if (!(in instanceof Reader local)) {
        Output.super.copy(in, from, bytes);
        return;
      }
      flush();
      long end = position + bytes;
      while (position < end) {
        long at = from + bytes - (end - position);
        long count;
        try {
          channel.position(position);
          count = local.channel.transferTo(at, Math.min(COPIED_BYTES, end - position), channel);
        } catch (IOException e) {
          throw WriteFailure.of(path, position, end - position, e);
        }
        FileError.TRUNCATED.check(
            count > 0, local.path, "ends at byte %d, %d bytes short of a copy", at, end - position);
        position += count;
        requestForce((int) count);
      }
    }

    private void requestForce(int bytes) throws IOException {
      written += bytes;
      if (queue != null && written - requested >= ForceQueue.STEP_BYTES) {
        flush();
        long request = written;
        requested = request;
        queue.add(() -> force(request));
      }
    }

    @Override
    public void extendTo(long length) throws IOException {
      checkExtension(length);
      flush();
      try {
        file.setLength(length);
      } catch (IOException e) {
        throw WriteFailure.of(path, position, length - position, e);
      }
      position = length;
    }

    @Override
    public void close() throws IOException {
      if (isClosed) {
        return;
      }
      isClosed = true;
      boolean isFlushed = false;
      try {
        flush();
        isFlushed = true;
      } finally {
        if (!isFlushed) {
          file.close();
        }
      }
      if (queue == null) {
        complete();
      } else {
        queue.add(this::complete);
      }
    }

    private void complete() throws IOException {
      try (file) {
        if (queue != null) {
          channel.force(true);
        }
      } catch (IOException e) {
        // with quotas, delayed allocation or network storages, a failure may appear only here
        throw WriteFailure.of(path, "be written to the end", e);
      }
    }

    /**
     * Forces the first {@code request} written bytes to the disk, unless an earlier request has
     * already done so.
     */
    private void force(long request) throws IOException {
      if (forced < request) {
        long covered = requested;
        try {
          channel.force(false);
        } catch (IOException e) {
          throw WriteFailure.of(path, "be written to the end", e);
        }
        forced = covered;
      }
    }

    private void flush() throws IOException {
      small.flip();
      try {
        drain(small, position - small.remaining());
      } finally {
        small.clear();
      }
    }

    private void drain(ByteBuffer src, long at) throws IOException {
      long end = at + src.remaining();
      try {
        while (src.hasRemaining()) {
          channel.write(src, end - src.remaining());
        }
      } catch (IOException e) {
        throw WriteFailure.of(path, end - src.remaining(), src.remaining(), e);
      }
    }
  }
}
