package org.saevhadoop.format.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;

/**
 * Inflated bytes of all members of a gzip file (RFC 1952). The CRC32 and length of each member are
 * checked. As in CPython, zeros may follow a member, and further members may follow the zeros. BGZF
 * blocks are inflated by several threads; their sizes are trusted only if the data confirms them.
 *
 * <p>{@link GzipError} lists the kinds of errors; messages contain offsets in the compressed file.
 * After an error, every further read fails, and none reports the end of the stream.
 *
 * <p>Reading is fastest with a direct buffer of at least 64 KiB.
 */
public final class GzipSource implements ByteSource {
  /** Size in bytes of the trailer, which consists of the CRC32 and the length. */
  static final int TRAILER = 8;

  /**
   * Maximum number of bytes inflated at once: more data would leave the processor cache before its
   * checksum is computed.
   */
  private static final int MAX_AT_ONCE = 1 << 16;

  private final CompressedBytes in;
  private final @Nullable BgzfReadAhead blocks;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private long memberStart;
  private boolean inMember;

  /** Opens a file that must be gzip; see {@link PlainOrGzip#open(Input, int)}. */
  public GzipSource(Input file, int threads) throws IOException {
    in = new CompressedBytes(file);
    blocks = threads > 1 ? new BgzfReadAhead(in, threads) : null;
  }

  @Override
  public String path() {
    return in.path();
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining()) {
      return 0;
    }
    while (true) {
      int count = inMember ? inflate(dst) : blocks == null ? 0 : blocks.read(dst);
      if (count > 0) {
        return count;
      }
      if (!inMember && !beginMember()) {
        return -1;
      }
    }
  }

  /** Reads the header of the next member; returns false at the end of the file. */
  private boolean beginMember() throws IOException {
    long start = in.position();
    boolean more = in.has(1);
    GzipError.TRUNCATED.check(more || start > 0, path(), "the file is empty");
    while (start > 0 && more && in.buffer().get(in.buffer().position()) == 0) {
      in.buffer().get();
      more = in.has(1);
    }
    if (!more) {
      return false;
    }
    memberStart = in.position();
    try {
      MemberHeader.take(in);
    } catch (IOException e) {
      in.seek(memberStart); // Makes the next read fail again.
      throw e;
    }
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  /** Inflates bytes of the member; returns 0 if the member has ended and has been checked. */
  private int inflate(ByteBuffer dst) throws IOException {
    while (!inflater.finished()) {
      checkMore(1, "data");
      int count = inflateSome(dst);
      if (count > 0) {
        return count;
      }
    }
    checkTrailer();
    inMember = false;
    return 0;
  }

  private int inflateSome(ByteBuffer dst) throws IOException {
    int start = dst.position();
    int limit = dst.limit();
    inflater.setInput(in.buffer());
    int count;
    try {
      count = inflater.inflate(dst.limit(Math.min(limit, start + MAX_AT_ONCE)));
    } catch (DataFormatException e) {
      throw GzipError.BAD_GZIP
          .in(
              path(),
              "the deflate data of the member at byte %d is invalid near byte %d: %s",
              memberStart,
              in.position(),
              e.getMessage())
          .causedBy(e);
    } finally {
      dst.limit(limit);
    }
    boolean idle = count == 0 && in.buffer().hasRemaining() && !inflater.finished();
    GzipError.BAD_GZIP.check(
        !idle,
        path(),
        "the deflate data of the member at byte %d cannot be decoded beyond byte %d",
        memberStart,
        in.position());
    crc.update(dst.duplicate().limit(start + count).position(start));
    return count;
  }

  /** Consumes the trailer only after checking it. */
  private void checkTrailer() throws IOException {
    checkMore(TRAILER, "trailer");
    ByteBuffer buffer = in.buffer();
    int storedCrc = buffer.getInt(buffer.position());
    int storedLength = buffer.getInt(buffer.position() + Integer.BYTES);
    GzipError.BAD_GZIP.check(
        storedCrc == (int) crc.getValue(),
        path(),
        "the member at byte %d has CRC32 %08x at byte %d (its data has %08x)",
        memberStart,
        storedCrc,
        in.position(),
        crc.getValue());
    GzipError.BAD_GZIP.check(
        storedLength == (int) inflater.getBytesWritten(),
        path(),
        "the member at byte %d has length %d, modulo 2^32, at byte %d (its data has %d bytes)",
        memberStart,
        Integer.toUnsignedLong(storedLength),
        in.position() + Integer.BYTES,
        inflater.getBytesWritten());
    buffer.position(buffer.position() + TRAILER);
  }

  private void checkMore(int bytes, String part) throws IOException {
    GzipError.TRUNCATED.check(
        in.has(bytes),
        path(),
        "the file ends at byte %d in the %s of the member at byte %d",
        in.length(),
        part,
        memberStart);
  }

  @Override
  public long fileBytesRead() {
    return blocks == null ? in.position() : blocks.position();
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    if (blocks != null) {
      blocks.drop();
    }
    in.close();
  }
}
