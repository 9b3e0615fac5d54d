package org.saevhadoop.format.pickle.value;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.saevhadoop.format.io.Quote;

/** UTF-8 with Python's error handler {@code surrogatepass}: a lone surrogate takes three bytes. */
public final class SurrogatePass {
  private static final int MAX_PER_CHAR = 3;

  private SurrogatePass() {}

  /** Encodes text, which can contain lone surrogates. */
  public static byte[] encode(String text) {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    return hasLoneSurrogate(text) ? encodeAll(text) : plain;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Quote.isLoneSurrogate(text, i)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] encodeAll(String text) {
    ByteBuffer out = ByteBuffer.allocate(Math.multiplyExact(text.length(), MAX_PER_CHAR));
    text.codePoints().forEach(c -> out.put(encode(c)));
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  /** Encodes a code point, which can be a surrogate. */
  public static byte[] encode(int c) {
    return c <= Character.MAX_VALUE && Character.isSurrogate((char) c)
        ? new byte[] {
          (byte) (0xe0 | c >> 12), (byte) (0x80 | c >> 6 & 0x3f), (byte) (0x80 | c & 0x3f)
        }
        : Character.toString(c).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Decodes text; empty if it contains the halves of a surrogate pair as two separate characters,
   * which Java cannot distinguish from one character.
   *
   * @throws CharacterCodingException if the bytes are not UTF-8
   */
  static Optional<String> decode(byte[] utf8) throws CharacterCodingException {
    StringBuilder text = new StringBuilder(utf8.length);
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer piece = CharBuffer.allocate(1 << 12);
    while (true) {
      var result = decoder.reset().decode(in, piece, true);
      text.append(piece.flip());
      piece.clear();
      if (result.isUnderflow()) {
        return Optional.of(text.toString());
      }
      if (result.isError()) {
        char surrogate = surrogate(in);
        if (joins(text, surrogate)) {
          return Optional.empty();
        }
        text.append(surrogate);
      }
    }
  }

  private static boolean joins(StringBuilder text, char surrogate) {
    int length = text.length();
    return Character.isLowSurrogate(surrogate)
        && length > 0
        && Character.isHighSurrogate(text.charAt(length - 1));
  }

  private static char surrogate(ByteBuffer in) throws CharacterCodingException {
    int at = in.position();
    boolean surrogate =
        in.remaining() >= MAX_PER_CHAR
            && in.get(at) == (byte) 0xed
            && (in.get(at + 1) & 0xe0) == 0xa0
            && (in.get(at + 2) & 0xc0) == 0x80;
    if (!surrogate) {
      throw new CharacterCodingException();
    }
    in.position(at + MAX_PER_CHAR);
    return (char) (0xd000 | (in.get(at + 1) & 0x3f) << 6 | in.get(at + 2) & 0x3f);
  }
}
