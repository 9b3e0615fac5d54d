package org.saevhadoop.format.normalize;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in statistics and normalization. */
public enum NormalizeError implements ErrorKind {
  /** The file is not a statistics file. */
  NOT_STATISTICS,
  /** The file has no statistics for a layer, or lacks the mean or scale that is needed. */
  NO_STATISTICS,
  /** The statistics describe vectors of a different dimension. */
  DIM_DIFFERS,
  /** A mean is not finite, or a scale is not a positive number. */
  NOT_USABLE,
  /** The values are not floats. */
  NOT_FLOATS,
  /** The dataset was normalized before. */
  APPLIED_BEFORE,
  /** The file has changed since the run began. */
  CHANGED,
  /** Tasks in the cluster cannot read the file. */
  NOT_SHARED
}
