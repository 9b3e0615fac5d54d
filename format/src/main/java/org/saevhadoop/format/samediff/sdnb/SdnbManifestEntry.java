package org.saevhadoop.format.samediff.sdnb;

/** Entry of a manifest: the location of an appended array in the file, in bytes. */
record SdnbManifestEntry(String name, long offset, long length) {}
