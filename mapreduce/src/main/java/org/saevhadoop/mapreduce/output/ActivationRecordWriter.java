package org.saevhadoop.mapreduce.output;

import java.io.IOException;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.saevhadoop.format.dataset.write.DatasetWriter;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;

/** Passes the records of a task to a {@link DatasetWriter}. */
public final class ActivationRecordWriter extends RecordWriter<ActivationKey, ActivationWritable> {
  private final DatasetWriter writer;

  /** Creates a record writer that closes the writer. */
  public ActivationRecordWriter(DatasetWriter writer) {
    this.writer = writer;
  }

  @Override
  public void write(ActivationKey key, ActivationWritable value) throws IOException {
    writer.write(key.example(), key.layer(), value.dtype(), value.bytes());
  }

  @Override
  public void close(TaskAttemptContext context) throws IOException {
    writer.close();
  }
}
