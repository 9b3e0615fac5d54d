package org.saevhadoop.format.gzip;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.zip.CRC32;

/** The header of a gzip member (RFC 1952, section 2.3). Its content is discarded. */
final class MemberHeader {
  static final byte MAGIC_1 = 0x1f;
  static final byte MAGIC_2 = (byte) 0x8b;
  static final byte DEFLATE = 8;

  /** Size in bytes of the fixed part before the optional fields. */
  static final int FIXED = 10;

  static final int FLAGS_AT = 3;
  static final int FEXTRA = 4;
  private static final int FHCRC = 2;
  private static final int FNAME = 8;
  private static final int FCOMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final CompressedBytes in;
  private final long start;
  private final CRC32 crc = new CRC32();

  private MemberHeader(CompressedBytes in) {
    this.in = in;
    this.start = in.position();
  }

  /** Consumes the header that begins at the next byte, up to the data. */
  static void take(CompressedBytes in) throws IOException {
    new MemberHeader(in).take();
  }

  private void take() throws IOException {
    takeMagic();
    int method = takeByte();
    check(method == DEFLATE, "has compression method %d (expected 8)", method);
    int flags = takeByte();
    check((flags & RESERVED) == 0, "has reserved flags: 0x%02x", flags);
    skip(FIXED - FLAGS_AT - 1); // Time, extra flags, operating system.
    if ((flags & FEXTRA) != 0) {
      skip(takeShort());
    }
    if ((flags & FNAME) != 0) {
      skipText();
    }
    if ((flags & FCOMMENT) != 0) {
      skipText();
    }
    if ((flags & FHCRC) != 0) {
      int computed = (int) crc.getValue() & 0xffff;
      int stored = takeShort();
      check(stored == computed, "has CRC16 %04x (its bytes have %04x)", stored, computed);
    }
  }

  private void takeMagic() throws IOException {
    int first = takeByte();
    int second = first == MAGIC_1 ? takeByte() : -1;
    if (second != (MAGIC_2 & 0xff)) {
      GzipError error = start == 0 ? GzipError.BAD_GZIP : GzipError.TRAILING_DATA;
      throw error.in(in.path(), "no gzip member begins at byte %d (expected 1f 8b)", start);
    }
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      takeByte();
    }
  }

  /** Skips text of any length without keeping it. */
  private void skipText() throws IOException {
    while (takeByte() != 0) {
      // Terminating NUL.
    }
  }

  private int takeShort() throws IOException {
    int low = takeByte();
    return low | takeByte() << 8;
  }

  private int takeByte() throws IOException {
    GzipError.TRUNCATED.check(
        in.has(1),
        in.path(),
        "the file ends at byte %d in the header of the member at byte %d",
        in.length(),
        start);
    int value = in.buffer().get() & 0xff;
    crc.update(value);
    return value;
  }

  @FormatMethod
  private void check(boolean holds, @FormatString String problem, Object... args)
      throws IOException {
    if (!holds) {
      String what = String.format(problem, args);
      throw GzipError.BAD_GZIP.of(
          in.path(), null, "the header of the member at byte " + start + " " + what, null);
    }
  }
}
