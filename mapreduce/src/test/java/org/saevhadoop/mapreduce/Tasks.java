package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** Tasks without a cluster. */
final class Tasks {
  /** A record and where it stands. */
  record Read(ActivationKey key, ActivationWritable value) {}

  private Tasks() {}

  /** The context of an attempt of a map task. */
  static TaskAttemptContext attempt(Configuration conf, int task, int attempt) {
    TaskAttemptID id = new TaskAttemptID("test", 1, TaskType.MAP, task, attempt);
    return new TaskAttemptContextImpl(conf, id);
  }

  /** Writes whole examples of invented values in an attempt of a task, and does not commit them. */
  static void write(
      ActivationOutputFormat format,
      TaskAttemptContext context,
      Geometry geometry,
      long from,
      long to)
      throws IOException, InterruptedException {
    int[] shape = {geometry.layers().size(), geometry.tokens(), geometry.dim()};
    RecordWriter<ActivationKey, ActivationWritable> writer = format.getRecordWriter(context);
    for (long example = from; example < to; example++) {
      writer.write(
          new ActivationKey(example, ActivationKey.ALL, 0),
          new ActivationWritable(shape, InventedFiles.example(geometry, example)));
    }
    writer.close(context);
  }

  /** Copies of all records of some splits. */
  static List<Read> readAll(
      ActivationInputFormat format, List<InputSplit> splits, Configuration conf)
      throws IOException, InterruptedException {
    List<Read> records = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      TaskAttemptContext context = attempt(conf, i, 0);
      try (RecordReader<ActivationKey, ActivationWritable> reader =
          format.createRecordReader(splits.get(i), context)) {
        reader.initialize(splits.get(i), context);
        while (reader.nextKeyValue()) {
          ActivationKey key = reader.getCurrentKey();
          records.add(
              new Read(
                  new ActivationKey(key.example(), key.layer(), key.token()),
                  reader.getCurrentValue().copy()));
        }
      }
    }
    return records;
  }
}
