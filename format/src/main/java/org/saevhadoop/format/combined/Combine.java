package org.saevhadoop.format.combined;

/** What datasets that are combined have in common, and what each of them adds. */
public enum Combine {
  /** Each has more examples of the same columns. */
  EXAMPLES,
  /** Each has more columns, such as layers, of the same examples. */
  LAYERS
}
