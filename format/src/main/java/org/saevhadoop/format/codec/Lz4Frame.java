package org.saevhadoop.format.codec;

import static org.saevhadoop.format.codec.Lz4Block.require;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The content of one LZ4 frame, which must end where its stream ends. */
public final class Lz4Frame extends InputStream {
  private static final int MAGIC = 0x184D2204;
  private static final int VERSION = 1 << 6;
  private static final int VERSION_MASK = 3 << 6;
  private static final int INDEPENDENT = 1 << 5;
  private static final int BLOCK_CHECKSUM = 1 << 4;
  private static final int CONTENT_SIZE = 1 << 3;
  private static final int CONTENT_CHECKSUM = 1 << 2;
  private static final int RESERVED = 1 << 1;
  private static final int DICTIONARY = 1;
  private static final int STORED = 1 << 31;

  /** Matches reach back by fewer bytes than this. */
  private static final int WINDOW = 1 << 16;

  private final InputStream in;
  private final XxHash32 content = new XxHash32();
  private byte @Nullable [] out;
  private byte[] packed = {};
  private int flags;
  private int maxBlock;
  private long size = -1;
  private long unpacked;
  private boolean isEnded;

  /** The range, in the output, of the bytes of the block that have not been read yet. */
  private int at;

  private int end;

  /**
   * Creates a stream.
   *
   * @param in the frame, which is closed with this stream
   */
  public Lz4Frame(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    byte[] window = out == null ? header() : out;
    out = window;
    while (at == end && !isEnded) {
      block(window);
    }
    if (at == end) {
      return -1;
    }
    int some = Math.min(count, end - at);
    System.arraycopy(window, at, bytes, offset, some);
    at += some;
    return some;
  }

  /** Reads the header, and returns the memory for the blocks. */
  private byte[] header() throws IOException {
    require(bytes(Integer.BYTES).getInt() == MAGIC, "an lz4 frame has no magic number");
    byte[] descriptor = in.readNBytes(2);
    require(descriptor.length == 2, "an lz4 frame ends in its header");
    flags = descriptor[0];
    int block = descriptor[1] & 0xff;
    require(
        (flags & VERSION_MASK) == VERSION
            && (flags & RESERVED) == 0
            && (block & 0x8f) == 0
            && block >> 4 >= 4,
        "an lz4 frame has a header of an unknown version");
    require((flags & DICTIONARY) == 0, "an lz4 frame needs a dictionary");
    maxBlock = 1 << 2 * (block >> 4) + 8;
    byte[] stated = in.readNBytes((flags & CONTENT_SIZE) == 0 ? 0 : Long.BYTES);
    if (stated.length == Long.BYTES) {
      size = ByteBuffer.wrap(stated).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
    XxHash32 hash = new XxHash32();
    hash.update(descriptor, 0, descriptor.length);
    hash.update(stated, 0, stated.length);
    require(in.read() == (hash.value() >> 8 & 0xff), "an lz4 frame has a corrupt header");
    at = WINDOW;
    end = WINDOW;
    return new byte[WINDOW + maxBlock];
  }

  private ByteBuffer bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    require(bytes.length == count, "an lz4 frame is truncated");
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads the next block, or the end mark, into the output after the window. */
  private void block(byte[] window) throws IOException {
    int word = bytes(Integer.BYTES).getInt();
    if (word == 0) {
      end();
      return;
    }
    int length = word & ~STORED;
    require(length <= maxBlock, "an lz4 block is longer than its frame allows");
    if (packed.length < length) {
      packed = new byte[length];
    }
    require(in.readNBytes(packed, 0, length) == length, "an lz4 frame is truncated");
    require(
        (flags & BLOCK_CHECKSUM) == 0
            || bytes(Integer.BYTES).getInt() == XxHash32.of(packed, 0, length),
        "the checksum of an lz4 block does not match");
    int kept = (flags & INDEPENDENT) == 0 ? (int) Math.min(WINDOW, unpacked) : 0;
    System.arraycopy(window, end - kept, window, WINDOW - kept, kept);
    at = WINDOW;
    if (word < 0) {
      System.arraycopy(packed, 0, window, at, length);
      end = at + length;
    } else {
      ByteBuffer block = ByteBuffer.wrap(packed, 0, length);
      end = Lz4Block.unpack(block, window, WINDOW - kept, at, window.length);
    }
    unpacked += end - at;
    if ((flags & CONTENT_CHECKSUM) != 0) {
      content.update(window, at, end - at);
    }
  }

  private void end() throws IOException {
    isEnded = true;
    require(
        (flags & CONTENT_CHECKSUM) == 0 || bytes(Integer.BYTES).getInt() == content.value(),
        "the checksum of an lz4 frame does not match");
    require(size < 0 || size == unpacked, "the size of an lz4 frame differs from its header");
    require(in.read() < 0, "an lz4 frame is followed by other bytes");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
