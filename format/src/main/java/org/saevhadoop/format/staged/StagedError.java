package org.saevhadoop.format.staged;

import org.saevhadoop.format.io.ErrorKind;

/**
 * Kinds of errors in staged data. Such an error does not concern the source, so the data can be
 * staged again.
 */
public enum StagedError implements ErrorKind {
  /** The file is missing, or its length or its bytes differ from what was written. */
  DAMAGED;

  @Override
  public boolean isExternal() {
    return true;
  }
}
