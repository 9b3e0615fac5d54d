package org.saevhadoop.format.tensor;

/**
 * Converts between the integers of each type and longs with the same value, or, for U64, with the
 * same bits.
 */
final class IntegerCodec {
  private IntegerCodec() {}

  /** Returns the step that stores values of the type as longs. */
  static LaneBuffer.Step unpack(DType from) {
    return switch (from) {
      case I8 -> IntegerCodec::i8;
      case U8 -> IntegerCodec::u8;
      case I16 -> IntegerCodec::i16;
      case U16 -> IntegerCodec::u16;
      case I32 -> IntegerCodec::i32;
      case U32 -> IntegerCodec::u32;
      default -> (lanes, count, counter) -> {};
    };
  }

  /**
   * Returns the step that stores the low-order bits of the longs in the array whose width is that
   * of the type.
   */
  static LaneBuffer.Step pack(DType to) {
    return switch (to.bits()) {
      case 8 -> IntegerCodec::to8;
      case 16 -> IntegerCodec::to16;
      case 32 -> IntegerCodec::to32;
      default -> (lanes, count, counter) -> {};
    };
  }

  private static void i8(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.bytes[i];
    }
  }

  private static void u8(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.bytes[i] & 0xff;
    }
  }

  private static void i16(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.shorts[i];
    }
  }

  private static void u16(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.shorts[i] & 0xffff;
    }
  }

  private static void i32(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.ints[i];
    }
  }

  private static void u32(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.ints[i] & 0xffffffffL;
    }
  }

  private static void to8(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.bytes[i] = (byte) lanes.longs[i];
    }
  }

  private static void to16(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.shorts[i] = (short) lanes.longs[i];
    }
  }

  private static void to32(LaneBuffer lanes, int count, ChangeCounter counter) {
    for (int i = 0; i < count; i++) {
      lanes.ints[i] = (int) lanes.longs[i];
    }
  }
}
