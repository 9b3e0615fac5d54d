package org.saevhadoop.format.combined;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ShardSlice;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/** Integers of the tokens of the examples of several sources, of which one at a time is open. */
record CombinedTokens(SourceExamples examples) implements TokenArrays {
  @Override
  public List<String> names() {
    return examples.firstFacts().tokenArrays();
  }

  @Override
  public int tokens() {
    return Objects.requireNonNull(examples.firstFacts().activations()).geometry().tokens();
  }

  @Override
  public TokenReader open() {
    return new Reader();
  }

  private final class Reader implements TokenReader {
    private int source = -1;
    private @Nullable TokenReader open;

    @Override
    public void read(int array, long first, LongBuffer dst) throws IOException {
      int limit = dst.limit();
      for (ShardSlice slice : examples.slices(first, dst.remaining() / tokens())) {
        TokenReader reader = reader(slice);
        dst.limit(dst.position() + (int) slice.examples() * tokens());
        reader.read(array, slice.start(), dst);
        dst.limit(limit);
      }
    }

    private TokenReader reader(ShardSlice slice) throws IOException {
      TokenReader reader = open;
      if (reader == null || source != slice.index()) {
        close();
        reader = examples.open(slice).requireActivations().tokenArrays().open();
        source = slice.index();
        open = reader;
      }
      return reader;
    }

    @Override
    public void close() throws IOException {
      if (open != null) {
        TokenReader closing = open;
        open = null;
        closing.close();
      }
    }
  }
}
