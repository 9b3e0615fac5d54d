package org.saevhadoop.format.pickle.write;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.PyNumbers;
import org.saevhadoop.format.pickle.value.SurrogatePass;
import org.saevhadoop.format.tensor.DType;

/** Encoder that writes simple Python objects as opcodes of a protocol and maintains the memo. */
final class PickleOpcodes {
  /** First protocol with frames, sets and long byte strings. */
  static final int FRAMED = 4;

  private static final int BYTE = 0xff;
  private static final int SHORT = 0xffff;

  /**
   * Maximum number of memo entries; once the memo is full, further objects are written in full each
   * time.
   */
  private static final int MAX_MEMO = 4096;

  /** Maximum length of a memoized key in characters. */
  private static final int MAX_KEY = 64;

  private static final int BFLOAT_FLAGS = 64;
  private static final int UNICODE_FLAGS = 8;

  /**
   * Number of bytes per piece. A byte takes at most two bytes in UTF-8, so an encoded piece fits in
   * a frame.
   */
  private static final int PIECE = FramedSink.MAX_FRAME / 2 - 1;

  /** First UTF-8 byte of each Latin-1 character. */
  private static final byte[] LEADS = new byte[256];

  static {
    for (int i = 0; i < LEADS.length; i++) {
      LEADS[i] = (byte) (i < 0x80 ? i : 0xc0 | i >> 6);
    }
  }

  private static final long HIGH_BITS = 0x8080808080808080L;

  private record Global(String module, String name) {}

  private final int protocol;
  private final FramedSink out;
  private final Map<Object, Integer> memo = new HashMap<>();

  /** Buffer with room for an opcode and the longest length field. */
  private final ByteBuffer header =
      ByteBuffer.allocate(1 + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  PickleOpcodes(int protocol, Io.Consumer<ByteBuffer> sink) throws IOException {
    if (protocol != 2 && protocol != FRAMED && protocol != FRAMED + 1) {
      throw new IllegalArgumentException("protocol " + protocol + " is not written (2, 4 or 5)");
    }
    this.protocol = protocol;
    out = new FramedSink(sink, protocol >= FRAMED);
    sink.accept(ByteBuffer.wrap(new byte[] {(byte) Opcode.PROTO, (byte) protocol}));
  }

  int protocol() {
    return protocol;
  }

  void stop() throws IOException {
    op(Opcode.STOP);
    out.flush();
  }

  void op(int opcode) throws IOException {
    out.room(1).put((byte) opcode);
  }

  private void byteOp(int opcode, int argument) throws IOException {
    out.room(1 + Byte.BYTES).put((byte) opcode).put((byte) argument);
  }

  private void intOp(int opcode, int argument) throws IOException {
    out.room(1 + Integer.BYTES).put((byte) opcode).putInt(argument);
  }

  void integer(long value) throws IOException {
    if (value >= 0 && value <= BYTE) {
      byteOp(Opcode.BININT1, (int) value);
    } else if (value >= 0 && value <= SHORT) {
      out.room(1 + Short.BYTES).put((byte) Opcode.BININT2).putShort((short) value);
    } else if (value == (int) value) {
      intOp(Opcode.BININT, (int) value);
    } else {
      longInteger(BigInteger.valueOf(value));
    }
  }

  void integer(BigInteger value) throws IOException {
    if (value.bitLength() < Long.SIZE) {
      integer(value.longValue());
    } else {
      longInteger(value);
    }
  }

  private void longInteger(BigInteger value) throws IOException {
    byte[] bytes = PyNumbers.reversed(value.toByteArray());
    sized(Opcode.LONG1, Opcode.LONG4, ByteBuffer.wrap(bytes));
  }

  void real(double value) throws IOException {
    out.room(1 + Double.BYTES)
        .put((byte) Opcode.BINFLOAT)
        .putLong(Long.reverseBytes(Double.doubleToRawLongBits(value)));
  }

  void text(String text) throws IOException {
    text(SurrogatePass.encode(text));
  }

  void text(byte[] utf8) throws IOException {
    int shortOpcode = protocol >= FRAMED ? Opcode.SHORT_BINUNICODE : Opcode.BINUNICODE;
    sized(shortOpcode, Opcode.BINUNICODE, ByteBuffer.wrap(utf8));
  }

  void key(String key) throws IOException {
    if (key.length() > MAX_KEY) {
      text(key);
    } else if (!recall(key)) {
      text(key);
      remember(key);
    }
  }

  void bytes(ByteBuffer bytes) throws IOException {
    if (protocol >= FRAMED) {
      sized(Opcode.SHORT_BINBYTES, Opcode.BINBYTES, bytes);
    } else if (!bytes.hasRemaining()) {
      global("builtins", "bytes");
      reduce(0);
    } else {
      global("_codecs", "encode");
      latin1(bytes);
      key("latin1");
      reduce(2);
    }
  }

  void byteArray(ByteBuffer bytes) throws IOException {
    if (protocol > FRAMED) {
      header.clear().put((byte) Opcode.BYTEARRAY8).putLong(bytes.remaining());
      out.write(header.flip(), bytes);
      return;
    }
    global("builtins", "bytearray");
    if (bytes.hasRemaining()) {
      bytes(bytes);
      reduce(1);
    } else {
      reduce(0);
    }
  }

  /** Writes an opcode with a one-byte length, or another opcode with a four-byte length. */
  private void sized(int shortOpcode, int opcode, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    header.clear();
    if (length <= BYTE && shortOpcode != opcode) {
      header.put((byte) shortOpcode).put((byte) length);
    } else {
      header.put((byte) opcode).putInt(length);
    }
    out.write(header.flip(), bytes);
  }

  /** Writes each byte b as code point b in UTF-8. */
  private void latin1(ByteBuffer bytes) throws IOException {
    intOp(Opcode.BINUNICODE, (int) (bytes.remaining() + highBytes(bytes)));
    byte[] piece = new byte[Math.min(bytes.remaining(), PIECE)];
    while (bytes.hasRemaining()) {
      int length = Math.min(bytes.remaining(), piece.length);
      bytes.get(piece, 0, length);
      ByteBuffer text = out.room(2 * length + 1);
      byte[] to = text.array();
      int at = text.position();
      for (int i = 0; i < length; i++) { // branch-free: half of the bytes are high, in random order
        int value = piece[i] & BYTE;
        to[at] = LEADS[value];
        to[at + 1] = (byte) (0x80 | value & 0x3f);
        at += 1 + (value >> 7);
      }
      text.position(at);
    }
  }

  private static long highBytes(ByteBuffer bytes) {
    long count = 0;
    int at = bytes.position();
    for (; at <= bytes.limit() - Long.BYTES; at += Long.BYTES) {
      count += Long.bitCount(bytes.getLong(at) & HIGH_BITS);
    }
    for (; at < bytes.limit(); at++) {
      count += bytes.get(at) < 0 ? 1 : 0;
    }
    return count;
  }

  void beginTuple(int size) throws IOException {
    if (size > 3) {
      op(Opcode.MARK);
    }
  }

  void endTuple(int size) throws IOException {
    op(
        switch (size) {
          case 0 -> Opcode.EMPTY_TUPLE;
          case 1 -> Opcode.TUPLE1;
          case 2 -> Opcode.TUPLE2;
          case 3 -> Opcode.TUPLE3;
          default -> Opcode.TUPLE;
        });
  }

  /**
   * Writes a call of the function that precedes the last {@code size} objects, with these objects
   * as its arguments.
   */
  void reduce(int size) throws IOException {
    endTuple(size);
    op(Opcode.REDUCE);
  }

  /** Writes a class or function by its name in Python 3. */
  void global(String module, String name) throws IOException {
    Global global = new Global(module, name);
    if (recall(global)) {
      return;
    }
    if (protocol >= FRAMED) {
      text(module);
      text(name);
      op(Opcode.STACK_GLOBAL);
    } else {
      String line = (module.equals("builtins") ? "__builtin__" : module) + "\n" + name + "\n";
      header.clear().put((byte) Opcode.GLOBAL);
      out.write(header.flip(), ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
    }
    remember(global);
  }

  /**
   * Writes the result of {@code dtype.__reduce__}: version 3 of the state, with the flags of
   * ml_dtypes 0.5.
   */
  void numpyType(NumpyType type) throws IOException {
    if (recall(type)) {
      return;
    }
    boolean bfloat = type.dtype() == DType.BF16;
    boolean sized = type.isText();
    global("numpy", "dtype");
    if (bfloat) {
      global("ml_dtypes", "bfloat16");
    } else {
      text(type.code());
    }
    op(Opcode.NEWFALSE);
    op(Opcode.NEWTRUE);
    reduce(3);
    remember(type);
    int alignment = type.kind() == 'S' ? 1 : type.isUnicode() ? Integer.BYTES : Short.BYTES;
    op(Opcode.MARK);
    integer(3);
    text(type.descr().substring(0, 1));
    op(Opcode.NONE);
    op(Opcode.NONE);
    op(Opcode.NONE);
    integer(sized || bfloat ? type.itemSize() : -1);
    integer(sized || bfloat ? alignment : -1);
    integer(bfloat ? BFLOAT_FLAGS : type.isUnicode() ? UNICODE_FLAGS : 0);
    op(Opcode.TUPLE);
    op(Opcode.BUILD);
  }

  private boolean recall(Object key) throws IOException {
    Integer index = memo.get(key);
    if (index == null) {
      return false;
    }
    if (index <= BYTE) {
      byteOp(Opcode.BINGET, index);
    } else {
      intOp(Opcode.LONG_BINGET, index);
    }
    return true;
  }

  private void remember(Object key) throws IOException {
    int index = memo.size();
    if (index == MAX_MEMO) {
      return;
    }
    memo.put(key, index);
    if (protocol >= FRAMED) {
      op(Opcode.MEMOIZE);
    } else if (index <= BYTE) {
      byteOp(Opcode.BINPUT, index);
    } else {
      intOp(Opcode.LONG_BINPUT, index);
    }
  }
}
