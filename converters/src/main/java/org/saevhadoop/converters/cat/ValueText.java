package org.saevhadoop.converters.cat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.SmallFloat;

/**
 * Formats values as text that identifies them exactly. Floating-point values have the form that
 * {@link Float#toString(float)} and {@link Double#toString(double)} produce.
 */
final class ValueText {
  private final DType dtype;
  private final @Nullable DTypeConversion widening;
  private final boolean json;

  /**
   * Creates a formatter.
   *
   * @param json whether NaN and infinities, which JSON numbers cannot represent, are printed as
   *     strings
   * @throws FormatException if the type is packed
   */
  ValueText(String path, DType dtype, boolean json) throws FormatException {
    DatasetError.NOT_CONVERTIBLE.check(
        dtype.bits() % Byte.SIZE == 0,
        path,
        "has the type %s, whose values cannot be printed as numbers (expected --format hex or bin)",
        dtype.numpyName());
    boolean half = dtype == DType.F16 || dtype == DType.BF16;
    this.dtype = dtype;
    this.widening = half ? DTypeConversion.of(dtype, DType.F32) : null;
    this.json = json;
  }

  /** Returns all values in {@code bytes}, little-endian, with {@code separator} between them. */
  String join(ByteBuffer bytes, String separator) {
    ByteBuffer numbers = widening == null ? bytes : widened(widening, bytes);
    numbers.order(ByteOrder.LITTLE_ENDIAN);
    StringBuilder out = new StringBuilder();
    while (numbers.hasRemaining()) {
      out.append(out.isEmpty() ? "" : separator);
      append(numbers, out);
    }
    return out.toString();
  }

  private static ByteBuffer widened(DTypeConversion widening, ByteBuffer halves) {
    ByteBuffer floats = ByteBuffer.allocate(halves.remaining() * 2);
    floats.order(ByteOrder.LITTLE_ENDIAN);
    widening.convert(halves, floats);
    return floats.flip();
  }

  private void append(ByteBuffer numbers, StringBuilder out) {
    switch (dtype) {
      case BOOL -> out.append(numbers.get() != 0);
      case I8 -> out.append(numbers.get());
      case U8 -> out.append(Byte.toUnsignedInt(numbers.get()));
      case I16 -> out.append(numbers.getShort());
      case U16 -> out.append(Short.toUnsignedInt(numbers.getShort()));
      case I32 -> out.append(numbers.getInt());
      case U32 -> out.append(Integer.toUnsignedString(numbers.getInt()));
      case I64 -> out.append(numbers.getLong());
      case U64 -> out.append(Long.toUnsignedString(numbers.getLong()));
      case F64 -> {
        double value = numbers.getDouble();
        quote(Double.toString(value), Double.isFinite(value), out);
      }
      case F16, BF16, F32 -> single(numbers.getFloat(), out);
      case C64 -> complex(numbers.getFloat(), numbers.getFloat(), out);
      default -> single(SmallFloat.of(dtype, numbers.get()), out);
    }
  }

  private void single(float value, StringBuilder out) {
    quote(Float.toString(value), Float.isFinite(value), out);
  }

  private void quote(String number, boolean finite, StringBuilder out) {
    out.append(json && !finite ? '"' + number + '"' : number);
  }

  /**
   * Appends a complex number: in JSON, as an array of two numbers; otherwise, in the form 1.0+2.0j.
   */
  private void complex(float real, float imaginary, StringBuilder out) {
    out.append(json ? "[" : "");
    single(real, out);
    boolean minus = Float.floatToRawIntBits(imaginary) < 0 && imaginary == imaginary;
    out.append(json ? "," : minus ? "" : "+");
    single(imaginary, out);
    out.append(json ? "]" : "j");
  }
}
