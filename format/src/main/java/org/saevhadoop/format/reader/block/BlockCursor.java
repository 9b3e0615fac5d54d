package org.saevhadoop.format.reader.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.tensor.DType;

/**
 * Cursor over the selected records of a range of examples. Adjacent blocks of a file are fetched in
 * one read of up to 1 MiB; gaps between them are read only if that is cheaper than another read. A
 * record is a view of the read buffer and is valid until the next record.
 */
public final class BlockCursor implements Closeable {
  /**
   * Size of a read: large enough to make the cost of a call negligible, small enough to fit into
   * the processor cache.
   */
  private static final int READ_BYTES = 1 << 20;

  /**
   * Maximum number of files between which a range of examples may alternate without reopening them.
   */
  private static final int OPEN_FILES = 32;

  /** Maximum number of pieces in a buffer; this limit is needed because blocks may be empty. */
  private static final int MAX_PIECES = 1 << 16;

  private final RecordSelection selection;
  private final TableShape table;
  private final OpenShards files;
  private final Gather gather = new Gather();
  private final BlockWalk walk;

  /** Number of bytes to be read per block, by column. */
  private final int[] pieceBytes;

  /** Number of pieces per record; a record that is a single vector is part of a piece. */
  private final int piecesOfRecord;

  private final int exampleBytes;

  /** Size of a vector in bytes if records are vectors or blocks have gaps; otherwise 0. */
  private final int vectorBytes;

  /** Ranges of tokens to be read from a stored block; empty if the tokens have no gaps. */
  private final List<IndexRange> runs;

  /**
   * Number of examples that are read together and returned layer by layer; 0 to keep the order of
   * the walk.
   */
  private final int window;

  private final long endExample;
  private long nextExample;
  private final ByteBuffer buffer;
  private final long[] pieceExamples;
  private final int[] pieceColumns;
  private final int[] pieceEnds;
  private final ByteBuffer record;
  private boolean pending;
  private int pieces;
  private int piece;

  /** Number of blocks in the current run after the first one. */
  private int following;

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
    this(dataset, selection, false, first, count);
  }

  /**
   * Creates a cursor before the first record.
   *
   * @param windows whether a layer-by-layer selection is read in stored order, and returned layer
   *     by layer only within windows of about 1 MiB
   * @param first the number of the first example
   * @param count the number of examples
   */
  public BlockCursor(
      TableDataset dataset, RecordSelection selection, boolean windows, long first, long count)
      throws FormatException {
    TableShape table = dataset.table();
    this.table = table;
    this.nextExample = first;
    this.endExample = first + count;
    this.selection = selection;
    this.files = new OpenShards(dataset, OPEN_FILES);
    boolean examples = selection.unit() == RecordSelection.Unit.EXAMPLE;
    long unit = examples ? selection.exampleBytes(table) : 0;
    long smallest = Integer.MAX_VALUE;
    for (int column : selection.order().columns()) {
      unit = Math.max(unit, table.blockBytes(column));
      smallest = Math.min(smallest, table.blockBytes(column));
    }
    DatasetError.TOO_LARGE.check(
        unit <= Integer.MAX_VALUE - 8,
        dataset.path(),
        "a record of %d bytes is too large (expected less than 2 GiB: choose smaller records)",
        unit);
    DatasetError.TOO_LARGE.check(
        unit <= Runtime.getRuntime().maxMemory(),
        dataset.path(),
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
      throw new IllegalArgumentException(dataset.path() + ": has no vectors");
    }
    this.vectorBytes = activations == null ? 0 : activations.geometry().vectorBytes();
    List<IndexRange> tokens = activations == null ? List.of() : activations.tokenRuns();
    this.runs = tokens.size() > 1 ? tokens : List.of();
    this.buffer = Input.buffer((int) (unit * Math.max(1, READ_BYTES / Math.max(1, unit))));
    this.record = buffer.duplicate();
    int maxPieces = (int) Math.min(MAX_PIECES, buffer.capacity() / Math.max(1, smallest));
    maxPieces = Math.max(1, maxPieces / piecesOfRecord) * piecesOfRecord;
    boolean stored = windows && selection.order().byLayer();
    if (stored && selection.sample() != null) {
      throw new IllegalArgumentException("a sample cannot be read in windows");
    }
    this.window = stored ? window(Math.min(maxPieces, MAX_PIECES)) : 0;
    this.walk = new BlockWalk(stored ? selection.byExample() : selection, first, count);
    this.pieceExamples = new long[maxPieces];
    this.pieceColumns = new int[maxPieces];
    this.pieceEnds = new int[maxPieces];
  }

  /** Returns the number of whole examples that fit in a window. */
  private int window(int maxPieces) {
    long example = Math.max(1, selection.exampleBytes(table));
    int columns = selection.order().columns().size();
    return (int) Math.min(buffer.capacity() / example, maxPieces / columns);
  }

  /**
   * Advances to the next record and joins it with the following records as long as they continue
   * the order of the selection, are in the buffer, have the same type and belong to the same group.
   * The joined records become one record of at most 1 MiB, with the key of the first one. This
   * method is supported only for records that are blocks.
   */
  public boolean nextRun() throws IOException {
    if (!next()) {
      return false;
    }
    boolean byLayer = selection.order().byLayer();
    long group = example() / selection.group();
    DType dtype = table.columns().get(column()).dtype();
    int last = piece;
    while (last + 1 < pieces
        && pieceEnds[last + 1] - start <= READ_BYTES
        && pieceEnds[last] > start
        && pieceEnds[last + 1] > pieceEnds[last]
        && pieceExamples[last + 1] / selection.group() == group
        && (byLayer
            ? pieceColumns[last + 1] == column()
                && pieceExamples[last + 1] == pieceExamples[last] + 1
            : pieceExamples[last + 1] <= pieceExamples[last] + 1
                && table.columns().get(pieceColumns[last + 1]).dtype() == dtype)) {
      last++;
    }
    following = last - piece;
    end = pieceEnds[last];
    return true;
  }

  /** Advances to the next record; returns false at the end of the range. */
  public boolean next() throws IOException {
    start = end;
    piece += following;
    following = 0;
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

  /** Returns the number of the example that contains the record. */
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
    if (window > 0) {
      fillWindow();
      return;
    }
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
      add(walk.example(), walk.column(), filled);
      filled += bytes;
      pieceExamples[pieces] = walk.example();
      pieceColumns[pieces] = walk.column();
      pieceEnds[pieces++] = filled;
    }
    gather.finish();
  }

  /**
   * Reads the blocks of whole examples in stored order, and puts each block at the position that
   * the order of the selected layers defines. Layers may be stored in a different order than in the
   * selection.
   */
  private void fillWindow() throws IOException {
    long left = selection.group() - nextExample % selection.group();
    int examples = (int) Math.min(Math.min(window, left), endExample - nextExample);
    List<Integer> columns = selection.order().columns();
    pieces = 0;
    if (examples == 0) {
      return;
    }
    int base = 0;
    for (int column : columns) {
      for (int i = 0; i < examples; i++) {
        pieceExamples[pieces] = nextExample + i;
        pieceColumns[pieces] = column;
        base += pieceBytes[column];
        pieceEnds[pieces++] = base;
      }
    }
    files.seek(nextExample);
    int[] stored =
        IntStream.range(0, columns.size())
            .boxed()
            .sorted(Comparator.comparing(n -> files.offset(nextExample, columns.get(n))))
            .mapToInt(n -> n * examples)
            .toArray();
    for (int i = 0; i < examples; i++) {
      files.seek(nextExample + i);
      for (int first : stored) {
        int column = pieceColumns[first];
        add(nextExample + i, column, pieceEnds[first + i] - pieceBytes[column]);
      }
    }
    nextExample += examples;
    gather.finish();
  }

  /** Adds a block of the current file to the reads. */
  private void add(long example, int column, int position) throws IOException {
    long block = files.offset(example, column);
    if (!runs.isEmpty()) {
      addRuns(block, position);
    } else if (pieceBytes[column] > 0) {
      gather.add(files.current().input(), block, pieceBytes[column], position);
    }
  }

  private void addRuns(long block, int position) throws IOException {
    int at = position;
    long first = runs.get(0).start();
    for (IndexRange run : runs) {
      gather.add(
          files.current().input(),
          block + (run.start() - first) * vectorBytes,
          (int) run.length() * vectorBytes,
          at);
      at += (int) run.length() * vectorBytes;
    }
  }
}
