package org.saevhadoop.format.reader.vector;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;

/**
 * A row of a batch as a test compares it.
 *
 * @param bytes of the vector
 */
record Row(long index, long example, int layer, int patch, int label, ByteBuffer bytes) {
  /** The rows of a batch. */
  static List<Row> of(VectorBatch batch) {
    List<Row> rows = new ArrayList<>();
    int vector = batch.bytes().remaining() / batch.rows();
    for (int row = 0; row < batch.rows(); row++) {
      ByteBuffer copy = ByteBuffer.allocate(vector);
      copy.put(batch.bytes().slice(row * vector, vector)).flip();
      rows.add(
          new Row(
              batch.index(row),
              batch.example(row),
              batch.layer(row),
              batch.patch(row),
              batch.label(row),
              copy));
    }
    return rows;
  }

  /** The rows that a view has, as {@link IndexedReader} reads them. */
  static List<Row> of(ActivationDataset dataset, VectorView view) throws java.io.IOException {
    List<Row> rows = new ArrayList<>();
    int vector = dataset.geometry().vectorBytes();
    try (IndexedReader reader = new IndexedReader(dataset, view)) {
      for (long i = 0; i < reader.length(); i++) {
        ByteBuffer bytes = ByteBuffer.allocate(vector);
        reader.read(i, bytes);
        VectorView.Position at = reader.position(i);
        int layer = dataset.geometry().layers().get(at.layerIndex());
        rows.add(new Row(i, at.example(), layer, at.patch(), reader.label(i), bytes.flip()));
      }
    }
    return rows;
  }
}
