package org.saevhadoop.format.samediff;

import java.util.stream.Stream;

/** Types of arrays that loaders can read, with their numbers in graph.fbs. */
enum RealDtype {
  BOOL(1, 1, true),
  HALF(3, 2, false),
  FLOAT(5, 4, true),
  DOUBLE(6, 8, true),
  BYTE(7, 1, false),
  SHORT(8, 2, false),
  INT(9, 4, true),
  LONG(10, 8, true),
  UBYTE(11, 1, false),
  UINT16(12, 2, false),
  UINT32(13, 4, false),
  UINT64(14, 8, false),
  BFLOAT16(17, 2, false);

  final int number;
  final int width;

  /** Whether every loader returns scalars of this type, and not of a wider one. */
  final boolean isKeptInScalars;

  RealDtype(int number, int width, boolean isKeptInScalars) {
    this.number = number;
    this.width = width;
    this.isKeptInScalars = isKeptInScalars;
  }

  static RealDtype of(int number, String name) {
    return Stream.of(values())
        .filter(dtype -> dtype.number == number)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "rule broken: the type of an array is known: " + number + " of " + name));
  }
}
