package org.saevhadoop.format.samediff.sdnb;

/** Kinds of variables, in the order of their codes in the FlatBuffer. */
public enum VariableKind {
  /** A trainable value. */
  VARIABLE,
  /** A fixed value. */
  CONSTANT,
  /** An output of an operation, which is never stored. */
  ARRAY,
  /** An input from the user, which is never stored. */
  PLACEHOLDER,
  /** A list of arrays. */
  SEQUENCE
}
