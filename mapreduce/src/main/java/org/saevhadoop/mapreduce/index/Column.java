package org.saevhadoop.mapreduce.index;

/** The columns of an index; the first four are those of safetensors-spark. */
enum Column {
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

  Column(boolean text) {
    this.text = text;
  }

  /** The column's name in the file. */
  String column() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  boolean text() {
    return text;
  }
}
