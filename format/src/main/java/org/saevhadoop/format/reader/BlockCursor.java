package org.saevhadoop.format.reader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;

/**
 * Reads a selection of a range of examples. Blocks that follow one another in a file are fetched in
 * one read of up to a MiB, and what is left out between them is read only where that is cheaper
 * than another read; a record is a view of that buffer, valid until the next one.
 */
public final class BlockCursor implements Closeable {
  /** Big enough for the cost of a call to vanish, small enough to stay in the processor's cache. */
  private static final int READ_BYTES = 1 << 20;

  /** As many as one range of examples may alternate among. */
  private static final int OPEN_FILES = 32;

  private final Geometry geometry;
  private final Selection selection;
  private final OpenShards files;
  private final Gather gather = new Gather();
  private final BlockWalk walk;
  private final int pieceBytes;
  private final int recordBytes;
  private final ByteBuffer buffer;
  private final long[] pieceExamples;
  private final int[] pieceLayers;
  private final ByteBuffer record;
  private int recordsInBuffer;
  private int recordIndex = -1;

  /**
   * @param first number of the first example
   * @param count how many examples
   */
  public BlockCursor(ActivationDataset dataset, Selection selection, long first, long count)
      throws FormatException {
    this.geometry = dataset.geometry();
    this.selection = selection;
    this.files = new OpenShards(dataset, OPEN_FILES);
    this.walk = new BlockWalk(selection, first, count);
    long piece = (long) geometry.vectorBytes() * selection.tokens();
    long bytes = selection.recordBytes(geometry);
    FormatException.check(
        Math.max(piece, bytes) <= Integer.MAX_VALUE - 8,
        dataset.folder().path(),
        "a record of %d bytes is too large (expected less than 2 GiB: ask for smaller records)",
        Math.max(piece, bytes));
    this.pieceBytes = (int) piece;
    this.recordBytes = (int) bytes;
    int unit = Math.max(pieceBytes, recordBytes);
    this.buffer = ByteBuffer.allocateDirect(unit * Math.max(1, READ_BYTES / unit));
    this.record = buffer.duplicate();
    int pieces = buffer.capacity() / pieceBytes;
    this.pieceExamples = new long[pieces];
    this.pieceLayers = new int[pieces];
  }

  /** Moves to the next record; false at the end of the range. */
  public boolean next() throws IOException {
    recordIndex++;
    if (recordIndex >= recordsInBuffer) {
      fill();
      recordIndex = 0;
    }
    return recordsInBuffer > 0;
  }

  /** The record's example. */
  public long example() {
    return pieceExamples[piece()];
  }

  /** The index of the record's layer in the geometry; of its first one for a whole example. */
  public int layerIndex() {
    return pieceLayers[piece()];
  }

  /** The record's first token. */
  public int token() {
    return selection.firstToken()
        + (int) ((long) recordIndex * recordBytes % pieceBytes / geometry.vectorBytes());
  }

  /** The record's floats, little-endian: a view that the next call of {@link #next} takes back. */
  public ByteBuffer bytes() {
    int start = recordIndex * recordBytes;
    record.limit(start + recordBytes).position(start);
    return record.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Bytes read from the files so far, those included that were read only to skip them. */
  public long bytesRead() {
    return gather.bytesRead();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private int piece() {
    return (int) ((long) recordIndex * recordBytes / pieceBytes);
  }

  private void fill() throws IOException {
    gather.into(buffer.clear());
    int pieces = 0;
    while (pieces < pieceExamples.length && walk.next()) {
      files.seek(walk.example());
      long block = files.offset(walk.example(), walk.layerIndex());
      long skipped = (long) selection.firstToken() * geometry.vectorBytes();
      gather.add(files.current().input(), block + skipped, pieceBytes);
      pieceExamples[pieces] = walk.example();
      pieceLayers[pieces++] = walk.layerIndex();
    }
    gather.finish();
    recordsInBuffer = (int) ((long) pieces * pieceBytes / recordBytes);
  }
}
