package org.saevhadoop.format.pickle.read;

import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;

/**
 * The remaining budget of a pickle: memory that is assumed to stay allocated, and opcodes that
 * allocate nothing.
 */
final class MemoryBudget {
  // estimates in bytes for a JVM with compressed pointers, rounded up
  static final int SLOT = 12;
  static final int NUMBER = 24;
  static final int TEXT = 56;
  static final int BYTES = 80;
  static final int LIST = 40;
  static final int DICT = 112;
  static final int ENTRY = 2 * SLOT;
  static final int INDEX_ENTRY = 80;
  static final int TUPLE = 72;
  static final int SET = 176;
  static final int ARRAY = 88;
  static final int DTYPE = 56;

  private final PickleInput in;
  private final PickleLimits limits;
  private long bytes;
  private long idle;

  MemoryBudget(PickleInput in, PickleLimits limits) {
    this.in = in;
    this.limits = limits;
  }

  /** Charges memory. Memory is never credited back, even if an object is dropped. */
  void take(long more) throws FormatException {
    bytes += more;
    idle = 0;
    in.check(
        bytes <= limits.objectBytes(),
        PickleError.LIMIT_EXCEEDED,
        "objects of more than %d bytes",
        limits.objectBytes());
  }

  /** Charges opcodes that allocate nothing. */
  void work(long opcodes) throws FormatException {
    idle += opcodes;
    if (idle > limits.idleOpcodes()) {
      throw in.fail(
          PickleError.LIMIT_EXCEEDED,
          "more than %d opcodes that produce nothing",
          limits.idleOpcodes());
    }
  }
}
