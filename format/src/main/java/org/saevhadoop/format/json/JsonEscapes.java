package org.saevhadoop.format.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import org.saevhadoop.format.io.Quote;

/**
 * Characters of a string that are written as escapes. All forms escape quotes, backslashes and
 * characters below U+0020; none escapes a slash.
 */
public enum JsonEscapes {
  /**
   * All characters except printable ASCII, and therefore also DEL: {@code ESCAPE_ASCII} of
   * CPython's json/encoder.py.
   */
  ASCII("\"\\\b\f\n\r\t", "\"\\bfnrt", '\u007f'),

  /** Only the characters that every form escapes, as in orjson and serde_json. */
  UTF8("\"\\\b\f\n\r\t", "\"\\bfnrt", '\uffff'),

  /** Lone surrogates, which UTF-8 cannot encode; only newlines and tabs have short escapes. */
  LONE_SURROGATES("\"\\\n\t", "\"\\nt", Character.MIN_SURROGATE);

  private final String named;
  private final String names;

  /** This and all higher characters might need an escape. */
  private final char rare;

  JsonEscapes(String named, String names, char rare) {
    this.named = named;
    this.names = names;
    this.rare = rare;
  }

  /** Appends a string in quotes. */
  public void quote(String text, StringBuilder out) {
    try {
      quote(text, (Appendable) out);
    } catch (IOException e) {
      throw new UncheckedIOException("a StringBuilder does not fail", e);
    }
  }

  /** Appends a string in quotes, piece by piece. */
  public void quote(String text, Appendable out) throws IOException {
    out.append('"');
    int from = 0;
    for (int at = next(text, 0); at < text.length(); at = next(text, from)) {
      out.append(text.substring(from, at)); // one copy, unlike a range of a CharSequence
      escape(text.charAt(at), out);
      from = at + 1;
    }
    out.append(text.substring(from)).append('"');
  }

  /** Returns the index of the first character to escape, or the length of the text. */
  private int next(String text, int from) {
    int length = text.length();
    int firstRare = rare;
    for (int i = from; i < length; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c >= firstRare && isEscaped(text, i)) {
        return i;
      }
    }
    return length;
  }

  private boolean isEscaped(String text, int i) {
    return this == ASCII || this == LONE_SURROGATES && Quote.isLoneSurrogate(text, i);
  }

  private void escape(char c, Appendable out) throws IOException {
    out.append('\\');
    int name = named.indexOf(c);
    if (name >= 0) {
      out.append(names.charAt(name));
    } else {
      out.append('u').append(HexFormat.of().toHexDigits(c));
    }
  }
}
