package org.saevhadoop.format.pickle;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FormatException;

/** What opcodes bring along: numbers, texts and bytes. */
final class Literals {
  /** Bytes that stay in memory. */
  static final int FEW_BYTES = 256;

  /** Bytes of a text that stays in memory; array data of protocols 0 to 2 is a text, too. */
  static final int SHORT_TEXT = 1024;

  private final PickleInput in;
  private final Payloads payloads;
  private final Limits limits;
  private final Budget budget;
  private final Numbers numbers;
  private final String[] recent = new String[256];

  Literals(PickleInput in, Payloads payloads, Limits limits, Budget budget) {
    this.in = in;
    this.payloads = payloads;
    this.limits = limits;
    this.budget = budget;
    this.numbers = new Numbers(in, limits);
  }

  /** The object that {@code opcode} makes of the bytes behind it. */
  Object read(int opcode) throws IOException {
    return switch (opcode) {
      case Opcode.NONE -> null;
      case Opcode.NEWTRUE -> Boolean.TRUE;
      case Opcode.NEWFALSE -> Boolean.FALSE;
      case Opcode.BINUNICODE -> readText(in.readNumber(Integer.BYTES));
      case Opcode.SHORT_BINUNICODE -> readText(in.readByte());
      case Opcode.BINUNICODE8 -> readText(in.readLength());
      case Opcode.UNICODE -> readTextLine();
      case Opcode.BINBYTES -> new Py.Bytes(readData(in.readNumber(Integer.BYTES)));
      case Opcode.SHORT_BINBYTES -> new Py.Bytes(readData(in.readByte()));
      case Opcode.BINBYTES8 -> new Py.Bytes(readData(in.readLength()));
      case Opcode.BYTEARRAY8 -> new Py.ByteArray(readData(in.readLength()));
      case Opcode.STRING -> readQuotedLine();
      case Opcode.BINSTRING -> readAscii((int) in.readNumber(Integer.BYTES));
      case Opcode.SHORT_BINSTRING -> readAscii(in.readByte());
      default -> readNumber(opcode);
    };
  }

  private Object readNumber(int opcode) throws IOException {
    Object number = numbers.read(opcode);
    // the JVM has one object for each byte
    if (!(number instanceof Long integer && integer == integer.byteValue())) {
      budget.take(Budget.NUMBER + (number instanceof BigInteger large ? large.bitLength() / 4 : 0));
    }
    return number;
  }

  private Object readText(long length) throws IOException {
    if (length <= SHORT_TEXT) {
      return shortText(in.readBytes((int) length), Data.Form.UTF8);
    }
    TextScan scan = new TextScan.Utf8(in, null);
    long position = payloads.begin(in.position());
    in.readPieces(
        length,
        piece -> {
          scan.take(piece.duplicate());
          payloads.append(piece);
        });
    return longText(position, length, Data.Form.UTF8, scan);
  }

  private Object shortText(byte[] bytes, Data.Form form) throws FormatException {
    StringBuilder text = new StringBuilder(bytes.length);
    TextScan scan = scan(form, text);
    scan.take(ByteBuffer.wrap(bytes));
    scan.end();
    if (scan.isPairSplit()) {
      budget.take(Budget.BYTES + bytes.length);
      return new Py.Text(new Data(bytes, 0, bytes.length, form));
    }
    return kept(text.toString(), scan);
  }

  /** The same object for a text that came not long ago, as keys do where a pickle has no memo. */
  private String kept(String text, TextScan scan) throws FormatException {
    int place = text.hashCode() & recent.length - 1;
    if (!text.equals(recent[place])) {
      int width = scan.latin1Length() < 0 ? Character.BYTES : 1;
      budget.take(Budget.TEXT + (long) text.length() * width);
      recent[place] = text;
    }
    return recent[place];
  }

  private TextScan scan(Data.Form form, StringBuilder text) {
    return form == Data.Form.UTF8 ? new TextScan.Utf8(in, text) : new TextScan.Escaped(in, text);
  }

  private Py.Text longText(long position, long length, Data.Form form, TextScan scan)
      throws FormatException {
    scan.end();
    budget.take(Budget.BYTES);
    return new Py.Text(new Data(null, position, length, form, scan.latin1Length()));
  }

  private Object readTextLine() throws IOException {
    TextLine line = new TextLine();
    in.readLine(limits.lineBytes(), line);
    return line.text();
  }

  /** A line whose length is not known before its end. */
  private final class TextLine implements PickleInput.Sink {
    private final ByteBuffer head = ByteBuffer.allocate(SHORT_TEXT);
    private final long begin = in.position();
    private TextScan scan;
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
        scan = scan(Data.Form.RAW_UNICODE_ESCAPE, null);
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
        return longText(position, length, Data.Form.RAW_UNICODE_ESCAPE, scan);
      }
      byte[] bytes = new byte[head.position()];
      head.flip().get(bytes);
      return shortText(bytes, Data.Form.RAW_UNICODE_ESCAPE);
    }
  }

  private Data readData(long length) throws IOException {
    budget.take(Budget.BYTES + Math.min(length, FEW_BYTES));
    if (length <= FEW_BYTES) {
      return Data.of(in.readBytes((int) length));
    }
    long position = payloads.begin(in.position());
    in.readPieces(length, payloads::append);
    return Data.raw(position, length);
  }

  /** A {@code str} of Python 2. */
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
    budget.take(Budget.BYTES);
    return new Py.Text(new Data(null, position, length, Data.Form.UTF8, length));
  }

  private Object ascii(byte[] bytes) throws FormatException {
    checkAscii(ByteBuffer.wrap(bytes));
    return shortText(bytes, Data.Form.UTF8);
  }

  private void checkAscii(ByteBuffer bytes) throws FormatException {
    while (bytes.hasRemaining()) {
      in.check(
          bytes.get() >= 0,
          PickleError.BAD_PICKLE,
          "a str of Python 2 that is not ASCII (bytes of Python 3, or a unicode)");
    }
  }

  private Object readQuotedLine() throws IOException {
    return ascii(Quoted.unquote(in, Numbers.readLine(in, SHORT_TEXT)));
  }
}
