package org.saevhadoop.format.reader.vector;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRanges;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.reader.block.OpenShards;

/**
 * Reads single vectors of a view. Files stay open, so a vector costs one positional read. Not safe
 * for use by multiple threads.
 */
@PublicApi
public final class IndexedReader implements Closeable {
  /**
   * Maximum number of open files; the number per process is limited, so other files are closed and
   * reopened.
   */
  static final int OPEN_FILES = 1024;

  private final ActivationDataset dataset;
  private final VectorView view;
  private final OpenShards files;
  private final int vectorBytes;
  private final IndexRanges runs;
  private final ByteBuffer vector;
  private final FloatBuffer floats;
  private @Nullable VectorSource labels;
  private final short[] label = new short[1];

  /**
   * Creates a reader; files are opened on demand.
   *
   * @throws IllegalArgumentException if the values of the dataset are not float32
   */
  public IndexedReader(ActivationDataset dataset, VectorView view) {
    view.requireFloats(dataset);
    this.dataset = dataset;
    this.view = view;
    this.files = new OpenShards(dataset, OPEN_FILES);
    this.vectorBytes = view.geometry().vectorBytes();
    this.runs = new IndexRanges(dataset.tokenRuns());
    this.vector = Input.buffer(vectorBytes).order(ByteOrder.LITTLE_ENDIAN);
    this.floats = vector.asFloatBuffer();
  }

  /** Returns the number of vectors. */
  public long length() {
    return view.length();
  }

  /** Returns the coordinates of the vector at an index. */
  public VectorView.Position position(long index) {
    return view.position(index);
  }

  /** Returns the location of the vector at an index. */
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
   * @param index an index in {@code [0, length)}
   * @param dst an array of dim elements
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
   * Reads the bytes of a vector, which are little-endian floats, into a buffer, starting at the
   * position of the buffer.
   *
   * @param index an index in {@code [0, length)}
   * @param dst a buffer with room for a vector
   */
  public void read(long index, ByteBuffer dst) throws IOException {
    if (dst.remaining() < vectorBytes) {
      throw new IllegalArgumentException(
          Quote.sentence("dst has room for %d bytes (expected %d)", dst.remaining(), vectorBytes));
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

  /** Returns the label of the vector at an index, 0 to 255 or {@link VectorBatch#NO_LABEL}. */
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
    long token = runs.index(at.token()) - runs.index(0); // in the stored block
    return files.offset(at.example(), at.layerIndex()) + token * vectorBytes;
  }
}
