package org.saevhadoop.jobs.stats;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.padding.TokenPadding;

/** The marks of the tokens of some examples: their labels, and whether they are padding. */
final class TokenMarks implements Closeable {
  static final int NO_LABEL = -1;

  private final int tokens;
  private final @Nullable PatchLabels labels;
  private final TokenPadding padding;
  private long first;
  private ByteBuffer labelBytes = ByteBuffer.allocate(0);
  private BitSet padded = new BitSet();

  private TokenMarks(int tokens, @Nullable PatchLabels labels, TokenPadding padding) {
    this.tokens = tokens;
    this.labels = labels;
    this.padding = padding;
  }

  static TokenMarks of(ActivationDataset dataset) throws IOException {
    PatchLabels labels = dataset.hasLabels() ? dataset.openLabels() : null;
    return new TokenMarks(dataset.geometry().tokens(), labels, TokenPadding.of(dataset));
  }

  void read(long firstExample, int examples) throws IOException {
    first = firstExample;
    if (labels != null) {
      int bytes = Math.multiplyExact(examples, labels.patches());
      labelBytes = labelBytes.capacity() < bytes ? ByteBuffer.allocate(bytes) : labelBytes;
      labels.read(first, labelBytes.clear().limit(bytes));
    }
    if (padding.isPossible()) {
      padded = padding.read(first, examples);
    }
  }

  /** Returns the label of a token; -1 if the token has no label, such as [CLS]. */
  int label(long example, int token) {
    if (labels == null) {
      return NO_LABEL;
    }
    int patches = labels.patches();
    int patch = token - (tokens - patches);
    return patch < 0 ? NO_LABEL : labelBytes.get((int) (example - first) * patches + patch) & 0xff;
  }

  boolean isPadding(long example, int token) {
    return padded.get((int) (example - first) * tokens + token);
  }

  @Override
  public void close() throws IOException {
    try (padding) {
      if (labels != null) {
        labels.close();
      }
    }
  }
}
