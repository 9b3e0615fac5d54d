package org.saevhadoop.format.shuffle;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * The per-token integers of a shuffled dataset: for each row, the numbers of the example, token and
 * layer in the source from which the vector comes, and the padding mask. If an example has several
 * layers, the layer is omitted.
 */
record RowTokens(ShufflePlan plan, Io.Supplier<SideReader> side) implements TokenArrays {
  private static final String EXAMPLE = "example";
  private static final String TOKEN = "token";
  private static final String LAYER = "layer";

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    if (plan.side().coordinates()) {
      names.addAll(List.of(EXAMPLE, TOKEN));
      if (plan.activations().geometry().layers().size() == 1) {
        names.add(LAYER);
      }
    }
    if (plan.side().marks() > 0) {
      names.add(PaddingMarks.NAME);
    }
    return names;
  }

  @Override
  public int tokens() {
    return plan.activations().geometry().tokens();
  }

  @Override
  public TokenReader open() throws IOException {
    SideReader rows = side.get();
    int layer = plan.activations().geometry().layers().get(0);
    IndexRanges tokens = new IndexRanges(plan.order().tokens());
    boolean examples = plan.order().unit() == RowUnit.EXAMPLE;
    return new TokenReader() {
      @Override
      public void read(int array, long first, LongBuffer dst) throws IOException {
        String name = names().get(array);
        int all = dst.remaining() / tokens();
        rows.read(
            first,
            all,
            (bytes, at) -> {
              for (int token = 0; token < tokens(); token++) {
                dst.put(
                    switch (name) {
                      case EXAMPLE -> SideRow.example(bytes, at);
                      case TOKEN -> examples ? tokens.index(token) : SideRow.token(bytes, at);
                      case LAYER -> layer;
                      default -> plan.side().mark(bytes, at, token);
                    });
              }
            });
      }

      @Override
      public void close() throws IOException {
        rows.close();
      }
    };
  }
}
