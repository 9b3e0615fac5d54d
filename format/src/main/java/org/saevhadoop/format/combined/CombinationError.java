package org.saevhadoop.format.combined;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors of datasets that are combined. */
public enum CombinationError implements ErrorKind {
  /** One has activations, the other has not. */
  KINDS_DIFFER,
  /** They have other columns, or the same columns where others are needed. */
  COLUMNS_DIFFER,
  EXAMPLES_DIFFER,
  /** They have other tokens or dims, or columns of other shapes. */
  SHAPES_DIFFER,
  /** No type holds the values of both exactly. */
  TYPES_DIFFER,
  /** Token 0 is [CLS] in only one dataset. */
  CLS_DIFFERS,
  /** The values were normalized in different ways, or only in some of the datasets. */
  NORMALIZATION_DIFFERS,
  /** Two examples have the same id. */
  REPEATED_ID,
  /** The same example has other ids, labels, integers of tokens or sample metadata. */
  EXAMPLE_DIFFERS,
  /** A dataset has changed since the datasets were combined. */
  CHANGED
}
