package org.saevhadoop.format.tokens;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.io.Output;

/** Copies the values of arrays, in pieces, as little-endian int64. */
public final class TokenCopy {
  /** Size of a piece, large enough to make the cost of a call negligible. */
  private static final int PIECE_BYTES = 1 << 20;

  private TokenCopy() {}

  /**
   * Appends the values of consecutive examples, in the order {@code [example, token]}.
   *
   * @param array the index of the array among the names
   */
  public static void copy(TokenArrays arrays, int array, long first, long count, Output out)
      throws IOException {
    int bytes = Math.multiplyExact(arrays.tokens(), Long.BYTES);
    int atOnce = (int) Math.max(1, Math.min(count, PIECE_BYTES / bytes));
    ByteBuffer piece = ByteBuffer.allocate(atOnce * bytes).order(ByteOrder.LITTLE_ENDIAN);
    try (TokenReader reader = arrays.open()) {
      for (long done = 0; done < count; done += atOnce) {
        piece.clear().limit((int) Math.min(atOnce, count - done) * bytes);
        reader.read(array, first + done, piece.asLongBuffer());
        out.write(piece);
      }
    }
  }

  /** Appends {@link TokenArrays#PADDING} for a number of examples. */
  public static void pad(TokenArrays arrays, long count, Output out) throws IOException {
    long values = count * arrays.tokens();
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(values * Long.BYTES, PIECE_BYTES));
    while (piece.hasRemaining()) {
      piece.putLong(TokenArrays.PADDING);
    }
    for (long left = values * Long.BYTES; left > 0; left -= piece.limit()) {
      piece.clear().limit((int) Math.min(left, piece.capacity()));
      out.write(piece);
    }
  }
}
