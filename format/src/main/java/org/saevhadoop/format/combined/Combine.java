package org.saevhadoop.format.combined;

/** The kind of data that each of the combined datasets adds. */
public enum Combine {
  /** Each dataset has more examples of the same columns. */
  EXAMPLES,
  /** Each dataset has more columns, such as layers, of the same examples. */
  LAYERS
}
