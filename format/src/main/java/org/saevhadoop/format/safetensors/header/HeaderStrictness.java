package org.saevhadoop.format.safetensors.header;

/**
 * Strictness of header parsing. Both levels agree on the kind of every error that the reference
 * reports.
 */
public enum HeaderStrictness {
  /**
   * Accepts what the reference accepts, except duplicate tensor names, duplicate metadata keys,
   * tensors as arrays and dtypes as objects. Such files contradict themselves or are not understood
   * by other readers; no writer produces them on purpose.
   */
  STRICT,
  /** Accepts exactly what the reference accepts. The last one of several duplicates counts. */
  LENIENT
}
