package org.saevhadoop.mapreduce.input;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;

/** The records of a range of examples, in the types and the order that a job requests. */
public final class RecordCursor implements Closeable {
  private final TableDataset dataset;
  private final TableShape table;
  private final RecordSelection selection;
  private final boolean sourceNumbers;
  private final boolean wholeExamples;
  private final boolean runs;
  private final int[][] shapes;
  private final RecordConversion conversion;
  private final BlockCursor cursor;
  private final long examples;
  private ByteBuffer values = ByteBuffer.allocate(0);
  private boolean finished;

  /**
   * Creates a cursor before the first record.
   *
   * @param dataset the part of the dataset that is read
   * @param runs whether a record is a run of consecutive blocks if no values are converted
   * @param windows whether a layer-by-layer selection is read in stored order, and returned layer
   *     by layer only within windows
   * @param first the number of the first example
   * @param count the number of examples
   */
  public RecordCursor(
      TableDataset dataset, InputSpec spec, boolean runs, boolean windows, long first, long count)
      throws IOException {
    this.dataset = dataset;
    this.table = dataset.table();
    this.selection = selection(spec, dataset);
    this.sourceNumbers = spec.numbering() == Numbering.SOURCE;
    this.wholeExamples = selection.unit() == RecordSelection.Unit.EXAMPLE;
    this.shapes = shapes(dataset, selection);
    this.conversion =
        new RecordConversion(
            dataset, spec.dtypes(), wholeExamples ? selection.order().columns() : List.of());
    this.runs = runs && conversion.isIdentity();
    this.examples = selection.examplesIn(first, count);
    this.cursor = new BlockCursor(dataset, selection, windows, first, count);
  }

  /**
   * Returns the order in which a job reads the blocks of its dataset.
   *
   * @throws FormatException if the columns are not activations and records are not blocks
   */
  public static RecordSelection selection(InputSpec spec, TableDataset dataset)
      throws FormatException {
    if (!(dataset instanceof ActivationDataset)
        && spec.record().unit() != RecordSelection.Unit.BLOCK) {
      throw DatasetError.NO_ACTIVATIONS.in(
          dataset.path(),
          "its columns %s are not activations (expected saev.input.record=block, or "
              + "saev.input.tensors)",
          dataset.table().columns());
    }
    return spec.record().selection(dataset.table());
  }

  /** Returns the record shape for each column with which a record may begin. */
  private static int[][] shapes(TableDataset dataset, RecordSelection selection)
      throws FormatException {
    TableShape table = dataset.table();
    int[][] shapes = new int[table.columns().size()][];
    for (int i = 0; i < shapes.length; i++) {
      if (dataset instanceof ActivationDataset activations) {
        Geometry geometry = activations.geometry();
        shapes[i] =
            switch (selection.unit()) {
              case EXAMPLE ->
                  new int[] {selection.order().columns().size(), geometry.tokens(), geometry.dim()};
              case BLOCK -> new int[] {geometry.tokens(), geometry.dim()};
              case VECTOR -> new int[] {geometry.dim()};
            };
      } else {
        Column column = table.columns().get(i);
        DatasetError.TOO_LARGE.check(
            column.shape().stream().allMatch(size -> size <= Integer.MAX_VALUE),
            dataset.path(),
            "column `%s` has %s per example (expected dimensions below 2^31)",
            column.name(),
            column.shape());
        shapes[i] = column.shape().stream().mapToInt(Long::intValue).toArray();
      }
    }
    return shapes;
  }

  /** Moves to the next record; returns whether there is one. */
  public boolean next() throws IOException {
    if (!(runs ? cursor.nextRun() : cursor.next())) {
      finished = true;
      return false;
    }
    values = conversion.convert(cursor.example(), cursor.column(), cursor.bytes());
    return true;
  }

  /** Returns the number of the example, as the job counts examples. */
  public long example() {
    return sourceNumbers ? dataset.sourceExample(cursor.example()) : cursor.example();
  }

  /** Returns the id of the column, or {@link ActivationKey#ALL}. */
  public int column() {
    return wholeExamples ? ActivationKey.ALL : table.columnIds().get(cursor.column());
  }

  /** Returns the number of the token, as the job counts tokens. */
  public int token() {
    return sourceNumbers && dataset instanceof ActivationDataset activations
        ? activations.sourceToken(cursor.token())
        : cursor.token();
  }

  public DType dtype() {
    return conversion.to(cursor.column());
  }

  /** Returns the shape of the record; for several blocks, the number of their values. */
  public int[] shape() {
    int column = cursor.column();
    if (!runs || values.remaining() == table.blockBytes(column)) {
      return shapes[column];
    }
    return new int[] {(int) ((long) values.remaining() * Byte.SIZE / conversion.to(column).bits())};
  }

  /** Returns the values, which are valid until the next record is read. */
  public ByteBuffer bytes() {
    return values;
  }

  /** Returns the number of bytes that have been read so far. */
  public long bytesRead() {
    return cursor.bytesRead();
  }

  /** Returns the number of examples that were read; 0 if the range was not read to its end. */
  public long examplesRead() {
    return finished ? examples : 0;
  }

  /** Returns the number of blocks that were read; 0 if the range was not read to its end. */
  public long blocksRead() {
    return examplesRead() * selection.order().columns().size();
  }

  /** Returns the changes that the conversion made to values. */
  public ConversionChanges changes() {
    return conversion.changes();
  }

  @Override
  public void close() throws IOException {
    cursor.close();
  }
}
