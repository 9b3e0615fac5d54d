package org.saevhadoop.format.samediff.sdnb;

/** Limits within which files are read, so that the heap that a file needs is bounded. */
final class SdnbLimits {
  /** Maximum number of variables in a graph, and of entries in a manifest. */
  static final int MAX_ARRAYS = 1 << 18;

  /** Maximum size of all names and metadata entries of a graph in bytes, and of all manifest names. */
  static final int MAX_TEXT_BYTES = 32 << 20;

  /** Maximum number of dimensions of an array, as in ND4J. */
  static final int MAX_RANK = 32;

  /** Maximum number of metadata entries. */
  static final int MAX_METADATA = 1 << 16;

  private SdnbLimits() {}
}
