package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;

/** Reads the examples of a split. The same key and value objects are returned for every record. */
final class ActivationRecordReader extends ReusingRecordReader {
  private final ActivationInputFormat format;
  private TableDataset dataset;
  private boolean sourceNumbers;
  private boolean wholeExamples;
  private TableShape table;
  private boolean runs;
  private int columns;
  private int[][] shapes;
  private RecordConversion conversion;
  private BlockCursor cursor;
  private TaskAttemptContext context;
  private long bytes;
  private long examples;
  private boolean finished;
  private boolean closed;

  ActivationRecordReader(ActivationInputFormat format) {
    this.format = format;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
    context = task;
    InputSpec spec = format.spec(task.getConfiguration());
    dataset = format.openInTask(task, spec);
    RecordSelection selection = ActivationInputFormat.selection(spec, dataset);
    ExampleSplit range = (ExampleSplit) split;
    sourceNumbers = spec.numbering() == Numbering.SOURCE;
    table = dataset.table();
    columns = selection.order().columns().size();
    wholeExamples = selection.unit() == RecordSelection.Unit.EXAMPLE;
    shapes = shapes(dataset, selection);
    conversion = new RecordConversion(dataset, spec.dtypes(), wholeExamples);
    bytes = range.getLength();
    examples = selection.examplesIn(range.first(), range.count());
    runs =
        ConfSettings.get(task.getConfiguration(), ConversionKeys.RUNS) && conversion.isIdentity();
    boolean windows = ConfSettings.get(task.getConfiguration(), ConversionKeys.WINDOWS);
    cursor = new BlockCursor(dataset, selection, windows, range.first(), range.count());
  }

  /** Returns the shape of a record for each column with which it may begin. */
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
            "column `%s` has %s an example (expected dimensions below 2^31)",
            column.name(),
            column.shape());
        shapes[i] = column.shape().stream().mapToInt(Long::intValue).toArray();
      }
    }
    return shapes;
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (!(runs ? cursor.nextRun() : cursor.next())) {
      finished = true;
      return false;
    }
    int column = cursor.column();
    int number = wholeExamples ? ActivationKey.ALL : table.columnIds().get(column);
    if (sourceNumbers) {
      key.set(dataset.sourceExample(cursor.example()), number, sourceToken(cursor.token()));
    } else {
      key.set(cursor.example(), number, cursor.token());
    }
    ByteBuffer bytes = conversion.convert(cursor.example(), column, cursor.bytes());
    value.set(conversion.to(column), shape(column, bytes), bytes);
    return true;
  }

  /** Returns the shape of a record; that of several blocks is the number of their values. */
  private int[] shape(int column, ByteBuffer bytes) {
    if (!runs || bytes.remaining() == table.blockBytes(column)) {
      return shapes[column];
    }
    return new int[] {(int) ((long) bytes.remaining() * Byte.SIZE / conversion.to(column).bits())};
  }

  private int sourceToken(int token) {
    return dataset instanceof ActivationDataset activations
        ? activations.sourceToken(token)
        : token;
  }

  @Override
  public float getProgress() {
    if (bytes == 0) {
      return 1;
    }
    return cursor == null ? 0 : Math.min(1, (float) cursor.bytesRead() / bytes);
  }

  @Override
  public void close() throws IOException {
    if (cursor != null && !closed) {
      closed = true;
      conversion.count(context);
      count();
      cursor.close();
    }
  }

  /** Adds to the task's counters. Of a split that was not read to its end, only bytes are known. */
  private void count() {
    context.getCounter(DatasetCounter.BYTES_READ).increment(cursor.bytesRead());
    if (finished) {
      context.getCounter(DatasetCounter.EXAMPLES).increment(examples);
      context.getCounter(DatasetCounter.BLOCKS).increment(examples * columns);
    }
  }
}
