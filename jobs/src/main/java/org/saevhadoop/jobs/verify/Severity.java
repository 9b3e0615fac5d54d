package org.saevhadoop.jobs.verify;

import org.saevhadoop.format.api.PublicApi;

/** The severity of a finding. */
@PublicApi
public enum Severity {
  /** Something is wrong: values are damaged or missing, or readers of the format fail. */
  ERROR,
  /** Something is unusual, but may be intended. */
  WARNING
}
