package org.saevhadoop.format.pickle.read;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;

/**
 * Incremental decoder of text that follows the rules of CPython. It counts the code points, and
 * builds the string if the text is short.
 */
abstract class TextScan {
  private static final int HIGHEST_POINT = 0x10ffff;
  private static final int BYTE_MASK = 0xff;

  final PickleInput in;
  private final @Nullable StringBuilder text;
  private long points;
  private int bitsSeen;
  private int previous;
  private boolean isPairSplit;

  /**
   * Creates a scan.
   *
   * @param text the builder of the string; null to only count code points
   */
  TextScan(PickleInput in, @Nullable StringBuilder text) {
    this.in = in;
    this.text = text;
  }

  abstract void take(ByteBuffer piece) throws FormatException;

  /** Completes the scan after the last piece. */
  abstract void end() throws FormatException;

  /** Returns the number of bytes of the text in Latin-1; -1 if Latin-1 cannot represent it. */
  final long latin1Length() {
    return (bitsSeen & ~BYTE_MASK) == 0 ? points : -1;
  }

  /**
   * Returns whether the text contains the halves of a surrogate pair as two separate characters,
   * which a Java string cannot distinguish from one character.
   */
  final boolean isPairSplit() {
    return isPairSplit;
  }

  final boolean isOnlyCounted() {
    return text == null;
  }

  /** Adds a number of code points up to U+00FF to the count. */
  final void addLatin1(long count) {
    if (count > 0) {
      points += count;
      previous = 0;
    }
  }

  /** Adds a code point, which can be a lone surrogate. */
  final void point(int point) throws FormatException {
    points++;
    bitsSeen |= point;
    if (point >= Character.MIN_SURROGATE) {
      checkPoint(point);
    }
    previous = point;
    if (text != null) {
      text.appendCodePoint(point);
    }
  }

  private void checkPoint(int point) throws FormatException {
    check(point <= HIGHEST_POINT, "a code point beyond U+10FFFF");
    isPairSplit |=
        isBetween(point, Character.MIN_LOW_SURROGATE, Character.MAX_LOW_SURROGATE)
            && isBetween(previous, Character.MIN_HIGH_SURROGATE, Character.MAX_HIGH_SURROGATE);
  }

  private static boolean isBetween(int point, char first, char last) {
    return point >= first && point <= last;
  }

  final void check(boolean holds, String problem) throws FormatException {
    if (!holds) {
      throw in.fail("%s", problem);
    }
  }

  /** UTF-8 that can contain lone surrogates. */
  static final class Utf8 extends TextScan {
    private static final int STEP = 64;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long FIRSTS_OF_TWO = 0xc2c2_c2c2_c2c2_c2c2L;
    private static final long LAST_BIT_LEFT_OUT = 0xfefe_fefe_fefe_fefeL;

    private int left;
    private int point;
    private int lowest;

    Utf8(PickleInput in, @Nullable StringBuilder text) {
      super(in, text);
    }

    @Override
    void take(ByteBuffer piece) throws FormatException {
      while (piece.hasRemaining()) {
        if (left == 0 && isOnlyCounted()) {
          countLatin1(piece);
        }
        takeBytes(piece, Math.min(piece.limit(), piece.position() + STEP));
      }
    }

    /**
     * Skips ASCII and two-byte sequences that begin with C2 or C3, eight bytes at a time; array
     * data consists of such sequences.
     */
    private void countLatin1(ByteBuffer piece) {
      ByteBuffer words = piece.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      int at = piece.position();
      long count = 0;
      long before = 0;
      while (at <= words.limit() - Long.BYTES) {
        long word = words.getLong(at);
        long high = word & HIGH_BITS;
        long followers = high & ~(word << 1);
        long firsts = high & ~followers;
        long firstBytes = (firsts >>> 7) * BYTE_MASK;
        boolean areOthers = ((word ^ FIRSTS_OF_TWO) & LAST_BIT_LEFT_OUT & firstBytes) != 0;
        if (areOthers || followers != (firsts << Byte.SIZE | before)) {
          break;
        }
        count += Long.BYTES - Long.bitCount(followers);
        before = firsts >>> (Long.SIZE - Byte.SIZE);
        at += Long.BYTES;
      }
      // an incomplete two-byte sequence stays in the input
      int cut = before == 0 ? 0 : 1;
      piece.position(at - cut);
      addLatin1(count - cut);
    }

    private void takeBytes(ByteBuffer piece, int end) throws FormatException {
      while (piece.position() < end) {
        int next = piece.get();
        if (left > 0) {
          follow(next);
        } else if (next >= 0) {
          point(next);
        } else {
          begin(next & BYTE_MASK);
        }
      }
    }

    private void begin(int first) throws FormatException {
      check(first >= 0xc2 && first <= 0xf4, "a string that is not UTF-8");
      if (first < 0xe0) {
        left = 1;
        point = first & 0x1f;
        lowest = 0x80;
      } else if (first < 0xf0) {
        left = 2;
        point = first & 0x0f;
        lowest = 0x800;
      } else {
        left = 3;
        point = first & 0x07;
        lowest = 0x10000;
      }
    }

    private void follow(int next) throws FormatException {
      check((next & 0xc0) == 0x80, "a string that is not UTF-8");
      point = point << 6 | next & 0x3f;
      if (--left == 0) {
        check(point >= lowest, "a string that is not UTF-8: an overlong form");
        point(point);
      }
    }

    @Override
    void end() throws FormatException {
      check(left == 0, "a string that is not UTF-8: it is truncated");
    }
  }

  /** Latin-1 with \\uXXXX and \\UXXXXXXXX; any other backslash is literal. */
  static final class Escaped extends TextScan {
    private boolean isAfterBackslash;
    private int digitsLeft;
    private long point;

    Escaped(PickleInput in, @Nullable StringBuilder text) {
      super(in, text);
    }

    @Override
    void take(ByteBuffer piece) throws FormatException {
      while (piece.hasRemaining()) {
        int next = piece.get() & BYTE_MASK;
        if (digitsLeft > 0) {
          digit(next);
        } else if (isAfterBackslash) {
          escape(next);
        } else if (next == '\\') {
          isAfterBackslash = true;
        } else {
          point(next);
        }
      }
    }

    private void escape(int next) throws FormatException {
      isAfterBackslash = false;
      if (next == 'u' || next == 'U') {
        digitsLeft = next == 'u' ? 4 : 8;
        point = 0;
      } else {
        point('\\');
        point(next);
      }
    }

    private void digit(int next) throws FormatException {
      int digit = next < 0x80 ? Character.digit(next, 16) : -1;
      check(digit >= 0, "a string with an incomplete \\u escape");
      point = point << 4 | digit;
      if (--digitsLeft == 0) {
        point((int) Math.min(point, HIGHEST_POINT + 1));
      }
    }

    @Override
    void end() throws FormatException {
      check(digitsLeft == 0, "a string with an incomplete \\u escape");
      if (isAfterBackslash) {
        point('\\');
      }
    }
  }
}
