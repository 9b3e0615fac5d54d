package org.saevhadoop.format.pickle;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the elements of arrays in C's order and little-endian, whatever their order in the pickle,
 * in little memory. For one thread.
 */
public final class ArrayBytes {
  /** Takes bytes that follow one another, all of {@code piece}, which is then used again. */
  public interface Sink {
    void take(ByteBuffer piece) throws IOException;
  }

  /** Bytes of the largest piece. */
  static final int PIECE = 1 << 20;

  private final Payloads payloads;
  private ByteBuffer piece;
  private ByteBuffer encoded;

  /**
   * @param payloads of the pickle that the arrays are of. Of an array that came as a text
   *     (protocols 0 to 2) in an order that is not C's, they get the decoded bytes as well
   */
  public ArrayBytes(Payloads payloads) {
    this.payloads = payloads;
  }

  /** Hands on all elements, in pieces of whole elements, of at most 1 MiB. */
  public void copy(Py.NumpyArray array, Sink sink) throws IOException {
    if (piece == null) {
      piece = ByteBuffer.allocateDirect(PIECE);
    }
    int unit = array.type().bigEndian() ? swapUnit(array.type()) : 1;
    Sink swapped =
        bytes -> {
          swap(bytes, unit);
          sink.take(bytes);
        };
    if (array.bytes() == 0) {
      return;
    }
    if (array.isRowMajor()) {
      decode(array.data(), swapped);
    } else {
      Data raw = array.data().form() == Data.Form.RAW ? array.data() : decoded(array.data());
      new StridedCopy(array, (at, dst) -> readRaw(raw, at, dst), piece).copy(swapped);
    }
  }

  private Data decoded(Data data) throws IOException {
    long position = payloads.begin(data.position());
    decode(data, payloads::append);
    return Data.raw(position, data.rawLength());
  }

  private void decode(Data data, Sink sink) throws IOException {
    if (data.form() == Data.Form.RAW) {
      for (long at = 0; at < data.length(); at += piece.limit()) {
        piece.clear().limit((int) Math.min(PIECE, data.length() - at));
        readRaw(data, at, piece);
        sink.take(piece.flip());
      }
      return;
    }
    if (encoded == null) {
      encoded = ByteBuffer.allocateDirect(PIECE);
    }
    Latin1Decoder decoder = new Latin1Decoder(data.form());
    piece.clear();
    for (long at = 0; at < data.length(); at += encoded.limit()) {
      encoded.clear().limit((int) Math.min(PIECE, data.length() - at));
      readRaw(data, at, encoded);
      encoded.flip();
      while (encoded.hasRemaining()) {
        decoder.decode(encoded, piece);
        handOn(sink);
      }
    }
    decoder.end(piece);
    sink.take(piece.flip());
  }

  private void handOn(Sink sink) throws IOException {
    if (!piece.hasRemaining()) {
      sink.take(piece.flip());
      piece.clear();
    }
  }

  private void readRaw(Data data, long at, ByteBuffer dst) throws IOException {
    if (data.inline() == null) {
      payloads.read(data.position() + at, dst);
    } else {
      dst.put(data.inline(), (int) at, dst.remaining());
    }
  }

  /** All bytes of {@code data}, decoded; the caller has made sure that they are few. */
  static byte[] read(Data data, Payloads payloads) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) data.rawLength());
    ArrayBytes reader = new ArrayBytes(payloads);
    reader.piece = ByteBuffer.allocate(bytes.capacity() + 1);
    reader.decode(data, bytes::put);
    return bytes.array();
  }

  /** Bytes that change places in a big-endian element: a complex number has two parts. */
  static int swapUnit(Py.NumpyType type) {
    return switch (type.kind()) {
      case 'c' -> type.itemSize() / 2;
      case 'U' -> Integer.BYTES;
      case 'S' -> 1;
      default -> type.itemSize();
    };
  }

  /** Turns each unit of a buffer's remaining bytes around. */
  static void swap(ByteBuffer bytes, int unit) {
    switch (unit) {
      case 1 -> {}
      case Short.BYTES -> {
        for (int at = bytes.position(); at < bytes.limit(); at += unit) {
          bytes.putShort(at, Short.reverseBytes(bytes.getShort(at)));
        }
      }
      case Integer.BYTES -> {
        for (int at = bytes.position(); at < bytes.limit(); at += unit) {
          bytes.putInt(at, Integer.reverseBytes(bytes.getInt(at)));
        }
      }
      default -> {
        for (int at = bytes.position(); at < bytes.limit(); at += unit) {
          bytes.putLong(at, Long.reverseBytes(bytes.getLong(at)));
        }
      }
    }
  }
}
