package org.saevhadoop.format.reader.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.io.Input;

/**
 * Vectors that a reader delivers together, {@code [rows, dim]}, with their coordinates and labels.
 * The reader reuses a batch once it has advanced to the next one.
 */
@PublicApi
public final class VectorBatch {
  /** Label of a vector that has no label: [CLS], and every vector of a dataset without labels. */
  public static final short NO_LABEL = -1;

  private final VectorView view;
  private final ByteBuffer bytes;
  private final long[] indexes;
  private final short @Nullable [] labels;
  private int rows;

  VectorBatch(VectorView view, int mostRows, boolean labelled) {
    this.view = view;
    this.bytes = Input.buffer(mostRows * view.geometry().vectorBytes());
    this.indexes = new long[mostRows];
    this.labels = labelled ? new short[mostRows] : null;
  }

  /** Returns the number of vectors. */
  public int rows() {
    return rows;
  }

  /** Returns the contiguous little-endian floats {@code [rows, dim]}. */
  public ByteBuffer bytes() {
    return bytes.slice(0, rows * view.geometry().vectorBytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the floats {@code [rows, dim]}. */
  public FloatBuffer floats() {
    return bytes().asFloatBuffer();
  }

  /** Returns the index, within the view, of the vector in a row. */
  public long index(int row) {
    return indexes[row];
  }

  /** Returns the example of the vector in a row. */
  public long example(int row) {
    return indexes[row] / view.perExample();
  }

  /** Returns the layer number of the vector in a row, as in the model. */
  public int layer(int row) {
    return view.geometry().layers().get(view.position(indexes[row]).layerIndex());
  }

  /**
   * Returns the token of the vector in a row, counted without [CLS], or {@link VectorView#NO_PATCH}
   * for [CLS].
   */
  public int patch(int row) {
    return view.position(indexes[row]).patch();
  }

  /** Returns the label of the vector in a row, which is 0 to 255 or {@link #NO_LABEL}. */
  public int label(int row) {
    return labels == null ? NO_LABEL : labels[row];
  }

  void setRows(int count) {
    rows = count;
  }

  /** Returns the bytes of the rows {@code [from, to)}, for writing. */
  ByteBuffer rowBytes(int from, int to) {
    int vector = view.geometry().vectorBytes();
    return bytes.slice(from * vector, (to - from) * vector);
  }

  /** Records that row {@code row + i} contains vector {@code index + i}, for {@code count} rows. */
  void identify(int row, long index, int count) {
    for (int i = 0; i < count; i++) {
      indexes[row + i] = index + i;
    }
  }

  void setLabels(int row, short[] src, int count) {
    System.arraycopy(src, 0, Objects.requireNonNull(labels), row, count);
  }

  /** Copies a vector from position {@code at} of {@code src} into a row. */
  void put(int row, long index, short label, ByteBuffer src, int at) {
    int vector = view.geometry().vectorBytes();
    bytes.put(row * vector, src, at, vector);
    indexes[row] = index;
    if (labels != null) {
      labels[row] = label;
    }
  }
}
