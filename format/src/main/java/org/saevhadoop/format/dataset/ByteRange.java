package org.saevhadoop.format.dataset;

/** {@code length} bytes of a file, from byte {@code offset} on. */
public record ByteRange(long offset, long length) {}
