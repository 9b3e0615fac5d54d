package org.saevhadoop.format.padding;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.BitSet;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.tokens.PaddingMarks;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;

/** The padding of a dataset as a mask, regardless of how the dataset marks it. */
public record PaddingMask(ActivationDataset dataset) implements TokenArrays {
  @Override
  public List<String> names() {
    return List.of(PaddingMarks.NAME);
  }

  @Override
  public int tokens() {
    return dataset.geometry().tokens();
  }

  @Override
  public TokenReader open() throws IOException {
    TokenPadding padding = TokenPadding.of(dataset);
    return new TokenReader() {
      @Override
      public void read(int array, long first, LongBuffer dst) throws IOException {
        int values = dst.remaining();
        BitSet marked = padding.read(first, values / tokens());
        for (int i = 0; i < values; i++) {
          dst.put(marked.get(i) ? PaddingMarks.MASKED : PaddingMarks.TOKEN);
        }
      }

      @Override
      public void close() throws IOException {
        padding.close();
      }
    };
  }
}
