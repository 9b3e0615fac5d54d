package org.saevhadoop.format.samediff.sdnb;

/**
 * Limits of what an SDNB file may request, far beyond those of real files. Together they keep a
 * manifest within a heap of 192 MiB, whatever its bytes.
 */
final class SdnbLimits {
  /** Maximum number of entries of a manifest. */
  static final int MAX_MANIFEST_ENTRIES = 262_144;

  /** Maximum size in bytes of all names of a manifest, in modified UTF-8. */
  static final int MAX_MANIFEST_NAME_BYTES = 32 << 20;

  /** Maximum size in bytes of one name, in modified UTF-8. */
  static final int MAX_NAME_BYTES = 1 << 20;

  private SdnbLimits() {}
}
