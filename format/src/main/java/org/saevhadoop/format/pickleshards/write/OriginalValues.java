package org.saevhadoop.format.pickleshards.write;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;
import org.saevhadoop.format.tensor.OutOfRangeException;
import org.saevhadoop.format.tensor.RangePolicy;
import org.saevhadoop.format.tensor.RoundingPolicy;

/** Lossless conversion of widened values to their original dtype. */
final class OriginalValues {
  private final String path;
  private final DType stored;
  private final Map<DType, DTypeConversion> conversions = new EnumMap<>(DType.class);
  private ByteBuffer converted = ByteBuffer.allocate(0);

  OriginalValues(String path, DType stored) {
    this.path = path;
    this.stored = stored;
  }

  /**
   * Converts values. The result is valid until the next call.
   *
   * @throws FormatException if the dtype cannot represent all values exactly
   */
  ByteBuffer as(DType original, ByteBuffer numbers, String what) throws FormatException {
    if (original == stored) {
      return numbers;
    }
    long bytes = (long) numbers.remaining() * original.bits() / stored.bits();
    ShardError.TOO_LARGE.check(
        bytes <= PickleWritePlan.MAX_EXAMPLE_BYTES,
        path,
        "%s has %d bytes as %s (expected at most %d)",
        what,
        bytes,
        original.numpyName(),
        PickleWritePlan.MAX_EXAMPLE_BYTES);
    if (converted.capacity() < bytes) {
      converted = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    long changed;
    try {
      DTypeConversion conversion = conversions.computeIfAbsent(original, this::conversion);
      long before = conversion.changes().changed();
      conversion.convert(numbers, converted.clear());
      changed = conversion.changes().changed() - before;
    } catch (IllegalArgumentException | OutOfRangeException e) {
      throw changed(original, what, e.getMessage()).causedBy(e);
    }
    if (changed > 0) {
      throw changed(original, what, Quote.sentence("%d numbers would change", changed));
    }
    return converted.flip();
  }

  private DTypeConversion conversion(DType original) {
    // BF16 is the upper half of the bits of a float; truncation preserves the payload of each NaN.
    RoundingPolicy rounding =
        original == DType.BF16 ? RoundingPolicy.TRUNCATE : RoundingPolicy.NEAREST_EVEN;
    return DTypeConversion.of(stored, original, rounding, RangePolicy.ERROR);
  }

  private FormatException changed(DType original, String what, @Nullable String why) {
    return ShardError.NOT_RESTORABLE.in(
        path,
        "%s was %s and cannot be restored: %s (expected --dtype %s, which takes the "
            + "values as they are, or --dtype %s, which rounds them)",
        what,
        original.numpyName(),
        why,
        stored.numpyName(),
        original.numpyName());
  }
}
