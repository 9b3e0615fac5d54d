package org.saevhadoop.converters.sharedoptions;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/**
 * A type of stored values with an arithmetic of its own: each value of these types is a double, and
 * each double is rounded to the nearest value of a type, or to the even one of two.
 */
enum StoredType {
  F8_E4M3(1, "|V1", "float8_e4m3fn", 0, "", 4, -6),
  F8_E5M2(1, "|V1", "float8_e5m2", 0, "", 3, -14),
  F16(2, "<f2", "float16", 3, "Half", 11, -14),
  BF16(2, "<V2", "bfloat16", 17, "BFloat16", 8, -126),
  F32(4, "<f4", "float32", 5, "Float", 24, -126),
  F64(8, "<f8", "float64", 6, "Double", 53, -1022),
  I16(2, "<i2", "int16", 8, "Short", 16, 0);

  static final List<StoredType> FLOATS = List.of(F16, BF16, F32, F64);

  /** Bytes of a value. */
  final int width;

  /** The descr of a header of numpy. */
  final String descr;

  /** The name in numpy or ml_dtypes. */
  final String numpy;

  /** The number in SameDiff's graph.fbs; 0 if SameDiff lacks the type. */
  final int sameDiff;

  /** The class of torch's storages, without its ending; empty if the type has none. */
  final String torch;

  private final int precision;
  private final int minExponent;

  StoredType(
      int width,
      String descr,
      String numpy,
      int sameDiff,
      String torch,
      int precision,
      int minExponent) {
    this.width = width;
    this.descr = descr;
    this.numpy = numpy;
    this.sameDiff = sameDiff;
    this.torch = torch;
    this.precision = precision;
    this.minExponent = minExponent;
  }

  boolean isFloat() {
    return this != I16;
  }

  /** Returns whether other programs than safetensors and torch have the type. */
  boolean isCommon() {
    return width > 1;
  }

  /** Returns whether this type has all values of another one. */
  boolean holds(StoredType other) {
    return other == this
        || this == F64
        || this == F32 && (other.width < 4)
        || width == 2 && isFloat() && other.width == 1;
  }

  /** Returns the value of this type that is nearest to a finite number within its range. */
  double nearest(double value) {
    if (this == F64 || value == 0 || !Double.isFinite(value)) {
      return value;
    }
    double step = step(value);
    return Math.rint(value / step) * step;
  }

  /** Returns the distance of the values of this type around a number. */
  private double step(double value) {
    return this == I16
        ? 1
        : Math.scalb(1.0, Math.max(Math.getExponent(value), minExponent) - precision + 1);
  }

  /** Writes a value of this type. */
  void put(ByteBuffer to, double value) {
    switch (this) {
      case F8_E4M3, F8_E5M2 -> to.put(small(value));
      case F16 -> to.putShort(half(value));
      case BF16 -> to.putShort((short) (Float.floatToRawIntBits((float) value) >>> 16));
      case F32 -> to.putFloat((float) value);
      case F64 -> to.putDouble(value);
      case I16 -> to.putShort((short) value);
    }
  }

  private byte small(double value) {
    int sign = Double.doubleToRawLongBits(value) < 0 ? 0x80 : 0;
    if (Double.isNaN(value)) {
      return (byte) (sign | 0x7f);
    }
    int exponent = Math.max(Math.getExponent(value), minExponent);
    int significand = (int) Math.scalb(Math.abs(value), precision - 1 - exponent);
    return (byte) (sign | (exponent - minExponent << precision - 1) + significand);
  }

  private static short half(double value) {
    int sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
    double magnitude = Math.abs(value);
    if (!(magnitude < 0x1p16)) {
      return (short) (sign | (Double.isNaN(value) ? 0x7e00 : 0x7c00));
    }
    if (magnitude < 0x1p-14) {
      return (short) (sign | (int) (magnitude / 0x1p-24));
    }
    int exponent = Math.getExponent(magnitude);
    int mantissa = (int) ((magnitude / Math.scalb(1.0, exponent) - 1) * 1024);
    return (short) (sign | exponent + 15 << 10 | mantissa);
  }

  /** Returns values in little-endian order. */
  byte[] bytes(double... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * width).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      put(bytes, value);
    }
    return bytes.array();
  }

  /**
   * Returns a value of this type that F16 holds, if it is rounded. Some values are half way between
   * two of a narrower type, or next to it.
   */
  double draw(Random random) {
    if (this == I16) {
      return random.nextInt(1 << 16) - (1 << 15);
    }
    int kind = random.nextInt(5);
    double value = random.nextGaussian() * (kind == 0 ? 0x1p-16 : 30);
    if (kind >= 3) { // half a step of F16 or BF16 from a value of these types
      StoredType narrow = kind == 3 ? F16 : BF16;
      double half = narrow.step(value) / 2;
      value = narrow.nearest(value) + half + (random.nextBoolean() ? 0 : half * 0x1p-30);
    }
    return nearest(value);
  }
}
