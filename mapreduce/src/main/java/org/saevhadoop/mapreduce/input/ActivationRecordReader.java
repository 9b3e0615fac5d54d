package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.tensor.ConversionChanges;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.job.ConversionKeys;
import org.saevhadoop.mapreduce.job.InputSpec;

/** Reads the examples of a split. The same key and value objects are returned for every record. */
final class ActivationRecordReader extends ReusingRecordReader {
  private final ActivationInputFormat format;
  private RecordCursor cursor;
  private TaskAttemptContext context;
  private long bytes;
  private boolean closed;

  ActivationRecordReader(ActivationInputFormat format) {
    this.format = format;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
    context = task;
    InputSpec spec = NormalizedInput.read(format.spec(task.getConfiguration()), context);
    ExampleSplit range = (ExampleSplit) split;
    bytes = range.getLength();
    cursor =
        new RecordCursor(
            format.openInTask(task, spec),
            spec,
            ConfSettings.get(task.getConfiguration(), ConversionKeys.RUNS),
            ConfSettings.get(task.getConfiguration(), ConversionKeys.WINDOWS),
            range.first(),
            range.count());
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (!cursor.next()) {
      return false;
    }
    key.set(cursor.example(), cursor.column(), cursor.token());
    value.set(cursor.dtype(), cursor.shape(), cursor.bytes());
    return true;
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
      count(cursor.changes(), context);
      context.getCounter(DatasetCounter.BYTES_READ).increment(cursor.bytesRead());
      context.getCounter(DatasetCounter.EXAMPLES).increment(cursor.examplesRead());
      context.getCounter(DatasetCounter.BLOCKS).increment(cursor.blocksRead());
      cursor.close();
    }
  }

  /** Adds the changes made to values to the counters of a task. */
  static void count(ConversionChanges changes, TaskAttemptContext context) {
    if (changes.values() > 0) {
      for (ConversionCounter counter : ConversionCounter.values()) {
        context.getCounter(counter).increment(counter.of(changes));
      }
      context.getCounter(DatasetCounter.VALUES_CHANGED).increment(changes.changed());
    }
  }
}
