package org.saevhadoop.format.combined;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in combining datasets. */
public enum CombinationError implements ErrorKind {
  /** One dataset has activations; the other has none. */
  KINDS_DIFFER,
  /** The columns of the datasets differ, or are the same where different columns are needed. */
  COLUMNS_DIFFER,
  EXAMPLES_DIFFER,
  /** The datasets differ in tokens or dims, or in the shapes of columns. */
  SHAPES_DIFFER,
  /** No type represents the values of both datasets exactly. */
  TYPES_DIFFER,
  /** Token 0 is [CLS] in only one dataset. */
  CLS_DIFFERS,
  /** The values were normalized in different ways, or only in some of the datasets. */
  NORMALIZATION_DIFFERS,
  /** Two examples have the same id. */
  REPEATED_ID,
  /** The datasets differ in the id, labels, per-token integers or sample metadata of an example. */
  EXAMPLE_DIFFERS,
  /** A dataset has changed since the datasets were combined. */
  CHANGED
}
