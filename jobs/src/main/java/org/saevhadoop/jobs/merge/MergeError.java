package org.saevhadoop.jobs.merge;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors of merges; errors in a source have the kinds of its format. */
public enum MergeError implements ErrorKind {
  /**
   * Several conflicts prevent the sources from being merged; each conflict is a suppressed
   * exception.
   */
  CONFLICTS,
  /** Sources have different formats, and none was chosen for the result. */
  FORMATS_DIFFER
}
