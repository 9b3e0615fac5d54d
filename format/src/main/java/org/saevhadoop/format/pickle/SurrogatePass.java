package org.saevhadoop.format.pickle;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/** Python's UTF-8 with the error handler {@code surrogatepass}: a lone surrogate has 3 bytes. */
final class SurrogatePass {
  private static final int MOST_PER_CHAR = 3;

  private SurrogatePass() {}

  static byte[] encode(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    return hasLoneSurrogate(text) ? encodeAll(text) : plain;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private static byte[] encodeAll(String text) {
    ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(text.length(), MOST_PER_CHAR));
    text.codePoints()
        .forEach(
            c -> {
              if (c <= Character.MAX_VALUE && Character.isSurrogate((char) c)) {
                out.put((byte) (0xe0 | c >> 12));
                out.put((byte) (0x80 | c >> 6 & 0x3f));
                out.put((byte) (0x80 | c & 0x3f));
              } else {
                out.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
              }
            });
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  /** The text; throws where the bytes are no UTF-8, or a text that Java cannot hold. */
  static String decode(byte[] utf8) throws CharacterCodingException {
    StringBuilder text = new StringBuilder(utf8.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer piece = CharBuffer.allocate(1 << 12);
    while (true) {
      var result = decoder.reset().decode(in, piece, true);
      text.append(piece.flip());
      piece.clear();
      if (result.isUnderflow()) {
        return text.toString();
      }
      if (result.isError()) {
        append(text, surrogate(in));
      }
    }
  }

  /** Appends a surrogate that stands alone, which behind another it would not do in Java. */
  static void append(StringBuilder text, char surrogate) throws CharacterCodingException {
    int length = text.length();
    boolean joins =
        Character.isLowSurrogate(surrogate)
            && length > 0
            && Character.isHighSurrogate(text.charAt(length - 1));
    if (joins) {
      throw new CharacterCodingException();
    }
    text.append(surrogate);
  }

  private static char surrogate(ByteBuffer in) throws CharacterCodingException {
    int at = in.position();
    boolean surrogate =
        in.remaining() >= MOST_PER_CHAR
            && in.get(at) == (byte) 0xed
            && (in.get(at + 1) & 0xe0) == 0xa0
            && (in.get(at + 2) & 0xc0) == 0x80;
    if (!surrogate) {
      throw new CharacterCodingException();
    }
    in.position(at + MOST_PER_CHAR);
    return (char) (0xd000 | (in.get(at + 1) & 0x3f) << 6 | in.get(at + 2) & 0x3f);
  }
}
