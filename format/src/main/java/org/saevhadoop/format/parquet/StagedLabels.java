package org.saevhadoop.format.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.parquet.table.ColumnReader;

/** Collects the labels of patches; tokens before the patches have no labels. */
final class StagedLabels implements LongConsumer {
  /** Denotes a missing label of a token. */
  static final long NONE = -1;

  private static final int BUFFER_BYTES = 1 << 16;

  private final int tokens;
  private final int patches;
  private final ColumnReader.Sink sink;
  private final ByteBuffer some = ByteBuffer.allocate(BUFFER_BYTES);
  private long index;
  private long wrongIndex = -1;
  private long wrong;
  private @Nullable IOException failure;

  StagedLabels(int tokens, int patches, ColumnReader.Sink sink) {
    this.tokens = tokens;
    this.patches = patches;
    this.sink = sink;
  }

  @Override
  public void accept(long label) {
    boolean isPatch = index % tokens >= tokens - patches;
    boolean isLabel = label >= 0 && label <= 0xff;
    if (wrongIndex < 0 && (isPatch ? !isLabel : label != NONE)) {
      wrongIndex = index;
      wrong = label;
    }
    index++;
    if (isPatch) {
      some.put((byte) label);
      if (!some.hasRemaining()) {
        flush();
      }
    }
  }

  private void flush() {
    try {
      sink.accept(some.flip());
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    some.clear();
  }

  /**
   * Completes the labels and returns the index of the first invalid label; negative if all are
   * valid.
   */
  long end() throws IOException {
    flush();
    if (failure != null) {
      throw failure;
    }
    return wrongIndex;
  }

  long wrong() {
    return wrong;
  }
}
