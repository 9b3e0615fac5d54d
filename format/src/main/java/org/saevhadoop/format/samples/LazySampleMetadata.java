package org.saevhadoop.format.samples;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sample metadata that is opened on first use. */
public final class LazySampleMetadata implements SampleMetadata {
  /** Opens sample metadata. */
  @FunctionalInterface
  public interface Opener {
    /** Returns the sample metadata, or {@link SampleMetadata#NONE} if there is none. */
    SampleMetadata open() throws IOException;
  }

  private final Opener opener;
  private @Nullable SampleMetadata opened;

  /** Creates sample metadata that {@code opener} opens on first use. */
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
