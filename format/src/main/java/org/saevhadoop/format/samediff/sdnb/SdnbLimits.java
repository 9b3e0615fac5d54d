package org.saevhadoop.format.samediff.sdnb;

/**
 * Limits on the content of an SDNB file, far beyond any real file. Together, they ensure that the
 * description of a file's arrays fits in a heap of 192 MiB.
 */
public final class SdnbLimits {
  /** Maximum number of variables in a graph. */
  public static final int MAX_ARRAYS = 1 << 17;

  /** Maximum total size in bytes of the names and metadata entries in a graph. */
  public static final int MAX_TEXT_BYTES = 32 << 20;

  /** Maximum number of dimensions of an array, as in ND4J. */
  static final int MAX_RANK = 32;

  static final int MAX_METADATA = 1 << 16;

  static final int MAX_MANIFEST_ENTRIES = MAX_ARRAYS;

  /** Maximum total size in bytes of the names in a manifest, in modified UTF-8. */
  static final int MAX_MANIFEST_NAME_BYTES = 32 << 20;

  /** Maximum size in bytes of one name, in modified UTF-8. */
  public static final int MAX_NAME_BYTES = 1 << 20;

  private SdnbLimits() {}
}
