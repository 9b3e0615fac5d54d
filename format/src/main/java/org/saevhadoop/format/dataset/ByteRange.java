package org.saevhadoop.format.dataset;

/** Range of {@code length} bytes of a file, starting at byte {@code offset}. */
public record ByteRange(long offset, long length) {}
