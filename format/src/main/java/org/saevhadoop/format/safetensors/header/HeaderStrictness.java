package org.saevhadoop.format.safetensors.header;

/**
 * Strictness of header parsing. Both levels agree on the kind of every error that the reference
 * reports.
 */
public enum HeaderStrictness {
  /**
   * Accepts the same headers as the reference, except those with duplicate tensor names, duplicate
   * metadata keys, tensors given as arrays or dtypes given as objects. Such files contradict
   * themselves or are not understood by other readers; no writer produces them on purpose.
   */
  STRICT,
  /**
   * Accepts exactly the same headers as the reference. If there are duplicates, the last one is
   * used.
   */
  LENIENT
}
