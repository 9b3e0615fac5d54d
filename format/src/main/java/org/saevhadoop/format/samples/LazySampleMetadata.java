package org.saevhadoop.format.samples;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Io;

/** Sample metadata that is opened on first use. */
public final class LazySampleMetadata implements SampleMetadata {
  private final Io.Supplier<SampleMetadata> opener;
  private @Nullable SampleMetadata opened;

  /** Creates sample metadata that {@code opener} opens on first use. */
  public LazySampleMetadata(Io.Supplier<SampleMetadata> opener) {
    this.opener = opener;
  }

  @Override
  public SampleMetadataCursor cursor(long first, long count) throws IOException {
    if (opened == null) {
      opened = opener.get();
    }
    return opened.cursor(first, count);
  }
}
