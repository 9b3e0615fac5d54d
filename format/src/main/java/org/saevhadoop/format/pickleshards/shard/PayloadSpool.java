package org.saevhadoop.format.pickleshards.shard;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickle.value.PayloadStore;

/** A file of the local disk that takes what comes out of a stream, one after another. */
public final class PayloadSpool implements PayloadStore, Closeable {
  private static final int COPY_BYTES = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private long end;

  /** Creates the file, or empties it. */
  public PayloadSpool(Path path) throws IOException {
    this(
        path,
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  private PayloadSpool(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** A file without a name, if the system has such: it goes with the process, however that ends. */
  public static PayloadSpool temporary(Path folder) throws IOException {
    Path path = Files.createTempFile(folder, "shard", ".spool");
    return new PayloadSpool(
        path,
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE));
  }

  @Override
  public long begin(long streamPosition) {
    return end;
  }

  @Override
  public void append(ByteBuffer piece) throws IOException {
    while (piece.hasRemaining()) {
      end += channel.write(piece);
    }
  }

  @Override
  public void read(long position, ByteBuffer dst) throws IOException {
    long at = position;
    while (dst.hasRemaining()) {
      int n = channel.read(dst, at);
      if (n < 0) {
        throw new EOFException(path + ": ends at byte " + end);
      }
      at += n;
    }
  }

  /** Bytes taken so far. */
  public long length() {
    return end;
  }

  /** Appends all that was taken to another file. */
  public void copyTo(Output out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
    for (long done = 0; done < end; done += buffer.capacity()) {
      read(done, buffer.clear().limit((int) Math.min(COPY_BYTES, end - done)));
      out.write(buffer.flip());
    }
  }

  /** Forgets all that was taken: the file serves for another shard. */
  public void clear() throws IOException {
    channel.truncate(0).position(0);
    end = 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
