package org.saevhadoop.format.staged;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors of staged data. The source is not at fault: the data can be staged again. */
public enum StagedError implements ErrorKind {
  /** The file is missing, has another length or holds other bytes than were written. */
  DAMAGED;

  @Override
  public boolean isExternal() {
    return true;
  }
}
