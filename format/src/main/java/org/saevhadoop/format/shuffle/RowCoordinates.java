package org.saevhadoop.format.shuffle;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.List;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/**
 * The example, the layer and the token from which each vector of a shuffled dataset comes, with the
 * numbers that they have in the source. If an example has several layers, the layer is omitted.
 */
record RowCoordinates(ShufflePlan plan, SideReader.Opener side) implements TokenArrays {
  private static final int EXAMPLE = 0;
  private static final int TOKEN = 1;

  @Override
  public List<String> names() {
    return plan.activations().geometry().layers().size() == 1
        ? List.of("example", "token", "layer")
        : List.of("example", "token");
  }

  @Override
  public int tokens() {
    return plan.activations().geometry().tokens();
  }

  @Override
  public TokenReader open() throws IOException {
    SideReader rows = side.open();
    int layer = plan.activations().geometry().layers().get(0);
    IndexRanges tokens = new IndexRanges(plan.order().tokens());
    boolean examples = plan.order().unit() == RowOrder.Unit.EXAMPLE;
    return new TokenReader() {
      @Override
      public void read(int array, long first, LongBuffer dst) throws IOException {
        int all = dst.remaining() / tokens();
        rows.read(
            first,
            all,
            (bytes, at) -> {
              for (int token = 0; token < tokens(); token++) {
                dst.put(
                    array == EXAMPLE
                        ? SideRow.example(bytes, at)
                        : array != TOKEN
                            ? layer
                            : examples ? tokens.index(token) : SideRow.token(bytes, at));
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
