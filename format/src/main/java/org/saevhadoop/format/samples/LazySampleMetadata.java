package org.saevhadoop.format.samples;

import java.io.IOException;

/** Attributes that are opened when they are first asked for. */
public final class LazySampleMetadata implements SampleMetadata {
  /** Opens the attributes. */
  @FunctionalInterface
  public interface Opener {
    /** Returns the attributes; {@link SampleMetadata#NONE} where there are none. */
    SampleMetadata open() throws IOException;
  }

  private final Opener opener;
  private SampleMetadata opened;

  /** Attributes that an opener gives. */
  public LazySampleMetadata(Opener opener) {
    this.opener = opener;
  }

  @Override
  public SampleMetadataCursor cursor(long first, long count) throws IOException {
    if (opened == null) {
      opened = opener.open();
    }
    return opened.cursor(first, count);
  }
}
