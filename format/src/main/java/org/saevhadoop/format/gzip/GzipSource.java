package org.saevhadoop.format.gzip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;

/**
 * The inflated bytes of all members of a gzip file (RFC 1952), each member's CRC32 and length being
 * checked. As in CPython, zeros may follow a member, and further members these. BGZF blocks are
 * inflated by several threads; their sizes are only believed where the data agree.
 *
 * <p>Errors are {@link GzipError}s and tell bytes of the compressed file. After one, reading gives
 * an error again, never the end.
 *
 * <p>It is fast with a direct buffer of 64 KiB or more.
 */
public final class GzipSource implements ByteSource {
  /** CRC32 and length. */
  static final int TRAILER = 8;

  /** More would leave the processor's cache before its checksum is computed. */
  private static final int MOST_AT_ONCE = 1 << 16;

  private final CompressedBytes in;
  private final BgzfReadAhead blocks;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private long memberStart;
  private boolean inMember;

  /** As {@link PlainOrGzip#open(Input, int)}, of a file that is gzip. */
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

  /** False at the end of the file. */
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
      in.seek(memberStart); // so that reading again fails again
      throw e;
    }
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  /** Some bytes of the member; 0 where it has ended, being checked. */
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
      count = inflater.inflate(dst.limit(Math.min(limit, start + MOST_AT_ONCE)));
    } catch (DataFormatException e) {
      throw GzipError.BAD_GZIP.in(
          path(),
          "the deflate data of the member at byte %d are wrong near byte %d: %s",
          memberStart,
          in.position(),
          e.getMessage());
    } finally {
      dst.limit(limit);
    }
    boolean idle = count == 0 && in.buffer().hasRemaining() && !inflater.finished();
    GzipError.BAD_GZIP.check(
        !idle,
        path(),
        "the deflate data of the member at byte %d cannot be continued at byte %d",
        memberStart,
        in.position());
    crc.update(dst.duplicate().limit(start + count).position(start));
    return count;
  }

  /** It is only taken once it is known to be right. */
  private void checkTrailer() throws IOException {
    checkMore(TRAILER, "trailer");
    ByteBuffer buffer = in.buffer();
    int storedCrc = buffer.getInt(buffer.position());
    int storedLength = buffer.getInt(buffer.position() + Integer.BYTES);
    GzipError.BAD_GZIP.check(
        storedCrc == (int) crc.getValue(),
        path(),
        "the member at byte %d has CRC32 %08x at byte %d (its data have %08x)",
        memberStart,
        storedCrc,
        in.position(),
        crc.getValue());
    GzipError.BAD_GZIP.check(
        storedLength == (int) inflater.getBytesWritten(),
        path(),
        "the member at byte %d has length %d, modulo 2^32, at byte %d (its data have %d bytes)",
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
