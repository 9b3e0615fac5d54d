package org.saevhadoop.format.samples;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;

/** The lines of UTF-8 text, none longer than the maximum line length of a sidecar. */
final class SidecarLines implements Closeable {
  private static final int BUFFER = 1 << 15;

  private final ByteSource source;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).limit(0);
  private final CharBuffer chars = CharBuffer.allocate(BUFFER).limit(0);
  private boolean ended;
  private long number;

  SidecarLines(ByteSource source) {
    this.source = source;
  }

  /** Returns the next line without its terminator, or null at the end. */
  @Nullable String next() throws IOException {
    number++;
    StringBuilder line = new StringBuilder();
    while (chars.hasRemaining() || fill()) {
      int from = chars.position();
      int end = from;
      while (end < chars.limit() && chars.get(end) != '\n') {
        end++;
      }
      line.append(chars.array(), from, end - from);
      if (line.length() > Sidecar.MAX_LINE) {
        throw error("is too long (expected at most %d characters)", Sidecar.MAX_LINE);
      }
      if (end < chars.limit()) {
        chars.position(end + 1);
        return line.toString();
      }
      chars.position(end);
    }
    return line.isEmpty() ? null : line.toString();
  }

  /** Decodes more characters; returns false at the end. */
  private boolean fill() throws IOException {
    chars.clear();
    while (true) {
      CoderResult result = decoder.decode(bytes, chars, ended);
      if (chars.position() > 0) {
        chars.flip();
        return true;
      }
      if (result.isError()) {
        chars.flip();
        throw error("is not UTF-8");
      }
      if (ended) {
        chars.flip();
        return false;
      }
      bytes.compact();
      ended = source.read(bytes) < 0;
      bytes.flip();
    }
  }

  /** Returns an exception for an error in the line that was read last. */
  @FormatMethod
  FormatException error(@FormatString String problem, Object... args) {
    return SidecarError.BAD_SIDECAR.of(
        source.path(), null, "line " + number + " " + String.format(problem, args), null);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
