package org.saevhadoop.format.json;

import org.saevhadoop.format.io.ErrorKind;

/** Kinds of errors in JSON documents. */
public enum JsonError implements ErrorKind {
  /** The document is not JSON as CPython reads it. */
  BAD_JSON,
  /** The document has more values, levels or characters than any real document. */
  LIMIT_EXCEEDED
}
