package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Opcodes that contain their value: numbers, text strings and byte strings. */
final class LiteralOpcodes {
  /** Maximum size in bytes of byte strings that are kept in memory. */
  static final int FEW_BYTES = 256;

  /**
   * Maximum size in bytes of text strings that are kept in memory; the array data of protocols 0 to
   * 2 is text too.
   */
  static final int SHORT_TEXT = 1024;

  private final PickleInput in;
  private final PayloadStore payloads;
  private final PickleLimits limits;
  private final MemoryBudget budget;
  private final NumberOpcodes numbers;
  private final String[] recent = new String[256];

  LiteralOpcodes(
      PickleInput in,
      PayloadStore payloads,
      PickleLimits limits,
      MemoryBudget budget,
      NumberOpcodes numbers) {
    this.in = in;
    this.payloads = payloads;
    this.limits = limits;
    this.budget = budget;
    this.numbers = numbers;
  }

  /** Reads the object of an opcode. */
  @Nullable Object read(int opcode) throws IOException {
    return switch (opcode) {
      case Opcode.NONE -> null;
      case Opcode.NEWTRUE -> Boolean.TRUE;
      case Opcode.NEWFALSE -> Boolean.FALSE;
      case Opcode.BINUNICODE -> readText(in.readNumber(Integer.BYTES));
      case Opcode.SHORT_BINUNICODE -> readText(in.readByte());
      case Opcode.BINUNICODE8 -> readText(in.readLength());
      case Opcode.UNICODE -> readTextLine();
      case Opcode.BINBYTES -> new PythonValue.Bytes(readData(in.readNumber(Integer.BYTES)));
      case Opcode.SHORT_BINBYTES -> new PythonValue.Bytes(readData(in.readByte()));
      case Opcode.BINBYTES8 -> new PythonValue.Bytes(readData(in.readLength()));
      case Opcode.BYTEARRAY8 -> new PythonValue.ByteArray(readData(in.readLength()));
      case Opcode.STRING ->
          ascii(QuotedLiterals.unquote(in, NumberOpcodes.readLine(in, SHORT_TEXT)));
      case Opcode.BINSTRING -> readAscii((int) in.readNumber(Integer.BYTES));
      case Opcode.SHORT_BINSTRING -> readAscii(in.readByte());
      default -> readNumber(opcode);
    };
  }

  private Object readNumber(int opcode) throws IOException {
    Object number = numbers.read(opcode);
    // the JVM caches the objects of byte values
    if (!(number instanceof Long integer && integer == integer.byteValue())) {
      budget.take(
          MemoryBudget.NUMBER + (number instanceof BigInteger large ? large.bitLength() / 4 : 0));
    }
    return number;
  }

  private Object readText(long length) throws IOException {
    if (length <= SHORT_TEXT) {
      return shortText(in.readBytes((int) length), PayloadData.Form.UTF8);
    }
    TextScan scan = new TextScan.Utf8(in, null);
    long position = payloads.begin(in.position());
    in.readPieces(
        length,
        piece -> {
          scan.take(piece.duplicate());
          payloads.append(piece);
        });
    return longText(position, length, PayloadData.Form.UTF8, scan);
  }

  private Object shortText(byte[] bytes, PayloadData.Form form) throws FormatException {
    StringBuilder text = new StringBuilder(bytes.length);
    TextScan scan = scan(form, text);
    scan.take(ByteBuffer.wrap(bytes));
    scan.end();
    if (scan.isPairSplit()) {
      budget.take(MemoryBudget.BYTES + bytes.length);
      return new PythonValue.Text(new PayloadData(bytes, 0, bytes.length, form));
    }
    return kept(text.toString(), scan);
  }

  /**
   * Returns the same object for equal recent strings, such as the keys in pickles without a memo.
   */
  private String kept(String text, TextScan scan) throws FormatException {
    int slot = text.hashCode() & recent.length - 1;
    if (!text.equals(recent[slot])) {
      int width = scan.latin1Length() < 0 ? Character.BYTES : 1;
      budget.take(MemoryBudget.TEXT + (long) text.length() * width);
      recent[slot] = text;
    }
    return recent[slot];
  }

  private TextScan scan(PayloadData.Form form, @Nullable StringBuilder text) {
    return form == PayloadData.Form.UTF8
        ? new TextScan.Utf8(in, text)
        : new TextScan.Escaped(in, text);
  }

  private PythonValue.Text longText(
      long position, long length, PayloadData.Form form, TextScan scan) throws FormatException {
    scan.end();
    budget.take(MemoryBudget.BYTES);
    return new PythonValue.Text(new PayloadData(null, position, length, form, scan.latin1Length()));
  }

  private Object readTextLine() throws IOException {
    TextLine line = new TextLine();
    in.readLine(limits.lineBytes(), line);
    return line.text();
  }

  /** A line of unknown length. */
  private final class TextLine implements ArrayBytes.Sink {
    private final ByteBuffer head = ByteBuffer.allocate(SHORT_TEXT);
    private final long begin = in.position();
    private @Nullable TextScan scan;
    private long position;
    private long length;

    @Override
    public void take(ByteBuffer piece) throws IOException {
      length += piece.remaining();
      if (scan == null && length <= SHORT_TEXT) {
        head.put(piece);
        return;
      }
      if (scan == null) {
        scan = scan(PayloadData.Form.RAW_UNICODE_ESCAPE, null);
        position = payloads.begin(begin);
        head.flip();
        scan.take(head.duplicate());
        payloads.append(head);
      }
      scan.take(piece.duplicate());
      payloads.append(piece);
    }

    Object text() throws IOException {
      if (scan != null) {
        return longText(position, length, PayloadData.Form.RAW_UNICODE_ESCAPE, scan);
      }
      byte[] bytes = new byte[head.position()];
      head.flip().get(bytes);
      return shortText(bytes, PayloadData.Form.RAW_UNICODE_ESCAPE);
    }
  }

  private PayloadData readData(long length) throws IOException {
    budget.take(MemoryBudget.BYTES + Math.min(length, FEW_BYTES));
    if (length <= FEW_BYTES) {
      long begin = in.position();
      return PayloadData.of(in.readBytes((int) length), begin);
    }
    long position = payloads.begin(in.position());
    if (payloads.isAppended()) {
      in.readPieces(length, payloads::append);
    } else {
      in.skipPieces(length);
    }
    return PayloadData.raw(position, length);
  }

  /** Reads a {@code str} of Python 2. */
  private Object readAscii(int length) throws IOException {
    in.check(length >= 0, PickleError.LIMIT_EXCEEDED, "a length of %d bytes", length);
    if (length <= SHORT_TEXT) {
      return ascii(in.readBytes(length));
    }
    long position = payloads.begin(in.position());
    in.readPieces(
        length,
        piece -> {
          checkAscii(piece.duplicate());
          payloads.append(piece);
        });
    budget.take(MemoryBudget.BYTES);
    return new PythonValue.Text(
        new PayloadData(null, position, length, PayloadData.Form.UTF8, length));
  }

  private Object ascii(byte[] bytes) throws FormatException {
    checkAscii(ByteBuffer.wrap(bytes));
    return shortText(bytes, PayloadData.Form.UTF8);
  }

  private void checkAscii(ByteBuffer bytes) throws FormatException {
    while (bytes.hasRemaining()) {
      in.check(
          bytes.get() >= 0,
          "a Python 2 str that is not ASCII (expected Python 3 bytes, or unicode)");
    }
  }
}
