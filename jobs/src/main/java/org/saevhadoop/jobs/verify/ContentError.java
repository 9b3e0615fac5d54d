package org.saevhadoop.jobs.verify;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of findings in values, in the order in which they are listed. */
enum ContentError implements ErrorKind {
  /** A value is not a number. */
  NAN(
      Severity.ERROR,
      "Find out where the values became NaN and record these examples again, or leave them out"
          + " with --examples."),
  /** A value is infinite. */
  INFINITE(
      Severity.ERROR,
      "The values probably exceeded the range of float16: record them as bfloat16 or float32, or"
          + " leave these examples out with --examples."),
  /** All vectors of an example are zero in a layer. */
  ZERO_EXAMPLE(
      Severity.WARNING,
      "Check whether the example was recorded: a writer that is killed leaves zeros. --examples"
          + " leaves it out."),
  /** A zero vector lies between nonzero vectors, so it cannot be padding. */
  ZERO_VECTOR(Severity.WARNING, "Check whether the vector was recorded."),
  /** All values of a vector are equal, but not zero. */
  CONSTANT_VECTOR(
      Severity.WARNING, "Check whether the vector was recorded, or filled with a value."),
  /** A vector has the same bits as an earlier vector in its layer. */
  DUPLICATE_VECTOR(
      Severity.WARNING,
      "Check whether examples were recorded twice. The first tokens of a causal model, and the"
          + " tokens of equal prompts, are always equal.");

  private final Severity severity;
  private final String advice;

  ContentError(Severity severity, String advice) {
    this.severity = severity;
    this.advice = advice;
  }

  Severity severity() {
    return severity;
  }

  String advice() {
    return advice;
  }
}
