package org.saevhadoop.format.arrow.file;

import java.util.Locale;

/**
 * Logical types in the order of the union {@code Type} in Schema.fbs (Arrow 18), with the number of
 * buffers of a column: a validity bitmap, offsets and values (Columnar.rst, "Buffer Listing for
 * Each Layout").
 */
enum ArrowType {
  NONE(0),
  NULL(0),
  INT(2),
  FLOATING_POINT(2),
  BINARY(3),
  UTF8(3),
  BOOL(2),
  DECIMAL(2),
  DATE(2),
  TIME(2),
  TIMESTAMP(2),
  INTERVAL(2),
  LIST(2),
  STRUCT(1),
  /**
   * A buffer of types; dense unions also have offsets, and unions of version V4 also have a
   * validity bitmap.
   */
  UNION(1),
  FIXED_SIZE_BINARY(2),
  FIXED_SIZE_LIST(1),
  MAP(2),
  DURATION(2),
  LARGE_BINARY(3),
  LARGE_UTF8(3),
  LARGE_LIST(2),
  RUN_END_ENCODED(0),
  /** Views also have any number of data buffers. */
  BINARY_VIEW(2),
  UTF8_VIEW(2),
  LIST_VIEW(3),
  LARGE_LIST_VIEW(3);

  private final int buffers;

  ArrowType(int buffers) {
    this.buffers = buffers;
  }

  int buffers() {
    return buffers;
  }

  boolean isView() {
    return this == BINARY_VIEW || this == UTF8_VIEW;
  }

  /** Returns whether this is a list type whose elements can be read in place. */
  boolean isList() {
    return this == LIST || this == LARGE_LIST || this == FIXED_SIZE_LIST;
  }

  /** Returns the name for messages, such as {@code utf8_view}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
