package org.saevhadoop.format.reader.vector;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.reader.block.Gather;
import org.saevhadoop.format.reader.block.OpenShards;

/**
 * Reads ranges of a view and the corresponding labels into buffers. Not safe for use by multiple
 * threads.
 */
final class VectorSource implements Closeable {
  private static final int SCALED_AT_ONCE = 1024;

  private final ActivationDataset dataset;
  private final VectorView view;
  private final OpenShards files;
  private final float scale;
  private final int vectorBytes;
  private final List<IndexRange> runs;
  private final Gather gather = new Gather();
  private final float[] floats = new float[SCALED_AT_ONCE];
  private ByteBuffer dst = ByteBuffer.allocate(0);
  private int start;
  private @Nullable ByteBuffer piece;
  private @Nullable PatchLabels labels;
  private byte[] examplesLabels = new byte[0];
  private int labelsWritten;
  private volatile Gather.@Nullable Reading readingLabels;

  /**
   * Creates a source; files are opened on demand.
   *
   * @param openFiles the maximum number of open files
   * @param scale the factor by which all floats are multiplied; 1 leaves their bits unchanged
   */
  VectorSource(ActivationDataset dataset, VectorView view, int openFiles, float scale) {
    this.dataset = dataset;
    this.view = view;
    this.files = new OpenShards(dataset, openFiles);
    this.scale = scale;
    this.vectorBytes = view.geometry().vectorBytes();
    this.runs = dataset.tokenRuns();
  }

  /**
   * Returns a buffer for {@code vectors} vectors that belongs to this source; every call returns
   * the same one.
   */
  ByteBuffer piece(int vectors) {
    if (piece == null) {
      piece = Input.buffer(vectors * vectorBytes);
    }
    return piece.clear();
  }

  /** Sets the destination of the ranges to be added: {@code buffer}, starting at its position. */
  void into(ByteBuffer buffer) {
    dst = buffer;
    start = buffer.position();
    gather.into(buffer);
  }

  /** Adds the vectors {@code [from, to)}. */
  void add(long from, long to) throws IOException {
    view.forEachRun(from, to, this::addRun);
  }

  /** Reads all added ranges into the buffer. */
  void finish() throws IOException {
    gather.finish();
    if (scale != 1) {
      multiply(dst.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip().position(start));
    }
  }

  /** Reads the vectors {@code [from, to)} into a buffer, starting at its position. */
  void read(long from, long to, ByteBuffer buffer) throws IOException {
    into(buffer);
    add(from, to);
    finish();
  }

  /** Reads the labels of the vectors {@code [from, to)} into {@code dst}. */
  void labels(long from, long to, short[] dst) throws IOException {
    if (from == to) {
      return;
    }
    int patches = view.patchesPerExample();
    long first = from / view.perExample();
    int bytes = Math.toIntExact(((to - 1) / view.perExample() - first + 1) * patches);
    if (examplesLabels.length < bytes) {
      examplesLabels = new byte[bytes];
    }
    readingLabels =
        new Gather.Reading(dataset.path(), "the labels of example", first, System.nanoTime());
    if (labels == null) {
      labels = dataset.openLabels();
    }
    labels.read(first, ByteBuffer.wrap(examplesLabels, 0, bytes));
    readingLabels = null;
    labelsWritten = 0;
    view.forEachRun(
        from,
        to,
        (example, layerIndex, token, count) -> {
          int patch = view.patch(token);
          int at = (int) (example - first) * patches + patch;
          for (int i = 0; i < count; i++) {
            boolean none = patch + i == VectorView.NO_PATCH;
            dst[labelsWritten++] =
                none ? VectorBatch.NO_LABEL : (short) (examplesLabels[at + i] & 0xFF);
          }
        });
  }

  /**
   * Returns the most recently started read, or null if none is in progress. May be called by other
   * threads.
   */
  Gather.@Nullable Reading reading() {
    Gather.Reading labelsNow = readingLabels;
    if (labelsNow != null) {
      return labelsNow;
    }
    Gather.Reading openingNow = files.opening();
    return openingNow == null ? gather.reading() : openingNow;
  }

  /**
   * Clears the read in progress after it failed, so that a later failure is not attributed to it.
   */
  void forgetReading() {
    readingLabels = null;
    gather.forgetReading();
    files.forgetOpening();
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

  private void addRun(long example, int layerIndex, int token, int count) throws IOException {
    files.seek(example);
    long block = files.offset(example, layerIndex);
    long begin = 0;
    for (IndexRange run : runs) {
      long from = Math.max(token, begin);
      long to = Math.min(token + count, begin + run.length());
      if (from < to) {
        long stored = run.start() + from - begin - runs.get(0).start();
        gather.add(
            files.current().input(), block + stored * vectorBytes, (int) (to - from) * vectorBytes);
      }
      begin += run.length();
    }
  }

  private void multiply(ByteBuffer bytes) {
    FloatBuffer all = bytes.asFloatBuffer();
    while (all.hasRemaining()) {
      int n = Math.min(floats.length, all.remaining());
      all.get(all.position(), floats, 0, n);
      for (int i = 0; i < n; i++) {
        floats[i] *= scale;
      }
      all.put(floats, 0, n);
    }
  }
}
