package org.saevhadoop.format.reader.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.reader.block.BlockCursorTest;
import org.saevhadoop.format.reader.block.ChangedDataset;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class IndexedReaderTest {
  @Property(tries = 100, sample = 40)
  void everyVectorIsTheOneOfItsCoordinates(RandomValues any) throws IOException {
    int examples = any.intBetween(1, 7);
    int layers = any.intBetween(1, 3);
    int perShard = any.intBetween(1, 3);
    boolean byLayer = any.bool();
    TokenChoice tokens = any.of(TokenChoice.class);
    Geometry geometry = BlockCursorTest.geometry(examples, layers, 3, 5);
    InventedDataset dataset = new InventedDataset(geometry, byLayer, perShard);
    VectorView view = VectorView.of(dataset, 1, tokens, null);
    float[] floats = new float[5];
    ByteBuffer bytes = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
    try (IndexedReader reader = new IndexedReader(dataset, view)) {
      for (long i = reader.length() - 1; i >= 0; i--) {
        VectorView.Position at = view.position(i);
        ByteBuffer expected = dataset.vector(at.example(), at.layerIndex(), at.token());
        reader.read(i, bytes.clear().position(7));
        assertThat(bytes.position()).isEqualTo(27);
        assertThat(bytes.limit()).isEqualTo(64);
        assertThat(bytes.slice(7, 20)).isEqualTo(expected);
        reader.read(i, floats);
        float[] values = new float[5];
        expected.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        assertThat(floats).containsExactly(values);
      }
    }
  }

  @Test
  void noFileIsOpenedTwice() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(300, 1, 2, 1);
    ChangedDataset dataset =
        ChangedDataset.reading(new InventedDataset(geometry, false, 2), input -> input);
    try (IndexedReader reader =
        new IndexedReader(dataset, VectorView.of(dataset, 1, TokenChoice.ALL, 11))) {
      float[] vector = new float[1];
      for (long i = 0; i < 3000; i++) {
        reader.read(i * 7919 % reader.length(), vector);
      }
    }
    assertThat(dataset.opened()).hasValue(150);
  }

  @Test
  void labelsAreThoseOfPatches() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(6, 2, 4, 1);
    ChangedDataset dataset = ChangedDataset.labelled(new InventedDataset(geometry, false, 4), 3);
    VectorView view = VectorView.of(dataset, 1, TokenChoice.ALL, null);
    try (IndexedReader reader = new IndexedReader(dataset, view)) {
      for (long i = 0; i < reader.length(); i++) {
        VectorView.Position at = reader.position(i);
        assertThat(reader.label(i))
            .isEqualTo(at.patch() < 0 ? -1 : ChangedDataset.label(at.example(), at.patch()));
      }
    }
    InventedDataset unlabelled = new InventedDataset(geometry, false, 4);
    try (IndexedReader reader = new IndexedReader(unlabelled, view)) {
      assertThat(reader.label(5)).isEqualTo(VectorBatch.NO_LABEL);
    }
  }

  @Test
  void anIndexOutsideTheViewIsRefused() throws IOException {
    Geometry geometry = BlockCursorTest.geometry(2, 1, 2, 3);
    InventedDataset dataset = new InventedDataset(geometry, false, 1);
    try (IndexedReader reader =
        new IndexedReader(dataset, VectorView.of(dataset, 1, TokenChoice.CLS, 11))) {
      float[] vector = new float[3];
      for (long index : new long[] {-1, 2, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> reader.read(index, vector))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThatThrownBy(() -> reader.read(0, new float[4]))
          .hasMessage("dst has 4 floats (expected 3)");
      assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(11)))
          .hasMessage("dst has room for 11 bytes (expected 12)");
    }
  }
}
