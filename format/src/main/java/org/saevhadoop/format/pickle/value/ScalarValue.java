package org.saevhadoop.format.pickle.value;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.TensorValues;

/** Lossless conversion of numpy scalars to numbers or text. */
public final class ScalarValue {
  private static final int HALF_BIAS = 15;
  private static final int HALF_MANTISSA = 10;
  private static final int HALF_SMALLEST_EXPONENT = -14;
  private static final int HALF_INFINITY = 0x7c00;

  private ScalarValue() {}

  /**
   * Returns the scalar as a Boolean, Long, BigInteger, Double or String, or its bytes if no such
   * value represents all bits.
   */
  static Object of(NumpyType type, byte[] bytes) {
    Object value = number(type, bytes);
    return value != null && Arrays.equals(bytes(type, value), bytes)
        ? value
        : new PythonValue.Bytes(PayloadData.of(bytes));
  }

  /** Returns the bytes of a value that {@link #of} returned; null if it does not fit the type. */
  static byte @Nullable [] bytes(NumpyType type, @Nullable Object value) {
    if (value instanceof PythonValue.Bytes bytes) {
      return bytes.data().length() == type.itemSize() ? bytes.data().inline() : null;
    }
    return switch (type.kind()) {
      case 'b' -> value instanceof Boolean truth ? new byte[] {(byte) (truth ? 1 : 0)} : null;
      case 'i', 'u' -> integer(type, value);
      case 'f', 'V' -> value instanceof Double number ? real(type, number) : null;
      case 'U' -> value instanceof String text ? unicode(type, text) : null;
      default -> null;
    };
  }

  /** Like {@link #of}, but returns the value even if it does not represent all bits of a NaN. */
  public static @Nullable Object number(NumpyType type, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return switch (type.kind()) {
      case 'b' -> bytes[0] != 0;
      case 'i' -> PyNumbers.integer(new BigInteger(PyNumbers.reversed(bytes)));
      case 'u' -> PyNumbers.integer(new BigInteger(1, PyNumbers.reversed(bytes)));
      case 'f', 'V' -> real(type, in);
      case 'U' -> unicode(in);
      default -> null;
    };
  }

  private static byte @Nullable [] integer(NumpyType type, @Nullable Object value) {
    if (!(value instanceof Long || value instanceof BigInteger)) {
      return null;
    }
    BigInteger number = PyNumbers.big(value);
    int bits = type.itemSize() * Byte.SIZE;
    boolean fits =
        type.kind() == 'i'
            ? number.bitLength() < bits
            : number.signum() >= 0 && number.bitLength() <= bits;
    if (!fits) {
      return null;
    }
    byte[] bytes = new byte[type.itemSize()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = number.shiftRight(i * Byte.SIZE).byteValue();
    }
    return bytes;
  }

  private static byte @Nullable [] real(NumpyType type, double number) {
    ByteBuffer out = ByteBuffer.allocate(type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
    if (type.itemSize() == Double.BYTES) {
      out.putDouble(0, number);
    } else if (type.itemSize() == Float.BYTES) {
      out.putFloat(0, (float) number);
    } else if (type.dtype() == DType.BF16) {
      out.putShort(0, (short) (Float.floatToRawIntBits((float) number) >> Short.SIZE));
    } else {
      out.putShort(0, half(number));
    }
    // Java does not specify the payload of a NaN that is widened or narrowed
    boolean odd =
        Double.isNaN(number)
            && type.itemSize() < Double.BYTES
            && Double.doubleToRawLongBits(number) != PyJson.NAN_BITS;
    return Double.compare(real(type, out), number) == 0 && !odd ? out.array() : null;
  }

  private static double real(NumpyType type, ByteBuffer bytes) {
    return TensorValues.of(Objects.requireNonNull(type.dtype()), bytes).doubleAt(0);
  }

  /**
   * Returns the half-precision form of a number; the result is arbitrary if the number has no such
   * form.
   */
  private static short half(double number) {
    int sign = Double.doubleToRawLongBits(number) < 0 ? 0x8000 : 0;
    double size = Math.abs(number);
    int exponent = Math.getExponent(number);
    if (Double.isNaN(number)) {
      return (short) (HALF_INFINITY | 0x200);
    }
    if (exponent > HALF_BIAS) {
      return (short) (sign | HALF_INFINITY);
    }
    if (exponent < HALF_SMALLEST_EXPONENT) {
      return (short) (sign | (int) Math.scalb(size, HALF_MANTISSA - HALF_SMALLEST_EXPONENT));
    }
    int mantissa = (int) Math.scalb(size, HALF_MANTISSA - exponent) & 0x3ff;
    return (short) (sign | exponent + HALF_BIAS << HALF_MANTISSA | mantissa);
  }

  private static @Nullable String unicode(ByteBuffer in) {
    StringBuilder text = new StringBuilder();
    int zeros = 0;
    while (in.remaining() >= Integer.BYTES) {
      int code = in.getInt();
      if (!Character.isValidCodePoint(code)) {
        return null;
      }
      zeros = code == 0 ? zeros + 1 : 0;
      text.appendCodePoint(code);
    }
    text.setLength(text.length() - zeros);
    return text.toString();
  }

  private static byte @Nullable [] unicode(NumpyType type, String text) {
    if ((long) text.codePointCount(0, text.length()) * Integer.BYTES > type.itemSize()) {
      return null;
    }
    ByteBuffer out = ByteBuffer.allocate(type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
    text.codePoints().forEach(out::putInt);
    return out.array();
  }
}
