package org.saevhadoop.format.pickle.read;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PickleError;

/** Buffered input of a pickle that tracks the opcode and its position for error messages. */
final class PickleInput {
  private final ByteSource source;
  private final ByteBuffer buffer;
  private long bufferPosition;
  private boolean atEnd;
  private int opcode;
  private long opcodePosition;
  private @Nullable PickleError failure;

  /**
   * Creates an input.
   *
   * @param buffer the buffer, whose content is discarded
   */
  PickleInput(ByteSource source, ByteBuffer buffer) {
    this.source = source;
    this.buffer = buffer;
    buffer.position(0).limit(0);
  }

  /** Returns the path of the source, for error messages. */
  String path() {
    return source.path();
  }

  /** Returns the position of the next byte. */
  long position() {
    return bufferPosition + buffer.position();
  }

  /** Returns whether the source is exhausted and has completed its own checks. */
  boolean isAtEnd() throws IOException {
    while (!buffer.hasRemaining() && !atEnd) {
      bufferPosition += buffer.limit();
      buffer.clear();
      atEnd = source.read(buffer) < 0;
      buffer.flip();
    }
    return !buffer.hasRemaining();
  }

  /**
   * Reads ahead so that {@link #isAt} sees the given number of bytes, unless the source ends
   * earlier.
   */
  void readAhead(int bytes) throws IOException {
    while (buffer.remaining() < bytes && !atEnd) {
      bufferPosition += buffer.position();
      buffer.compact();
      atEnd = source.read(buffer) < 0;
      buffer.flip();
    }
  }

  /** Returns the next byte, which must be buffered. */
  int peek() {
    return buffer.get(buffer.position()) & 0xff;
  }

  /** Returns whether the next bytes equal {@code magic}; they must have been read ahead. */
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

  /** Reads a little-endian number of up to eight bytes; shorter ones are unsigned. */
  long readNumber(int bytes) throws IOException {
    long number = 0;
    for (int shift = 0; shift < bytes * Byte.SIZE; shift += Byte.SIZE) {
      number |= (long) readByte() << shift;
    }
    return number;
  }

  /** Reads an eight-byte length; values with the highest bit set are rejected. */
  long readLength() throws IOException {
    long length = readNumber(Long.BYTES);
    check(
        length >= 0,
        PickleError.LIMIT_EXCEEDED,
        "a length of %s bytes",
        Long.toUnsignedString(length));
    return length;
  }

  /** Reads the given number of bytes, which callers must limit. */
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

  /** Passes the given number of bytes to the sink in buffer-sized pieces. */
  void readPieces(long length, ArrayBytes.Sink sink) throws IOException {
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

  /** Skips the given number of bytes, which the source must have. */
  void skipPieces(long length) throws IOException {
    long end = position() + length;
    while (position() < end) {
      if (!buffer.hasRemaining()) {
        bufferPosition += source.skip(end - position());
      }
      if (position() < end && isAtEnd()) {
        throw truncated();
      }
      buffer.position(buffer.position() + (int) Math.min(end - position(), buffer.remaining()));
    }
  }

  /** Skips to a position, or to the end of the source if that comes first. */
  void skip(long to) throws IOException {
    while (position() < to && !isAtEnd()) {
      buffer.position(buffer.position() + (int) Math.min(to - position(), buffer.remaining()));
    }
  }

  /** Passes a line to the sink in pieces and consumes the line end. */
  void readLine(long most, ArrayBytes.Sink sink) throws IOException {
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

  private void handOn(int count, ArrayBytes.Sink sink) throws IOException {
    int limit = buffer.limit();
    int end = buffer.position() + count;
    buffer.limit(end);
    sink.take(buffer.slice());
    buffer.limit(limit).position(end);
  }

  private FormatException truncated() {
    return fail(PickleError.TRUNCATED, "the pickle ends at byte %d", position());
  }

  /** Returns the name and the position of the last opcode read, for error messages. */
  String where() {
    return "in " + Opcode.name(opcode) + " at byte " + opcodePosition;
  }

  /** Returns the exception for a problem with the last opcode read. */
  @FormatMethod
  FormatException fail(PickleError error, @FormatString String problem, @Nullable Object... args) {
    failure = error;
    return error.of(source.path(), where(), Quote.sentence(problem, args), null);
  }

  /**
   * Returns the kind of the last failure; null if there was no failure, in which case an exception
   * comes from the source.
   */
  @Nullable PickleError failure() {
    return failure;
  }

  /** Returns the exception of kind BAD_PICKLE for a problem with the last opcode read. */
  @FormatMethod
  FormatException fail(@FormatString String problem, @Nullable Object... args) {
    return fail(PickleError.BAD_PICKLE, problem, args);
  }

  @FormatMethod
  void check(boolean holds, @FormatString String problem, @Nullable Object... args)
      throws FormatException {
    if (!holds) {
      throw fail(PickleError.BAD_PICKLE, problem, args);
    }
  }

  @FormatMethod
  void check(
      boolean holds, PickleError error, @FormatString String problem, @Nullable Object... args)
      throws FormatException {
    if (!holds) {
      throw fail(error, problem, args);
    }
  }
}
