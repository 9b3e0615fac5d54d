package org.saevhadoop.format.projection;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.List;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * Per-token integers of a subset of the examples and of their tokens.
 *
 * @param examples the selected examples, which are renumbered from 0
 * @param selected the ranges of the selected tokens, in ascending order
 */
record ProjectedTokens(TokenArrays source, IndexRanges examples, List<IndexRange> selected)
    implements TokenArrays {
  private static final int READ_VALUES = 1 << 17;

  @Override
  public List<String> names() {
    return source.names();
  }

  @Override
  public int tokens() {
    return (int) selected.stream().mapToLong(IndexRange::length).sum();
  }

  @Override
  public TokenReader open() throws IOException {
    TokenReader reader = source.open();
    return new TokenReader() {
      @Override
      public void read(int array, long first, LongBuffer dst) throws IOException {
        for (IndexRange range : examples.slice(first, dst.remaining() / tokens())) {
          for (long example = range.start(); example < range.stop(); ) {
            example += copy(reader, array, example, range.stop() - example, dst);
          }
        }
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }

  /** Reads consecutive examples of the source and returns the number of examples read. */
  private long copy(TokenReader reader, int array, long example, long count, LongBuffer dst)
      throws IOException {
    int stored = source.tokens();
    int read = (int) Math.min(count, Math.max(1, READ_VALUES / stored));
    LongBuffer values = LongBuffer.allocate(read * stored);
    reader.read(array, example, values);
    for (int i = 0; i < read; i++) {
      for (IndexRange range : selected) {
        dst.put(values.array(), i * stored + (int) range.start(), (int) range.length());
      }
    }
    return read;
  }
}
