package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.ShardSlice;

/** Labels of the examples of several sources, of which one at a time is open. */
final class CombinedLabels implements PatchLabels {
  private final SourceExamples examples;
  private int source = -1;
  private @Nullable PatchLabels open;

  CombinedLabels(SourceExamples examples) {
    this.examples = examples;
  }

  @Override
  public int patches() {
    return examples.firstFacts().patches();
  }

  @Override
  public void read(long first, ByteBuffer dst) throws IOException {
    int limit = dst.limit();
    for (ShardSlice slice : examples.slices(first, dst.remaining() / patches())) {
      PatchLabels labels = labels(slice);
      dst.limit(dst.position() + (int) slice.examples() * patches());
      labels.read(slice.start(), dst);
      dst.limit(limit);
    }
  }

  private PatchLabels labels(ShardSlice slice) throws IOException {
    PatchLabels labels = open;
    if (labels == null || source != slice.index()) {
      close();
      labels = examples.open(slice).requireActivations().openLabels();
      source = slice.index();
      open = labels;
    }
    return labels;
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      PatchLabels closing = open;
      open = null;
      closing.close();
    }
  }
}
