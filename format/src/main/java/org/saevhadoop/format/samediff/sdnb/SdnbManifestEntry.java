package org.saevhadoop.format.samediff.sdnb;

/**
 * Entry of a manifest: the location of an appended array.
 *
 * @param name the name of the variable
 * @param offset the position of the first byte in the file
 * @param length the length in bytes
 */
record SdnbManifestEntry(String name, long offset, long length) {}
