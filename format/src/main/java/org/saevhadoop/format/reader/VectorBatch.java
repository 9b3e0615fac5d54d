package org.saevhadoop.format.reader;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Vectors that a reader delivers together, {@code [rows, dim]}, and what each of them is. It is
 * filled anew once its reader has moved on.
 */
public final class VectorBatch {
  /** The label of what has none: [CLS], and every vector of a dataset without labels. */
  public static final short NO_LABEL = -1;

  private final VectorView view;
  private final ByteBuffer bytes;
  private final long[] indexes;
  private final short[] labels;
  private int rows;

  VectorBatch(VectorView view, int mostRows, boolean labelled) {
    this.view = view;
    this.bytes = ByteBuffer.allocateDirect(mostRows * view.geometry().vectorBytes());
    this.indexes = new long[mostRows];
    this.labels = labelled ? new short[mostRows] : null;
  }

  /** How many vectors it has. */
  public int rows() {
    return rows;
  }

  /** The floats {@code [rows, dim]}, little-endian and one after the other. */
  public ByteBuffer bytes() {
    return bytes.slice(0, rows * view.geometry().vectorBytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The floats {@code [rows, dim]}. */
  public FloatBuffer floats() {
    return bytes().asFloatBuffer();
  }

  /** Where a row's vector stands in the view. */
  public long index(int row) {
    return indexes[row];
  }

  /** A row's example. */
  public long example(int row) {
    return indexes[row] / view.perExample();
  }

  /** A row's layer, as the model counts it. */
  public int layer(int row) {
    return view.geometry().layers().get(view.position(indexes[row]).layerIndex());
  }

  /** A row's token, counted without [CLS]; {@link VectorView#NO_PATCH} for [CLS]. */
  public int patch(int row) {
    return view.position(indexes[row]).patch();
  }

  /** A row's label, 0 to 255, or {@link #NO_LABEL}. */
  public int label(int row) {
    return labels == null ? NO_LABEL : labels[row];
  }

  void setRows(int count) {
    rows = count;
  }

  /** The bytes of the rows {@code [from, to)}, to be filled. */
  ByteBuffer rowBytes(int from, int to) {
    int vector = view.geometry().vectorBytes();
    return bytes.slice(from * vector, (to - from) * vector);
  }

  /** Says that row {@code row + i} holds vector {@code index + i}, for {@code count} of them. */
  void identify(int row, long index, int count) {
    for (int i = 0; i < count; i++) {
      indexes[row + i] = index + i;
    }
  }

  void setLabels(int row, short[] src, int count) {
    System.arraycopy(src, 0, labels, row, count);
  }

  /** Fills a row with a vector that lies somewhere in {@code src}. */
  void put(int row, long index, short label, ByteBuffer src, int at) {
    int vector = view.geometry().vectorBytes();
    bytes.put(row * vector, src, at, vector);
    indexes[row] = index;
    if (labels != null) {
      labels[row] = label;
    }
  }
}
