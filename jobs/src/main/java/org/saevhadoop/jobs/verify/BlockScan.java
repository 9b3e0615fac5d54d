package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.TensorValues;

/**
 * Checks the vectors of blocks of one type in one pass over their bits, eight bytes at a time. Only
 * a vector that may contain non-finite values is read value by value.
 */
final class BlockScan {
  private static final long HASH_1 = 0x9E3779B97F4A7C15L;
  private static final long HASH_2 = 0xC2B2AE3D27D4EB4FL;

  /** Receives vectors that may be duplicates. */
  @FunctionalInterface
  interface HashSink {
    void accept(long hash1, long hash2, long vector) throws IOException, InterruptedException;
  }

  private final DType dtype;
  private final int vectorBytes;
  private final boolean vectors;

  /** A mask of the exponent bits in eight bytes; 0 if all values of the type are finite. */
  private final long exponents;

  /** A mask of the lowest bit of each exponent. */
  private final long units;

  /** A mask of the sign bits in eight bytes: -0.0 differs from 0.0 only in its sign bit. */
  private final long signs;

  // the hash of the vector that was read last
  private long hash1;
  private long hash2;
  private boolean suspect;
  private boolean zero;
  private boolean constant;

  /**
   * Creates a scan.
   *
   * @param dim the number of values in a vector
   * @param vectors whether whole vectors are checked, and not only their values
   */
  BlockScan(DType dtype, long dim, boolean vectors) {
    this.dtype = dtype;
    this.vectorBytes = Math.toIntExact(dim * dtype.bits() / Byte.SIZE);
    this.vectors = vectors;
    int bits = dtype == DType.C64 ? Float.SIZE : dtype.bits();
    long unit = unit(dtype);
    long sign = unit == 0 ? 0 : 1L << bits - 1;
    this.units = repeat(unit, bits);
    this.signs = repeat(sign, bits);
    // adding a unit to an exponent of ones carries into the sign
    this.exponents = repeat(sign - unit, bits);
  }

  /**
   * Returns the lowest of the bits that are all set only in NaN and infinities; 0 if there are no
   * such bits.
   */
  private static long unit(DType dtype) {
    return switch (dtype) {
      case F64 -> 1L << 52;
      case F32, C64 -> 1L << 23;
      case BF16 -> 1L << 7;
      case F16 -> 1L << 10;
      case F8_E5M2 -> 1L << 2;
      case F8_E4M3 -> 1; // only NaN has all bits
      default -> 0;
    };
  }

  private static long repeat(long pattern, int bits) {
    long all = pattern;
    for (int width = bits; width < Long.SIZE; width *= 2) {
      all |= all << width;
    }
    return all;
  }

  /**
   * Checks a block.
   *
   * @param example the number of the example that contains the vectors
   * @param hashes receives the vectors that are finite and not zero; null if they are not compared
   */
  void scan(ByteBuffer block, long example, ColumnFindings into, @Nullable HashSink hashes)
      throws IOException, InterruptedException {
    ByteBuffer bytes = block.slice().order(ByteOrder.LITTLE_ENDIAN);
    int count = vectorBytes == 0 ? 0 : bytes.limit() / vectorBytes;
    long first = example * count;
    into.vectors += count;
    int zeros = 0;
    boolean begun = false;
    for (int i = 0; i < count; i++) {
      read(bytes, i * vectorBytes);
      if (suspect) {
        addValues(bytes.slice(i * vectorBytes, vectorBytes), first + i, into);
      }
      if (!vectors) {
        continue;
      }
      if (zero) {
        zeros++;
        continue;
      }
      for (int z = begun ? zeros : 0; z > 0; z--) {
        into.add(ContentError.ZERO_VECTOR, first + i - z, 0);
      }
      begun = true;
      zeros = 0;
      if (constant && !suspect) {
        into.add(ContentError.CONSTANT_VECTOR, first + i, 0);
      }
      if (hashes != null && !suspect) {
        hashes.accept(hash1, hash2, first + i);
      }
    }
    if (vectors && count > 0 && !begun) {
      into.add(ContentError.ZERO_EXAMPLE, first, 0);
    }
  }

  /** Reads the bits of a vector. */
  private void read(ByteBuffer bytes, int start) {
    long lane1 = HASH_2;
    long lane2 = HASH_1;
    long carries = 0;
    long ones = 0;
    long differences = 0;
    long pattern = firstValue(bytes, start);
    int end = start + vectorBytes;
    int whole = end - vectorBytes % Long.BYTES;
    for (int at = start; at < whole; at += Long.BYTES) {
      long bits = bytes.getLong(at);
      carries |= (bits & exponents) + units;
      ones |= bits;
      differences |= bits ^ pattern;
      lane1 = (lane1 ^ bits) * HASH_1;
      lane1 ^= lane1 >>> 29;
      lane2 = (Long.rotateLeft(lane2, 31) + bits) * HASH_2;
      lane2 ^= lane2 >>> 32;
    }
    if (whole < end) {
      long bits = 0;
      for (int at = whole; at < end; at++) {
        bits |= (bytes.get(at) & 0xffL) << Byte.SIZE * (at - whole);
      }
      carries |= (bits & exponents) + units;
      ones |= bits;
      differences |= (bits ^ pattern) & -1L >>> Byte.SIZE * (Long.BYTES - (end - whole));
      lane1 = (lane1 ^ bits) * HASH_1;
      lane2 = (Long.rotateLeft(lane2, 31) + bits) * HASH_2;
    }
    hash1 = finish(lane1);
    hash2 = finish(lane2);
    suspect = (carries & signs) != 0 || mayHaveOtherNan();
    zero = (ones & ~signs) == 0 && dtype != DType.F8_E8M0; // this type has no zero
    constant = differences == 0 && vectorBytes * Byte.SIZE > dtype.bits();
  }

  /** Returns whether the type has a NaN that its exponent bits do not show. */
  private boolean mayHaveOtherNan() {
    return dtype == DType.F8_E8M0 || dtype == DType.F8_E4M3FNUZ || dtype == DType.F8_E5M2FNUZ;
  }

  private static long finish(long lane) {
    long mixed = (lane ^ lane >>> 33) * HASH_2;
    return mixed ^ mixed >>> 29;
  }

  /** Returns the first value of a vector, repeated. */
  private long firstValue(ByteBuffer bytes, int start) {
    return switch (dtype.bits()) {
      case Byte.SIZE -> repeat(bytes.get(start) & 0xffL, Byte.SIZE);
      case Short.SIZE -> repeat(bytes.getShort(start) & 0xffffL, Short.SIZE);
      case Integer.SIZE -> repeat(bytes.getInt(start) & 0xffffffffL, Integer.SIZE);
      case Long.SIZE -> bytes.getLong(start);
      default -> 0; // packed
    };
  }

  /** Reads the values of a vector that may not be finite. */
  private void addValues(ByteBuffer vector, long number, ColumnFindings into) {
    TensorValues values = TensorValues.of(dtype == DType.C64 ? DType.F32 : dtype, vector);
    int parts = dtype == DType.C64 ? 2 : 1;
    long nan = -1;
    long infinite = -1;
    for (int i = values.count() - 1; i >= 0; i--) {
      double value = values.doubleAt(i);
      nan = Double.isNaN(value) ? i : nan;
      infinite = Double.isInfinite(value) ? i : infinite;
    }
    suspect = nan >= 0 || infinite >= 0;
    if (nan >= 0) {
      into.add(ContentError.NAN, number, nan / parts);
    }
    if (infinite >= 0) {
      into.add(ContentError.INFINITE, number, infinite / parts);
    }
  }
}
