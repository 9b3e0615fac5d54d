package org.saevhadoop.format.pickle.value;

import java.nio.ByteBuffer;

/**
 * Decoder of byte strings that are stored as text with one character per byte. The text must have
 * been validated when it was read.
 */
public final class Latin1Decoder {

  private static final int CHUNK = 4096;

  private final PayloadData.Form form;
  private final byte[] encoded = new byte[CHUNK];
  private final byte[] decoded = new byte[CHUNK];
  private int digitsLeft;
  private int value;
  private boolean isAfterFirst;
  private boolean isLiteral;

  public Latin1Decoder(PayloadData.Form form) {
    this.form = form;
  }

  /** Decodes as much as the input and the space allow; a piece may end at any byte. */
  public void decode(ByteBuffer from, ByteBuffer to) {
    while (from.hasRemaining() && to.hasRemaining()) {
      switch (form) {
        case RAW -> copy(from, to);
        case UTF8 -> decodeUtf8(from, to);
        default -> decodeEscape(from, to);
      }
    }
  }

  /** Completes the decoding after the last piece. */
  public void end(ByteBuffer to) {
    if (form == PayloadData.Form.RAW_UNICODE_ESCAPE && isAfterFirst) {
      to.put((byte) '\\');
    }
  }

  private static void copy(ByteBuffer from, ByteBuffer to) {
    int count = Math.min(from.remaining(), to.remaining());
    to.put(from.slice().limit(count));
    from.position(from.position() + count);
  }

  /** Decodes without branches, because the positions of ASCII bytes in array data are random. */
  private void decodeUtf8(ByteBuffer from, ByteBuffer to) {
    int count = Math.min(CHUNK, Math.min(from.remaining(), to.remaining()));
    from.get(encoded, 0, count);
    int before = value;
    int out = 0;
    for (int at = 0; at < count; at++) {
      int next = encoded[at];
      int isHigh = next >> Byte.SIZE;
      int isFirst = isHigh & next << (Integer.SIZE - Byte.SIZE + 1) >> Integer.SIZE - 1;
      int isFollower = isHigh & ~isFirst;
      decoded[out] = (byte) (next & ~isFollower | (before << 6 | next & 0x3f) & isFollower);
      out += 1 + isFirst;
      before = next;
    }
    value = before;
    to.put(decoded, 0, out);
  }

  private void decodeEscape(ByteBuffer from, ByteBuffer to) {
    int next = from.get();
    if (digitsLeft > 0) {
      value = value << 4 | Character.digit(next, 16);
      if (--digitsLeft == 0) {
        to.put((byte) value);
      }
    } else if (isAfterFirst) {
      isAfterFirst = false;
      if (next == 'u' || next == 'U') {
        digitsLeft = next == 'u' ? 4 : 8;
        value = 0;
      } else {
        to.put((byte) '\\');
        isLiteral = true;
        from.position(from.position() - 1);
      }
    } else if (next == '\\' && !isLiteral) {
      isAfterFirst = true;
    } else {
      isLiteral = false;
      to.put((byte) next);
    }
  }
}
