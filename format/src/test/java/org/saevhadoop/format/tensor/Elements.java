package org.saevhadoop.format.tensor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Elements as their bits, one a long. */
final class Elements {
  private Elements() {}

  static ByteBuffer bytes(DType type, long... bits) {
    int width = type.bits() / 8;
    ByteBuffer buffer = ByteBuffer.allocate(bits.length * width).order(ByteOrder.LITTLE_ENDIAN);
    for (long element : bits) {
      switch (width) {
        case 1 -> buffer.put((byte) element);
        case 2 -> buffer.putShort((short) element);
        case 4 -> buffer.putInt((int) element);
        default -> buffer.putLong(element);
      }
    }
    return buffer.flip();
  }

  static long[] bits(DType type, ByteBuffer bytes) {
    int width = type.bits() / 8;
    ByteBuffer buffer = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    long[] bits = new long[buffer.remaining() / width];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          switch (width) {
            case 1 -> buffer.get() & 0xffL;
            case 2 -> buffer.getShort() & 0xffffL;
            case 4 -> buffer.getInt() & 0xffffffffL;
            default -> buffer.getLong();
          };
    }
    return bits;
  }

  static ByteBuffer converted(DTypeConversion conversion, ByteBuffer source) {
    int count = source.remaining() / (conversion.from().bits() / 8);
    ByteBuffer result = ByteBuffer.allocate(count * (conversion.to().bits() / 8));
    conversion.convert(source.duplicate(), result);
    return result.flip();
  }

  /** What becomes of the elements with these bits. */
  static long[] converted(DTypeConversion conversion, long... bits) {
    return bits(conversion.to(), converted(conversion, bytes(conversion.from(), bits)));
  }

  /** The integer with these bits. */
  static BigDecimal integer(DType type, long bits) {
    boolean signed = type.name().startsWith("I");
    int unused = Long.SIZE - type.bits();
    if (signed) {
      return new BigDecimal(bits << unused >> unused);
    }
    return new BigDecimal(new BigInteger(Long.toUnsignedString(bits << unused >>> unused)));
  }
}
