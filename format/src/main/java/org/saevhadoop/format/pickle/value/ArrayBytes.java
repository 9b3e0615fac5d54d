package org.saevhadoop.format.pickle.value;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Input;

/**
 * Reads array elements in C order and in little-endian form, regardless of their order in the
 * pickle, with bounded memory. Instances are not thread-safe.
 */
public final class ArrayBytes {
  /**
   * Consumer of consecutive bytes. It must consume all of {@code piece}, which is reused
   * afterwards.
   */
  public interface Sink {
    void take(ByteBuffer piece) throws IOException;
  }

  /** Maximum size of a piece in bytes. */
  static final int PIECE = 1 << 20;

  private static final int PIECES_OF_A_BLOCK = 8;
  private static final int READ_PIECE = 1 << 12;

  private final PayloadStore payloads;
  private final int capacity;
  private @Nullable ByteBuffer piece;
  private @Nullable ByteBuffer scratch;
  private @Nullable ByteBuffer block;

  /**
   * Creates a reader with pieces of at most 1 MiB.
   *
   * @param payloads the payloads of the pickle that contains the arrays. For an array that is
   *     stored as text (protocols 0 to 2) in an order other than C order, the decoded bytes are
   *     added to these payloads
   */
  public ArrayBytes(PayloadStore payloads) {
    this(payloads, PIECE);
  }

  /**
   * Creates a reader.
   *
   * @param capacity the maximum size of a piece in bytes, a multiple of the largest element size
   */
  public ArrayBytes(PayloadStore payloads, int capacity) {
    this.payloads = payloads;
    this.capacity = capacity;
  }

  /** Passes all elements to the sink, in pieces of whole elements of at most 1 MiB. */
  public void copy(PythonValue.NumpyArray array, Sink sink) throws IOException {
    if (array.bytes() == 0) {
      return;
    }
    int unit = array.type().bigEndian() ? array.type().swapUnit() : 1;
    Sink swapped =
        bytes -> {
          swap(bytes, unit);
          sink.take(bytes);
        };
    if (array.isRowMajor()) {
      decode(array.data(), swapped);
    } else {
      PayloadData raw =
          array.data().form() == PayloadData.Form.RAW ? array.data() : decoded(array.data());
      // a larger buffer for reordered elements allows longer reads
      block = cleared(block, (int) Math.min(array.bytes(), (long) capacity * PIECES_OF_A_BLOCK));
      scratch = cleared(scratch, capacity);
      new StridedCopy(array, (at, dst) -> readRaw(raw, at, dst), block, scratch)
          .copy(bytes -> handOn(bytes, swapped));
    }
  }

  private PayloadData decoded(PayloadData data) throws IOException {
    long position = payloads.begin(PayloadStore.MADE);
    decode(data, payloads::append);
    return PayloadData.raw(position, data.rawLength());
  }

  /** Returns a cleared buffer: the given one if it is large enough. */
  private static ByteBuffer cleared(@Nullable ByteBuffer buffer, int bytes) {
    return buffer == null || buffer.capacity() < bytes ? Input.buffer(bytes) : buffer.clear();
  }

  private void handOn(ByteBuffer bytes, Sink sink) throws IOException {
    for (int at = 0; at < bytes.limit(); at += capacity) {
      sink.take(bytes.slice(at, Math.min(capacity, bytes.limit() - at)));
    }
  }

  private void decode(PayloadData data, Sink sink) throws IOException {
    piece = cleared(piece, capacity);
    if (data.form() == PayloadData.Form.RAW) {
      for (long at = 0; at < data.length(); at += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), data.length() - at));
        readRaw(data, at, piece);
        sink.take(piece.flip());
      }
      return;
    }
    Latin1Decoder decoder = new Latin1Decoder(data.form());
    scratch = cleared(scratch, capacity);
    ByteBuffer encoded = scratch;
    for (long at = 0; at < data.length(); at += encoded.limit()) {
      encoded.clear().limit((int) Math.min(encoded.capacity(), data.length() - at));
      readRaw(data, at, encoded);
      encoded.flip();
      while (encoded.hasRemaining()) {
        decoder.decode(encoded, piece);
        if (!piece.hasRemaining()) {
          sink.take(piece.flip());
          piece.clear();
        }
      }
    }
    decoder.end(piece);
    if (piece.position() > 0) {
      sink.take(piece.flip());
    }
  }

  private void readRaw(PayloadData data, long at, ByteBuffer dst) throws IOException {
    if (data.inline() == null) {
      payloads.read(data.position() + at, dst);
    } else {
      dst.put(data.inline(), (int) at, dst.remaining());
    }
  }

  /** Decodes {@code data} and returns all of its bytes. Callers must limit the size beforehand. */
  public static byte[] read(PayloadData data, PayloadStore payloads) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) data.rawLength());
    ArrayBytes reader = new ArrayBytes(payloads, READ_PIECE);
    reader.piece = ByteBuffer.allocate(READ_PIECE);
    reader.scratch = ByteBuffer.allocate(READ_PIECE);
    reader.decode(data, bytes::put);
    return bytes.array();
  }

  /**
   * Returns elements in C order.
   *
   * @param bytes the elements in the order of the array
   */
  public static byte[] rowMajor(PythonValue.NumpyArray array, byte[] bytes) throws IOException {
    if (array.isRowMajor() || bytes.length == 0) {
      return bytes;
    }
    ByteBuffer ordered = ByteBuffer.allocate(bytes.length);
    int capacity = Math.min(bytes.length, PIECE);
    StridedCopy copy =
        new StridedCopy(
            array,
            (at, dst) -> dst.put(bytes, (int) at, dst.remaining()),
            ByteBuffer.allocate(capacity),
            ByteBuffer.allocate(capacity));
    copy.copy(ordered::put);
    return ordered.array();
  }

  /** Reverses the bytes of each unit in the remaining bytes of a buffer. */
  public static void swap(ByteBuffer bytes, int unit) {
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
