package org.saevhadoop.format.reader.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;

/**
 * Cursor over the selected records of a range of examples. Adjacent blocks of a file are fetched in
 * one read of up to 1 MiB; gaps between them are read only if that is cheaper than another read. A
 * record is a view of the read buffer and is valid until the next record.
 */
public final class BlockCursor implements Closeable {
  /**
   * Large enough to make the cost of a call negligible, small enough to fit into the processor
   * cache.
   */
  private static final int READ_BYTES = 1 << 20;

  /**
   * Maximum number of files between which a range of examples may alternate without reopening them.
   */
  private static final int OPEN_FILES = 32;

  /** Limits the pieces in a buffer, because a block may be empty. */
  private static final int MAX_PIECES = 1 << 16;

  private final RecordSelection selection;
  private final OpenShards files;
  private final Gather gather = new Gather();
  private final BlockWalk walk;

  /** Bytes to be read of a block, by column. */
  private final int[] pieceBytes;

  /** Pieces of one record; a record of one vector is part of a piece. */
  private final int piecesOfRecord;

  private final int exampleBytes;

  /** Size of a vector in bytes if records are vectors or blocks have gaps; otherwise 0. */
  private final int vectorBytes;

  /** Tokens of a stored block to be read if there are gaps between them; otherwise none. */
  private final List<IndexRange> runs;

  private final ByteBuffer buffer;
  private final long[] pieceExamples;
  private final int[] pieceColumns;
  private final int[] pieceEnds;
  private final ByteBuffer record;
  private boolean pending;
  private int pieces;
  private int piece;
  private int start;
  private int end;

  /**
   * Creates a cursor before the first record.
   *
   * @param first the number of the first example
   * @param count the number of examples
   */
  public BlockCursor(TableDataset dataset, RecordSelection selection, long first, long count)
      throws FormatException {
    TableShape table = dataset.table();
    this.selection = selection;
    this.files = new OpenShards(dataset, OPEN_FILES);
    this.walk = new BlockWalk(selection, first, count);
    boolean examples = selection.unit() == RecordSelection.Unit.EXAMPLE;
    long unit = examples ? selection.exampleBytes(table) : 0;
    long smallest = Integer.MAX_VALUE;
    for (int column : selection.order().columns()) {
      unit = Math.max(unit, table.blockBytes(column));
      smallest = Math.min(smallest, table.blockBytes(column));
    }
    DatasetError.TOO_LARGE.check(
        unit <= Integer.MAX_VALUE - 8,
        dataset.folder().path(),
        "a record of %d bytes is too large (expected less than 2 GiB: choose smaller records)",
        unit);
    DatasetError.TOO_LARGE.check(
        unit <= Runtime.getRuntime().maxMemory(),
        dataset.folder().path(),
        "a record of %d bytes does not fit into memory (expected a larger heap: -Xmx)",
        unit);
    this.pieceBytes = new int[table.columns().size()];
    for (int column : selection.order().columns()) {
      pieceBytes[column] = (int) table.blockBytes(column);
    }
    this.piecesOfRecord = examples ? selection.order().columns().size() : 1;
    this.exampleBytes = examples ? (int) unit : 0;
    ActivationDataset activations = dataset instanceof ActivationDataset some ? some : null;
    boolean vectors = selection.unit() == RecordSelection.Unit.VECTOR;
    if (vectors && activations == null) {
      throw new IllegalArgumentException(dataset.folder().path() + ": has no vectors");
    }
    this.vectorBytes = activations == null ? 0 : activations.geometry().vectorBytes();
    List<IndexRange> tokens = activations == null ? List.of() : activations.tokenRuns();
    this.runs = tokens.size() > 1 ? tokens : List.of();
    this.buffer =
        ByteBuffer.allocateDirect((int) (unit * Math.max(1, READ_BYTES / Math.max(1, unit))));
    this.record = buffer.duplicate();
    int maxPieces = (int) Math.min(MAX_PIECES, buffer.capacity() / Math.max(1, smallest));
    maxPieces = Math.max(1, maxPieces / piecesOfRecord) * piecesOfRecord;
    this.pieceExamples = new long[maxPieces];
    this.pieceColumns = new int[maxPieces];
    this.pieceEnds = new int[maxPieces];
  }

  /** Advances to the next record; returns false at the end of the range. */
  public boolean next() throws IOException {
    start = end;
    if (selection.unit() == RecordSelection.Unit.VECTOR) {
      if (pieces > 0 && start == pieceEnds[piece]) {
        piece++;
      }
    } else {
      piece += pieces > 0 ? piecesOfRecord : 0;
    }
    if (piece >= pieces) {
      fill();
      start = 0;
      piece = 0;
    }
    if (pieces == 0) {
      return false;
    }
    end =
        selection.unit() == RecordSelection.Unit.VECTOR
            ? start + vectorBytes
            : pieceEnds[piece + piecesOfRecord - 1];
    return true;
  }

  /** Returns the number of the example to which the record belongs. */
  public long example() {
    return pieceExamples[piece];
  }

  /**
   * Returns the index in the table of the record's column, or of its first column if the record is
   * a whole example.
   */
  public int column() {
    return pieceColumns[piece];
  }

  /** Returns the first token of the record. */
  public int token() {
    int pieceStart = piece == 0 ? 0 : pieceEnds[piece - 1];
    return vectorBytes == 0 ? 0 : (start - pieceStart) / vectorBytes;
  }

  /**
   * Returns the little-endian values of the record: a view that is valid until the next call of
   * {@link #next}.
   */
  public ByteBuffer bytes() {
    record.limit(end).position(start);
    return record.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the number of bytes read from the files so far, including gaps that were read only to
   * be skipped.
   */
  public long bytesRead() {
    return gather.bytesRead();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  /** Fills the buffer with as many whole records as fit. */
  private void fill() throws IOException {
    gather.into(buffer.clear());
    pieces = 0;
    int filled = 0;
    while (pieces < pieceExamples.length && (pending || walk.next())) {
      int bytes = pieceBytes[walk.column()];
      boolean begins = pieces % piecesOfRecord == 0;
      pending = buffer.capacity() - filled < (begins && piecesOfRecord > 1 ? exampleBytes : bytes);
      if (pending) {
        break;
      }
      files.seek(walk.example());
      long block = files.offset(walk.example(), walk.column());
      if (!runs.isEmpty()) {
        addRuns(block);
      } else if (bytes > 0) {
        gather.add(files.current().input(), block, bytes);
      }
      filled += bytes;
      pieceExamples[pieces] = walk.example();
      pieceColumns[pieces] = walk.column();
      pieceEnds[pieces++] = filled;
    }
    gather.finish();
  }

  private void addRuns(long block) throws IOException {
    long first = runs.get(0).start();
    for (IndexRange run : runs) {
      gather.add(
          files.current().input(),
          block + (run.start() - first) * vectorBytes,
          (int) run.length() * vectorBytes);
    }
  }
}
