package org.saevhadoop.format.parquet;

/** The columns of an index; the first four are those of safetensors-spark. */
public enum IndexColumn {
  TENSOR_KEY(true),
  FILE_NAME(true),
  SHAPE(false),
  DTYPE(true),
  BEGIN(false),
  END(false),
  HEADER_BYTES(false);

  /** Columns that every index has. */
  static final int NEEDED = 4;

  private final boolean text;

  IndexColumn(boolean text) {
    this.text = text;
  }

  /** Returns the column's name in the file. */
  public String column() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Whether it holds texts. */
  boolean text() {
    return text;
  }
}
