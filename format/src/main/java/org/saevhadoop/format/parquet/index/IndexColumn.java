package org.saevhadoop.format.parquet.index;

/** Columns of an index; the first four are defined by safetensors-spark. */
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

  IndexColumn(boolean text) {
    this.text = text;
  }

  /** Returns the name of the column in the file. */
  public String column() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Returns whether the values are texts. */
  boolean text() {
    return text;
  }
}
