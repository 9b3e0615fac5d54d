package org.saevhadoop.format.reader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;

/**
 * Reads single vectors of a view. Files stay open, so a vector costs one read at a position,
 * wherever it lies. For one thread.
 */
public final class IndexedReader implements Closeable {
  /** Beyond this, files are closed and opened again: a process may not open any number of them. */
  static final int OPEN_FILES = 1024;

  private final ActivationDataset dataset;
  private final VectorView view;
  private final OpenShards files;
  private final int vectorBytes;
  private final List<IndexRange> runs;
  private final ByteBuffer vector;
  private final FloatBuffer floats;
  private VectorSource labels;
  private final short[] label = new short[1];

  /**
   * Opens no file yet.
   *
   * @throws IllegalArgumentException where the dataset's numbers are no floats
   */
  public IndexedReader(ActivationDataset dataset, VectorView view) {
    view.requireFloats(dataset);
    this.dataset = dataset;
    this.view = view;
    this.files = new OpenShards(dataset, OPEN_FILES);
    this.vectorBytes = view.geometry().vectorBytes();
    this.runs = dataset.tokenRuns();
    this.vector = ByteBuffer.allocateDirect(vectorBytes).order(ByteOrder.LITTLE_ENDIAN);
    this.floats = vector.asFloatBuffer();
  }

  /** How many vectors there are. */
  public long length() {
    return view.length();
  }

  /** What the vector at an index is. */
  public VectorView.Position position(long index) {
    return view.position(index);
  }

  /** Where the vector at an index lies. */
  public VectorLocation location(long index) throws IOException {
    VectorView.Position at = view.position(index);
    long offset = seek(at);
    return new VectorLocation(
        dataset.sourceExample(at.example()),
        view.geometry().layers().get(at.layerIndex()),
        dataset.sourceToken(at.token()),
        files.current().shard(),
        offset);
  }

  /**
   * Reads a vector.
   *
   * @param index {@code [0, length)}
   * @param dst has dim elements
   */
  public void read(long index, float[] dst) throws IOException {
    if (dst.length != view.geometry().dim()) {
      throw new IllegalArgumentException(
          "dst has %d floats (expected %d)".formatted(dst.length, view.geometry().dim()));
    }
    long offset = seek(view.position(index));
    files.current().input().readFully(offset, vector.clear());
    floats.get(0, dst);
  }

  /**
   * Reads a vector's bytes, little-endian floats, to the buffer's position and on.
   *
   * @param index {@code [0, length)}
   * @param dst has room for a vector
   */
  public void read(long index, ByteBuffer dst) throws IOException {
    if (dst.remaining() < vectorBytes) {
      throw new IllegalArgumentException(
          "dst has room for %d bytes (expected %d)".formatted(dst.remaining(), vectorBytes));
    }
    long offset = seek(view.position(index));
    int limit = dst.limit();
    dst.limit(dst.position() + vectorBytes);
    try {
      files.current().input().readFully(offset, dst);
    } finally {
      dst.limit(limit);
    }
  }

  /** The label of the vector at an index, 0 to 255, or {@link VectorBatch#NO_LABEL}. */
  public int label(long index) throws IOException {
    if (view.position(index).patch() == VectorView.NO_PATCH || !dataset.hasLabels()) {
      return VectorBatch.NO_LABEL;
    }
    if (labels == null) {
      labels = new VectorSource(dataset, view, 2, 1);
    }
    labels.labels(index, index + 1, label);
    return label[0];
  }

  @Override
  public void close() throws IOException {
    try {
      files.close();
    } finally {
      if (labels != null) {
        labels.close();
      }
    }
  }

  private long seek(VectorView.Position at) throws IOException {
    files.seek(at.example());
    return files.offset(at.example(), at.layerIndex()) + stored(at.token()) * vectorBytes;
  }

  /** How many tokens after the first one of its block a token is stored. */
  private long stored(int token) {
    long begin = 0;
    for (IndexRange run : runs) {
      if (token < begin + run.length()) {
        return run.start() + token - begin - runs.get(0).start();
      }
      begin += run.length();
    }
    throw new IndexOutOfBoundsException(Integer.toString(token));
  }
}
