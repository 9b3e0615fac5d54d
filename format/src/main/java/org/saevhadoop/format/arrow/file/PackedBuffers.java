package org.saevhadoop.format.arrow.file;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrow.file.ArrowColumn.Region;
import org.saevhadoop.format.io.AscendingSearch;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.InputBytes;
import org.saevhadoop.format.io.Quote;

/**
 * The compressed buffers of a file. Their content is addressed as if it followed the file, in the
 * order of the buffers.
 *
 * <p>A buffer consists either of its uncompressed length in 8 bytes, followed by a frame of the
 * codec, or of -1, followed by the uncompressed bytes (Message.fbs, {@code BodyCompressionMethod}).
 * An empty buffer can have no bytes. Not thread-safe.
 */
final class PackedBuffers implements Input.Filter {
  private static final int STORED = -1;
  private static final int COPY_BYTES = 1 << 16;

  /** A stream takes at most 8 MiB of memory; a column has two buffers for each level of lists. */
  private static final int MAX_OPEN = 12;

  /**
   * The maximum number of times that buffers are read again, which is greater than the number of
   * passes over a file.
   */
  private static final int MAX_RESTARTS = 256;

  /** The maximum length in bytes: the positions of bits must also fit into a long. */
  private static final long MAX_LENGTH = Long.MAX_VALUE / Byte.SIZE;

  /**
   * A compressed buffer.
   *
   * @param at the location of the frame
   * @param begin the address of the content
   * @param size the length of the content in bytes
   */
  private record Packed(BodyCodec codec, Region at, long begin, long size) {}

  /** The content of a buffer, which is read from its beginning. */
  private final class Content implements Closeable {
    private final Packed packed;
    private final InputStream in;
    private long position;

    Content(Packed packed) throws IOException {
      this.packed = packed;
      InputStream frame = new InputBytes(new Part(file, packed.at));
      this.in = packed.codec.open(new BufferedInputStream(frame, COPY_BYTES));
    }

    /** Reads some bytes; they are valid until the next call. */
    ByteBuffer next(long max) throws IOException {
      int count = (int) Math.min(piece.length, max);
      int read = read(count);
      position += read;
      if (read < count) {
        throw corrupt(Quote.sentence("it has %d bytes (expected %d)", position, packed.size), null);
      }
      return ByteBuffer.wrap(piece, 0, count);
    }

    /** Checks that there are no more bytes; this also compares checksums. */
    void end() throws IOException {
      if (read(1) > 0) {
        throw corrupt(Quote.sentence("it has more than %d bytes", packed.size), null);
      }
    }

    private int read(int count) throws IOException {
      try {
        return in.readNBytes(piece, 0, count);
      } catch (IllegalArgumentException e) {
        throw corrupt(String.valueOf(e.getMessage()), e);
      } catch (BufferUnderflowException e) {
        throw corrupt("a block is truncated", e);
      }
    }

    private FormatException corrupt(String problem, @Nullable Exception cause) {
      FormatException corrupt =
          ArrowError.BAD_BATCH.in(
              path(),
              "has a corrupt buffer in %s, at byte %d: %s",
              packed.codec,
              packed.at.offset(),
              problem);
      return cause == null ? corrupt : corrupt.causedBy(cause);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private final Input file;
  private final List<Packed> buffers = new ArrayList<>();
  private final Map<Integer, Content> open = new LinkedHashMap<>(16, 0.75f, true);
  private final BitSet opened = new BitSet();
  private final byte[] piece = new byte[COPY_BYTES];
  private long length;
  private int restarts;

  PackedBuffers(Input file) throws IOException {
    this.file = file;
    this.length = file.length();
  }

  @Override
  public Input file() {
    return file;
  }

  /** Returns the end of the addresses, including the content of buffers. */
  @Override
  public long length() {
    return length;
  }

  /**
   * Adds a buffer and returns the position of its content: after the file, unless the buffer is
   * stored uncompressed.
   */
  Region add(BodyCodec codec, Region buffer) throws IOException {
    if (buffer.length() == 0) {
      return buffer;
    }
    ArrowError.BAD_BATCH.check(
        buffer.length() >= Long.BYTES,
        path(),
        "has a compressed buffer of %d bytes, at byte %d (expected at least 8)",
        buffer.length(),
        buffer.offset());
    ByteBuffer prefix = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.readFully(buffer.offset(), prefix);
    long size = prefix.flip().getLong();
    Region at = new Region(buffer.offset() + Long.BYTES, buffer.length() - Long.BYTES);
    if (size == STORED) {
      return at;
    }
    ArrowError.BAD_BATCH.check(
        size >= 0 && codec.canUnpack(at.length(), size) && size <= MAX_LENGTH - length,
        path(),
        "has a buffer of %d bytes in %s, at byte %d, that claims to unpack to %d",
        at.length(),
        codec,
        at.offset(),
        size);
    if (size == 0) {
      return new Region(at.offset(), 0);
    }
    Packed packed = new Packed(codec, at, length, size);
    buffers.add(packed);
    length += size;
    return new Region(packed.begin, size);
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    long begin = buffers.isEmpty() ? length : buffers.get(0).begin;
    if (position < begin) {
      int limit = dst.limit();
      dst.limit(dst.position() + (int) Math.min(dst.remaining(), begin - position));
      file.readFully(position, dst);
      dst.limit(limit);
    }
    long at = Math.max(position, begin);
    while (dst.hasRemaining()) {
      int index = AscendingSearch.lastAtMost(buffers.size(), i -> buffers.get(i).begin, at);
      at += read(index, at - buffers.get(index).begin, dst);
    }
  }

  /** Reads from the content of a buffer, at most up to its end, and returns the number of bytes. */
  private int read(int index, long from, ByteBuffer dst) throws IOException {
    Packed packed = buffers.get(index);
    Content content = content(index, from);
    while (content.position < from) {
      content.next(from - content.position);
    }
    int count = (int) Math.min(dst.remaining(), packed.size - from);
    for (long end = from + count; content.position < end; ) {
      dst.put(content.next(end - content.position));
    }
    return count;
  }

  /** Returns the content of a buffer, positioned at or before an offset. */
  private Content content(int index, long from) throws IOException {
    Content content = open.get(index);
    if (content != null && content.position <= from) {
      return content;
    }
    restarts += opened.get(index) ? 1 : 0;
    ArrowError.UNSUPPORTED.check(
        restarts <= MAX_RESTARTS,
        path(),
        "has compressed buffers that must be unpacked more than %d times (expected once)",
        MAX_RESTARTS);
    opened.set(index);
    if (content != null) {
      open.remove(index);
      content.close();
    } else if (open.size() == MAX_OPEN) {
      Integer eldest = open.keySet().iterator().next();
      Objects.requireNonNull(open.remove(eldest)).close();
    }
    Content again = new Content(buffers.get(index));
    open.put(index, again);
    return again;
  }

  /**
   * Decompresses all buffers to a sink.
   *
   * @throws FormatException if a buffer is corrupt or its content does not have the stated length
   */
  void unpack(ArrowReader.Sink out) throws IOException {
    for (Packed packed : buffers) {
      try (Content content = new Content(packed)) {
        while (content.position < packed.size) {
          out.accept(content.next(packed.size - content.position));
        }
        content.end();
      }
    }
  }

  /** Releases the memory of open buffers, but does not close the file. */
  void release() throws IOException {
    for (Content content : open.values()) {
      content.close();
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      release();
    }
  }

  /** A part of a file that can be closed without closing the file. */
  private record Part(Input file, Region at) implements Input.Filter {
    @Override
    public long length() {
      return at.length();
    }

    @Override
    public void readFully(long position, ByteBuffer dst) throws IOException {
      file.readFully(at.offset() + position, dst);
    }

    @Override
    public void close() {
      // the caller closes the file
    }
  }
}
