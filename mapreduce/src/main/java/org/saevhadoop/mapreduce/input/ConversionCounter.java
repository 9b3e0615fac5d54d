package org.saevhadoop.mapreduce.input;

import java.util.function.ToLongFunction;
import org.saevhadoop.format.tensor.ConversionChanges;

/** Counters of a job that converts values. */
public enum ConversionCounter {
  /** Values that were converted to a type that cannot hold all of them exactly. */
  CONVERTED(ConversionChanges::values),
  /** Values that became a different finite value. */
  ROUNDED(ConversionChanges::rounded),
  /** Finite values that became infinite. */
  OVERFLOWED(ConversionChanges::overflowed),
  /** Values that are outside the range of the integer type. */
  OUT_OF_RANGE(ConversionChanges::outOfRange),
  /** NaNs that lost payload bits or are no longer NaN. */
  NAN(ConversionChanges::nan);

  private final ToLongFunction<ConversionChanges> count;

  ConversionCounter(ToLongFunction<ConversionChanges> count) {
    this.count = count;
  }

  /** Returns how many of the given changes this counter counts. */
  public long of(ConversionChanges changes) {
    return count.applyAsLong(changes);
  }
}
