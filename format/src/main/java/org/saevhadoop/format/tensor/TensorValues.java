package org.saevhadoop.format.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.api.PublicApi;

/**
 * The elements of a tensor as numbers, read directly from a buffer without copying. The content of
 * the buffer must not change while values are read.
 */
@PublicApi
public final class TensorValues {
  private final DType dtype;
  private final ByteBuffer bytes;

  private TensorValues(DType dtype, ByteBuffer bytes) {
    this.dtype = dtype;
    this.bytes = bytes;
  }

  /**
   * Returns the little-endian elements between the position and the limit of a buffer.
   *
   * @throws IllegalArgumentException if an element is not a single number of whole bytes, that is,
   *     for the types F4, F6 and C64
   */
  public static TensorValues of(DType dtype, ByteBuffer bytes) {
    if (dtype.bits() % Byte.SIZE != 0 || dtype == DType.C64) {
      throw new IllegalArgumentException("the elements of %s are not numbers".formatted(dtype));
    }
    return new TensorValues(dtype, bytes.slice().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** Returns the number of elements. */
  public int count() {
    return bytes.limit() / (dtype.bits() / Byte.SIZE);
  }

  /** Returns whether all values are integers or booleans. */
  public boolean areIntegers() {
    return switch (dtype) {
      case BOOL, I8, U8, I16, U16, I32, U32, I64, U64 -> true;
      default -> false;
    };
  }

  /**
   * Returns the value of an element. The value is exact, except for 64-bit integers beyond 2^53,
   * which are rounded to the nearest double.
   */
  public double doubleAt(int index) {
    return switch (dtype) {
      case F32 -> bytes.getFloat(index << 2);
      case F64 -> bytes.getDouble(index << 3);
      case F16 -> Float.intBitsToFloat(ToSingle.half(bytes.getShort(index << 1)));
      case BF16 -> Float.intBitsToFloat(bytes.getShort(index << 1) << 16);
      case F8_E8M0, F8_E4M3, F8_E4M3FNUZ, F8_E5M2, F8_E5M2FNUZ ->
          SmallFloat.of(dtype, bytes.get(index));
      case U64 -> ToDouble.unsigned(bytes.getLong(index << 3));
      default -> longAt(index);
    };
  }

  /**
   * Returns the value of an integer or a boolean. For a value of U64 beyond 2^63 - 1, the result is
   * the negative number with the same bits (see {@link Long#toUnsignedString}).
   *
   * @throws IllegalStateException if the values are floats
   */
  public long longAt(int index) {
    return switch (dtype) {
      case BOOL -> bytes.get(index) == 0 ? 0 : 1;
      case I8 -> bytes.get(index);
      case U8 -> bytes.get(index) & 0xff;
      case I16 -> bytes.getShort(index << 1);
      case U16 -> bytes.getShort(index << 1) & 0xffff;
      case I32 -> bytes.getInt(index << 2);
      case U32 -> bytes.getInt(index << 2) & 0xffffffffL;
      case I64, U64 -> bytes.getLong(index << 3);
      default -> throw new IllegalStateException("the values are %s".formatted(dtype));
    };
  }
}
