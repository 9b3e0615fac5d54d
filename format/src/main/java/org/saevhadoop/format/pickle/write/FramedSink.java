package org.saevhadoop.format.pickle.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Opcodes on their way to the sink: from protocol 4 on in frames, whole opcodes each, what is
 * longer than a frame outside of them, as CPython's pickle.py and _pickle.c have it.
 */
final class FramedSink {
  static final int MOST = 64 << 10;

  private static final byte FRAME = (byte) 0x95;
  private static final int HEADER = 1 + Long.BYTES;

  /** CPython's {@code _FRAME_SIZE_MIN}: fewer bytes go without a frame. */
  private static final int LEAST = 4;

  private final PickleWriter.Sink sink;
  private final boolean framed;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(HEADER + MOST).order(ByteOrder.LITTLE_ENDIAN);

  FramedSink(PickleWriter.Sink sink, boolean framed) {
    this.sink = sink;
    this.framed = framed;
    buffer.position(HEADER);
  }

  /** Where the next {@code bytes} go, at most {@link #MOST}, which are not cut in two. */
  ByteBuffer room(int bytes) throws IOException {
    if (bytes > buffer.remaining()) {
      flush();
    }
    return buffer;
  }

  /** Ends the frame: what is written to the sink itself comes next. */
  void flush() throws IOException {
    int length = buffer.position() - HEADER;
    boolean header = framed && length >= LEAST;
    buffer.flip().position(header ? 0 : HEADER);
    if (header) {
      buffer.put(0, FRAME).putLong(1, length);
    }
    if (buffer.hasRemaining()) {
      sink.write(buffer);
    }
    buffer.clear().position(HEADER);
  }

  /** Writes an opcode with its content: in a frame, or outside of them where it is too long. */
  void write(ByteBuffer opcode, ByteBuffer content) throws IOException {
    if (content.remaining() <= MOST - opcode.remaining()) {
      room(opcode.remaining() + content.remaining()).put(opcode).put(content);
    } else {
      flush();
      sink.write(opcode);
      sink.write(content);
    }
  }
}
