package org.saevhadoop.format.pickle.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.pickle.Opcode;

/**
 * Buffer that collects opcodes before they are passed to the sink. From protocol 4 on, whole
 * opcodes are grouped in frames, and opcodes longer than a frame are written outside of frames, as
 * in Lib/pickle.py and Modules/_pickle.c of CPython (PEP 3154).
 */
final class FramedSink {
  static final int MAX_FRAME = 64 << 10;

  private static final int HEADER = 1 + Long.BYTES;

  /**
   * The {@code _FRAME_SIZE_MIN} of CPython (Lib/pickle.py): fewer bytes are written without a
   * frame.
   */
  private static final int MIN_FRAME = 4;

  private final Io.Consumer<ByteBuffer> sink;
  private final boolean framed;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(HEADER + MAX_FRAME).order(ByteOrder.LITTLE_ENDIAN);

  FramedSink(Io.Consumer<ByteBuffer> sink, boolean framed) {
    this.sink = sink;
    this.framed = framed;
    buffer.position(HEADER);
  }

  /**
   * Returns the buffer with room for {@code bytes} bytes of one frame, at most {@link #MAX_FRAME}.
   */
  ByteBuffer room(int bytes) throws IOException {
    if (bytes > buffer.remaining()) {
      flush();
    }
    return buffer;
  }

  /** Ends the frame, so that the caller can write directly to the sink. */
  void flush() throws IOException {
    int length = buffer.position() - HEADER;
    boolean header = framed && length >= MIN_FRAME;
    buffer.flip().position(header ? 0 : HEADER);
    if (header) {
      buffer.put(0, (byte) Opcode.FRAME).putLong(1, length);
    }
    if (buffer.hasRemaining()) {
      sink.accept(buffer);
    }
    buffer.clear().position(HEADER);
  }

  /** Writes an opcode with its content: in a frame, or outside of frames if it is too long. */
  void write(ByteBuffer opcode, ByteBuffer content) throws IOException {
    if (content.remaining() <= MAX_FRAME - opcode.remaining()) {
      room(opcode.remaining() + content.remaining()).put(opcode).put(content);
    } else {
      flush();
      sink.accept(opcode);
      sink.accept(content);
    }
  }
}
