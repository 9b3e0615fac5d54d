package org.saevhadoop.format.dataset;

import org.saevhadoop.format.api.PublicApi;

/** Range of {@code length} bytes of a file, starting at byte {@code offset}. */
@PublicApi
public record ByteRange(long offset, long length) {}
