package org.saevhadoop.jobs.server;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors of the first contact with a file system or with YARN. */
public enum ContactError implements ErrorKind {
  /** The scheme of the path does not denote a file system. */
  UNSUPPORTED_SCHEME,
  /** The class of the file system, or a class that it needs, is not on the class path. */
  MISSING_LIBRARY,
  /** The name of the host has no address. */
  UNKNOWN_HOST,
  /** The server refuses or closes the connection, or there is no route to it. */
  UNREACHABLE,
  /** The server accepts the connection or the packets, but does not answer in time. */
  NO_ANSWER,
  /** The server requires Kerberos, and the user has no valid ticket. */
  NOT_AUTHENTICATED,
  /**
   * Only one of the client and the server is secured, or they disagree on the server's principal.
   */
  SECURITY_MISMATCH
}
