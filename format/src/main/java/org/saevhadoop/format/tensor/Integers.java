package org.saevhadoop.format.tensor;

/** Between the integers of each type and longs of the same value, or for U64 of the same bits. */
final class Integers {
  private Integers() {}

  /** The type's values in the longs. */
  static Lanes.Step unpack(DType from) {
    return switch (from) {
      case I8 -> Integers::i8;
      case U8 -> Integers::u8;
      case I16 -> Integers::i16;
      case U16 -> Integers::u16;
      case I32 -> Integers::i32;
      case U32 -> Integers::u32;
      default -> (lanes, count, tally) -> {};
    };
  }

  /** The lower bits of the longs, in the array of the type's width. */
  static Lanes.Step pack(DType to) {
    return switch (to.bits()) {
      case 8 -> Integers::to8;
      case 16 -> Integers::to16;
      case 32 -> Integers::to32;
      default -> (lanes, count, tally) -> {};
    };
  }

  private static void i8(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.bytes[i];
    }
  }

  private static void u8(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.bytes[i] & 0xff;
    }
  }

  private static void i16(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.shorts[i];
    }
  }

  private static void u16(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.shorts[i] & 0xffff;
    }
  }

  private static void i32(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.ints[i];
    }
  }

  private static void u32(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.longs[i] = lanes.ints[i] & 0xffffffffL;
    }
  }

  private static void to8(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.bytes[i] = (byte) lanes.longs[i];
    }
  }

  private static void to16(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.shorts[i] = (short) lanes.longs[i];
    }
  }

  private static void to32(Lanes lanes, int count, Tally tally) {
    for (int i = 0; i < count; i++) {
      lanes.ints[i] = (int) lanes.longs[i];
    }
  }
}
