package org.saevhadoop.format.arrays.file;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in arrays that are interpreted as activations. */
public enum ArrayError implements ErrorKind {
  /** No file or array matches a pattern. */
  NO_MATCH,
  /** Files are missing: the names of the existing files state a larger number of files. */
  INCOMPLETE,
  /** A document next to arrays is malformed. */
  BAD_DOCUMENT,
  /** Several interpretations are possible. */
  AMBIGUOUS,
  /** Two arrays contain the same layer of the same examples. */
  DUPLICATE,
  /** The rank of an array contradicts its mapping, or token ids or a mask do not fit the tokens. */
  BAD_SHAPE,
  /** Layers of the same examples differ in their token ids, masks or labels. */
  DIFFERENT_TOKENS,
  /** Arrays of one dataset differ in type, width or byte order. */
  MIXED_SHAPES,
  /** Some examples lack a layer. */
  MISSING_LAYER,
  /** The number of a layer is not known. */
  NO_LAYER_NUMBER,
  /** Another process has not finished a file and holds the lock file next to it. */
  BEING_WRITTEN,
  /** The files differ from the survey. */
  CHANGED;

  /** Returns true for differing tokens, which are found only when compressed arrays are staged. */
  @Override
  public boolean isOfData() {
    return this == DIFFERENT_TOKENS;
  }
}
