package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.BlockCursorTest;

class VectorViewTest {
  @Test
  void everyIndexOfEveryViewIsWhatCountingGives() throws FormatException {
    for (int examples = 0; examples <= 5; examples++) {
      for (int layerCount = 1; layerCount <= 4; layerCount++) {
        for (int patches = 1; patches <= 4; patches++) {
          assertIndexes(examples, layerCount, patches, 0);
          assertIndexes(examples, layerCount, patches, 1);
        }
      }
    }
  }

  private static void assertIndexes(int examples, int layerCount, int patches, int cls)
      throws FormatException {
    Geometry geometry = BlockCursorTest.geometry(examples, layerCount, patches + cls, 2);
    for (TokenChoice tokens : TokenChoice.values()) {
      for (int l = -1; l < layerCount; l++) {
        if (tokens != TokenChoice.CLS || cls == 1) {
          Integer layer = l < 0 ? null : geometry.layers().get(l);
          VectorView view = VectorView.of("x", geometry, cls, tokens, layer);
          List<VectorView.Position> expected = counted(geometry, cls, tokens, layer);
          assertThat(view.length()).isEqualTo(expected.size());
          for (int i = 0; i < expected.size(); i++) {
            VectorView.Position at = expected.get(i);
            assertThat(view.position(i)).isEqualTo(at);
            assertThat(view.index(at.example(), at.layerIndex(), at.token())).isEqualTo(i);
          }
          assertThatThrownBy(() -> view.position(-1)).isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> view.position(view.length()))
              .isInstanceOf(IndexOutOfBoundsException.class);
        }
      }
    }
  }

  @Test
  void indexesAboveTwoToThe31AreExact() throws FormatException {
    Geometry geometry = new Geometry(100_000_000, List.of(2, 5, 9), 257, 8);
    VectorView view = VectorView.of("x", geometry, 1, TokenChoice.IMAGE, null);
    assertThat(view.length()).isEqualTo(100_000_000L * 3 * 256);
    long index = 99_999_999L * 768 + 2 * 256 + 7;
    VectorView.Position position = new VectorView.Position(99_999_999, 2, 8, 7);
    assertThat(view.position(index)).isEqualTo(position);
    assertThat(view.index(99_999_999, 2, 8)).isEqualTo(index);
    VectorView all = VectorView.of("x", geometry, 1, TokenChoice.ALL, 9);
    assertThat(all.position(all.length() - 1))
        .isEqualTo(new VectorView.Position(99_999_999, 2, 256, 255));
  }

  /** The SAEV project's own cases: 16 patches, 2 layers, a budget of 128 tokens a shard. */
  @ParameterizedTest
  @CsvSource({
    // index, shard, row in it, patch
    "0, 0, 0, 0",
    "15, 0, 0, 15",
    "16, 0, 1, 0",
    "31, 0, 1, 15",
    "48, 1, 0, 0"
  })
  void contentIndexesAreWhereTheProjectsTestsHaveThem(long index, int shard, long row, int patch)
      throws IOException {
    int perShard = 3;
    for (int cls = 0; cls <= 1; cls++) {
      assertThat(128 / ((16 + cls) * 2)).isGreaterThanOrEqualTo(perShard);
      Geometry geometry = new Geometry(7, List.of(6, 11), 16 + cls, 4);
      InventedDataset dataset = new InventedDataset(geometry, false, perShard);
      VectorView view = VectorView.of(dataset, cls, TokenChoice.parse("content"), 11);
      try (IndexedReader reader = new IndexedReader(dataset, view)) {
        VectorLocation at = reader.location(index);
        assertThat(at.shard()).isEqualTo(dataset.shards().get(shard));
        assertThat(at.example() - at.shard().first()).isEqualTo(row);
        assertThat(at.layer()).isEqualTo(11);
        assertThat(at.token()).isEqualTo(patch + cls);
        assertThat(at.offset()).isEqualTo(12 + ((row * 2 + 1) * (16 + cls) + patch + cls) * 16);
      }
    }
  }

  @Test
  void specialIndexesCrossTheBorderOfAShard() throws IOException {
    Geometry geometry = new Geometry(7, List.of(6, 11), 17, 4);
    InventedDataset dataset = new InventedDataset(geometry, false, 3);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.parse("special"), 6);
    try (IndexedReader reader = new IndexedReader(dataset, view)) {
      for (int i = 0; i < 7; i++) {
        VectorLocation at = reader.location(i);
        assertThat(at.shard()).isEqualTo(dataset.shards().get(i / 3));
        assertThat(at.offset()).isEqualTo(12 + i % 3 * 2L * 17 * 16);
        assertThat(at.token()).isZero();
      }
    }
  }

  @Test
  void aLayerThatWasNotRecordedIsAnErrorThatListsThoseThatWere() {
    Geometry geometry = BlockCursorTest.geometry(3, 2, 2, 2);
    assertFails(
        DatasetError.NO_SUCH_LAYER,
        "x",
        () -> VectorView.of("x", geometry, 1, TokenChoice.ALL, 12));
  }

  @Test
  void tokensThatWereNotStoredCanNotBeViewed() {
    Geometry geometry = BlockCursorTest.geometry(3, 2, 1, 2);
    assertFails(
        DatasetError.NO_SUCH_TOKEN,
        "x",
        () -> VectorView.of("x", geometry, 0, TokenChoice.CLS, 11));
    assertFails(
        DatasetError.NO_SUCH_TOKEN,
        "x",
        () -> VectorView.of("x", geometry, 1, TokenChoice.IMAGE, 11));
  }

  @Test
  void aCoordinateOutsideTheViewHasNoIndex() throws FormatException {
    Geometry geometry = BlockCursorTest.geometry(3, 2, 4, 2);
    VectorView view = VectorView.of("x", geometry, 1, TokenChoice.IMAGE, 13);
    for (int[] at :
        new int[][] {{3, 1, 1}, {-1, 1, 1}, {0, 0, 1}, {0, 2, 1}, {0, 1, 0}, {0, 1, 4}}) {
      assertThatThrownBy(() -> view.index(at[0], at[1], at[2]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tokensHaveTheNamesOfBothGenerations(TokenChoice tokens) {
    assertThat(TokenChoice.parse(tokens.toString())).isEqualTo(tokens);
    assertThat(TokenChoice.parse("Special")).isEqualTo(TokenChoice.CLS);
    assertThat(TokenChoice.parse("content")).isEqualTo(TokenChoice.IMAGE);
    assertThatThrownBy(() -> TokenChoice.parse("patches"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"patches\" names no tokens (expected cls, special, image, content or all)");
  }

  private static List<VectorView.Position> counted(
      Geometry geometry, int cls, TokenChoice tokens, Integer layer) {
    List<VectorView.Position> all = new ArrayList<>();
    for (long e = 0; e < geometry.examples(); e++) {
      for (int l = 0; l < geometry.layers().size(); l++) {
        for (int t = 0; t < geometry.tokens(); t++) {
          boolean isCls = cls == 1 && t == 0;
          boolean asked = tokens == TokenChoice.ALL || isCls == (tokens == TokenChoice.CLS);
          if (asked && (layer == null || geometry.layers().get(l).equals(layer))) {
            all.add(new VectorView.Position(e, l, t, isCls ? -1 : t - cls));
          }
        }
      }
    }
    return all;
  }
}
