package org.saevhadoop.format.pickle;

import java.nio.ByteBuffer;

/** Bytes that were written as a text, one a character; the text was checked when it came. */
final class Latin1Decoder {
  private static final int FOUR = 4;
  private static final int EIGHT = 8;

  private final Data.Form form;
  private int digitsLeft;
  private int value;
  private boolean isAfterFirst;
  private boolean isLiteral;

  Latin1Decoder(Data.Form form) {
    this.form = form;
  }

  /** Decodes as much as there is, and has room; a piece may end anywhere. */
  void decode(ByteBuffer from, ByteBuffer to) {
    while (from.hasRemaining() && to.hasRemaining()) {
      switch (form) {
        case RAW -> copy(from, to);
        case UTF8 -> decodeUtf8(from, to);
        default -> decodeEscape(from, to);
      }
    }
  }

  /** After the last piece. */
  void end(ByteBuffer to) {
    if (form == Data.Form.RAW_UNICODE_ESCAPE && isAfterFirst) {
      to.put((byte) '\\');
    }
  }

  private static void copy(ByteBuffer from, ByteBuffer to) {
    int count = Math.min(from.remaining(), to.remaining());
    to.put(from.slice().limit(count));
    from.position(from.position() + count);
  }

  private void decodeUtf8(ByteBuffer from, ByteBuffer to) {
    int next = from.get();
    if (next >= 0) {
      to.put((byte) next);
    } else if (isAfterFirst) {
      isAfterFirst = false;
      to.put((byte) (value << 6 | next & 0x3f));
    } else {
      isAfterFirst = true;
      value = next;
    }
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
        digitsLeft = next == 'u' ? FOUR : EIGHT;
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
