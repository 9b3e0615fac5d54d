package org.saevhadoop.jobs.run;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors after which it is not known how a job on YARN has ended. */
enum JobError implements ErrorKind {
  /** The ResourceManager does not know the application. */
  FORGOTTEN,
  /** Neither the job nor the ResourceManager answers. */
  OUT_OF_REACH;

  @Override
  public boolean isExternal() {
    return true;
  }
}
