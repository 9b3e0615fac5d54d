package org.saevhadoop.format.pickle.read;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/** A pickle's bytes, one buffer of them at a time, and the place that errors tell. */
final class PickleInput {
  /** Takes bytes that lie in the buffer, all of them. */
  interface Sink {
    void take(ByteBuffer piece) throws IOException;
  }

  private final ByteSource source;
  private final ByteBuffer buffer;
  private long bufferPosition;
  private boolean atEnd;
  private int opcode;
  private long opcodePosition;
  private PickleError failure;

  /**
   * @param buffer where bytes are read to; its content is lost
   */
  PickleInput(ByteSource source, ByteBuffer buffer) {
    this.source = source;
    this.buffer = buffer;
    buffer.position(0).limit(0);
  }

  /** Of the next byte. */
  long position() {
    return bufferPosition + buffer.position();
  }

  /** Whether no byte is left; the source has then checked what it can. */
  boolean isAtEnd() throws IOException {
    while (!buffer.hasRemaining() && !atEnd) {
      bufferPosition += buffer.limit();
      buffer.clear();
      atEnd = source.read(buffer) < 0;
      buffer.flip();
    }
    return !buffer.hasRemaining();
  }

  /** Reads ahead, so that {@link #isAt} sees so many bytes where there are as many. */
  void readAhead(int bytes) throws IOException {
    while (buffer.remaining() < bytes && !atEnd) {
      bufferPosition += buffer.position();
      buffer.compact();
      atEnd = source.read(buffer) < 0;
      buffer.flip();
    }
  }

  /** The next byte, where there is one. */
  int peek() {
    return buffer.get(buffer.position()) & 0xff;
  }

  /** Whether the next bytes are these; they must have been read ahead. */
  boolean isAt(byte[] magic) {
    if (buffer.remaining() < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if (buffer.get(buffer.position() + i) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  int nextOpcode() throws IOException {
    opcodePosition = position();
    if (isAtEnd()) {
      failure = PickleError.TRUNCATED;
      throw failure.in(source.path(), "the pickle ends without STOP, at byte %d", opcodePosition);
    }
    opcode = buffer.get() & 0xff;
    return opcode;
  }

  int readByte() throws IOException {
    if (!buffer.hasRemaining() && isAtEnd()) {
      throw truncated();
    }
    return buffer.get() & 0xff;
  }

  /** A little-endian number of up to eight bytes, without a sign where they are fewer. */
  long readNumber(int bytes) throws IOException {
    long number = 0;
    for (int shift = 0; shift < bytes * Byte.SIZE; shift += Byte.SIZE) {
      number |= (long) readByte() << shift;
    }
    return number;
  }

  /** A length of eight bytes: what has its highest bit is more than there can be. */
  long readLength() throws IOException {
    long length = readNumber(Long.BYTES);
    check(
        length >= 0,
        PickleError.LIMIT_EXCEEDED,
        "a length of %s bytes",
        Long.toUnsignedString(length));
    return length;
  }

  /** So many bytes; the caller has made sure that they are few. */
  byte[] readBytes(int length) throws IOException {
    byte[] bytes = new byte[length];
    int done = 0;
    while (done < length) {
      if (isAtEnd()) {
        throw truncated();
      }
      int count = Math.min(length - done, buffer.remaining());
      buffer.get(bytes, done, count);
      done += count;
    }
    return bytes;
  }

  /** Hands on so many bytes, as they come. */
  void readPieces(long length, Sink sink) throws IOException {
    long left = length;
    while (left > 0) {
      if (isAtEnd()) {
        throw truncated();
      }
      int count = (int) Math.min(left, buffer.remaining());
      handOn(count, sink);
      left -= count;
    }
  }

  /** Goes on to a position, or to the end where that is before it. */
  void skip(long to) throws IOException {
    while (position() < to && !isAtEnd()) {
      buffer.position(buffer.position() + (int) Math.min(to - position(), buffer.remaining()));
    }
  }

  /** Hands on a line as it comes, and reads over its end. */
  void readLine(long most, Sink sink) throws IOException {
    long length = 0;
    while (true) {
      if (isAtEnd()) {
        throw truncated();
      }
      int count = bytesToLineEnd();
      length += count;
      check(length <= most, PickleError.LIMIT_EXCEEDED, "a line of more than %d bytes", most);
      boolean isWhole = count < buffer.remaining();
      handOn(count, sink);
      if (isWhole) {
        buffer.get();
        return;
      }
    }
  }

  private int bytesToLineEnd() {
    for (int at = buffer.position(); at < buffer.limit(); at++) {
      if (buffer.get(at) == '\n') {
        return at - buffer.position();
      }
    }
    return buffer.remaining();
  }

  private void handOn(int count, Sink sink) throws IOException {
    int limit = buffer.limit();
    int end = buffer.position() + count;
    buffer.limit(end);
    sink.take(buffer.slice());
    buffer.limit(limit).position(end);
  }

  private FormatException truncated() {
    return fail(PickleError.TRUNCATED, "the pickle ends at byte %d", position());
  }

  /** The exception for the opcode that was read last. */
  @FormatMethod
  FormatException fail(PickleError error, @FormatString String problem, Object... args) {
    failure = error;
    return error.of(
        source.path(),
        Opcode.name(opcode) + " at byte " + opcodePosition,
        String.format(problem, args),
        null);
  }

  /** What was told last; null where nothing was: an exception is then the source's. */
  PickleError failure() {
    return failure;
  }

  @FormatMethod
  void check(boolean holds, PickleError error, @FormatString String problem, Object... args)
      throws FormatException {
    if (!holds) {
      throw fail(error, problem, args);
    }
  }
}
