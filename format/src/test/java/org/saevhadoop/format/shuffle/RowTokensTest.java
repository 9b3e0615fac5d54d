package org.saevhadoop.format.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.write.RowUnit;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.format.tokens.TokenReader;

class RowTokensTest {
  private static final SideRow SIDE = new SideRow(true, 2, 1);

  /** Returns the coordinates of two rows, of examples 7 and 8 and of tokens 3 and 5. */
  private static RowTokens coordinates(MemoryInput file) {
    List<IndexRange> tokens = List.of(new IndexRange(3, 6));
    List<IndexRange> examples = List.of(new IndexRange(0, 9));
    RowOrder order =
        new RowOrder(RowUnit.VECTOR, 0, "parent", List.of(9), examples, tokens, 2, null, 0);
    Geometry geometry = new Geometry(2, List.of(9), 1, 4);
    Activations activations = new Activations(geometry, OptionalInt.of(0), Provenance.NONE);
    RowFormat format = new RowFormat(new Buckets(2, 2, 2), 16, 2);
    ShufflePlan plan = new ShufflePlan(0, order, activations, 3, format, SIDE);
    return new RowTokens(plan, () -> new SideReader(file, SIDE));
  }

  @Test
  void valuesAreThoseBesideEachRowAndTheFileIsClosed() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(2 * SIDE.bytes());
    ByteBuffer row = SIDE.buffer();
    for (int i = 0; i < 2; i++) {
      SIDE.put(7 + i, 3 + 2 * i, ByteBuffer.wrap(new byte[] {1, 2, (byte) i}), row);
      bytes.put(row);
    }
    MemoryInput file = new MemoryInput("side", bytes.array());
    RowTokens coordinates = coordinates(file);
    assertThat(coordinates.names()).containsExactly("example", "token", "layer", "attention_mask");
    try (TokenReader reader = coordinates.open()) {
      long[][] expected = {{7, 8}, {3, 5}, {9, 9}, {0, 1}};
      for (int array = 0; array < expected.length; array++) {
        LongBuffer values = LongBuffer.allocate(2);
        reader.read(array, 0, values);
        assertThat(values.array()).isEqualTo(expected[array]);
      }
      assertThat(file.closed()).isZero();
    }
    assertThat(file.closed()).isEqualTo(1);
  }
}
