package org.saevhadoop.format.parquet.index;

import java.util.Locale;

/** Columns of an index; safetensors-spark defines the first four. */
public enum IndexColumn {
  TENSOR_KEY(true),
  FILE_NAME(true),
  SHAPE(false),
  DTYPE(true),
  BEGIN(false),
  END(false),
  HEADER_BYTES(false);

  /** Number of columns that every index has. */
  static final int NEEDED = 4;

  private final boolean text;
  private final String column;

  IndexColumn(boolean text) {
    this.text = text;
    this.column = name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the column in the file. */
  public String column() {
    return column;
  }

  /** Returns whether values are strings. */
  boolean text() {
    return text;
  }
}
