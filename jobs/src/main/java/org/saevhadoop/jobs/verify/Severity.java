package org.saevhadoop.jobs.verify;

/** How grave a finding is. */
public enum Severity {
  /** Something is wrong: values are damaged or missing, or readers of the format fail. */
  ERROR,
  /** Something is unusual, but may be intended. */
  WARNING
}
