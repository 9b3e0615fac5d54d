package org.saevhadoop.format.gather;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;

/**
 * A file of big-endian numbers presented as a file of little-endian numbers, or vice versa: the
 * bytes of each number are reversed.
 *
 * @param file the file, which is closed with this one; its length is a multiple of the size of a
 *     number
 * @param unit the length of a number in bytes: 2, 4 or 8
 */
public record SwappedInput(Input file, int unit) implements Input.Filter {
  public SwappedInput {
    if (unit != Short.BYTES && unit != Integer.BYTES && unit != Long.BYTES) {
      throw new IllegalArgumentException("numbers of " + unit + " bytes");
    }
  }

  /**
   * Returns an array in little-endian order.
   *
   * @param file the elements of the array, from the beginning of the file
   * @param unit the number of bytes that are reversed together; 1 if the file needs no change
   */
  public static Input of(Input file, int unit) {
    return unit == 1 ? file : new SwappedInput(file, unit);
  }

  @Override
  public void readFully(long position, ByteBuffer dst) throws IOException {
    FileError.checkRead(this, position, dst);
    int skipped = (int) (position % unit);
    int head = skipped == 0 ? 0 : Math.min(dst.remaining(), unit - skipped);
    int whole = (dst.remaining() - head) / unit * unit;
    readPart(position, head, dst);
    ByteBuffer numbers = dst.slice(dst.position(), whole);
    file.readFully(position + head, numbers);
    reverse(numbers);
    dst.position(dst.position() + whole);
    readPart(position + head + whole, dst.remaining(), dst);
  }

  /** Reads a part of the bytes of one number. */
  private void readPart(long position, int count, ByteBuffer dst) throws IOException {
    if (count > 0) {
      int skipped = (int) (position % unit);
      ByteBuffer number = ByteBuffer.allocate(unit);
      file.readFully(position - skipped, number);
      reverse(number);
      dst.put(number.array(), skipped, count);
    }
  }

  private void reverse(ByteBuffer numbers) {
    int end = numbers.capacity();
    switch (unit) {
      case Short.BYTES -> {
        for (int i = 0; i < end; i += Short.BYTES) {
          numbers.putShort(i, Short.reverseBytes(numbers.getShort(i)));
        }
      }
      case Integer.BYTES -> {
        for (int i = 0; i < end; i += Integer.BYTES) {
          numbers.putInt(i, Integer.reverseBytes(numbers.getInt(i)));
        }
      }
      default -> {
        for (int i = 0; i < end; i += Long.BYTES) {
          numbers.putLong(i, Long.reverseBytes(numbers.getLong(i)));
        }
      }
    }
  }
}
