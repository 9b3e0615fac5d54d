package org.saevhadoop.format.combined;

/** The common part of combined datasets, and the part that each of them adds. */
public enum Combine {
  /** Each has more examples of the same columns. */
  EXAMPLES,
  /** Each has more columns, such as layers, of the same examples. */
  LAYERS
}
