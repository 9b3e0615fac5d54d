package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** Tasks without a cluster. */
public final class Tasks {
  /** A record and where it stands. */
  public record Read(ActivationKey key, ActivationWritable value) {}

  /** The order in which a task writes the records of some examples. */
  enum Order {
    /** Whole examples. */
    EXAMPLES(1),
    /** The blocks of an example, then those of the next one. */
    BLOCKS(1),
    /** The blocks of two examples, layer after layer, then those of the next two. */
    PAIRS(2),
    /** As {@link #PAIRS}, but the last layer comes first. */
    PAIRS_BACKWARDS(2),
    /** The blocks of all examples, layer after layer. */
    COLUMNS(Integer.MAX_VALUE);

    private final int group;

    Order(int group) {
      this.group = group;
    }
  }

  private Tasks() {}

  /** The context of an attempt of a map task. */
  public static TaskAttemptContext attempt(Configuration conf, int task, int attempt) {
    TaskAttemptID id = new TaskAttemptID("test", 1, TaskType.MAP, task, attempt);
    return new TaskAttemptContextImpl(conf, id);
  }

  /** Writes examples of invented values in an attempt of a task, and does not commit them. */
  static void write(
      ActivationOutputFormat format,
      TaskAttemptContext context,
      Geometry geometry,
      long from,
      long to,
      Order order)
      throws IOException, InterruptedException {
    format.getOutputCommitter(context).setupTask(context);
    RecordWriter<ActivationKey, ActivationWritable> writer = format.getRecordWriter(context);
    List<Integer> layers = geometry.layers();
    for (long first = from; first < to; first += order.group) {
      if (order == Order.EXAMPLES) {
        writer.write(
            new ActivationKey(first, ActivationKey.ALL, 0),
            new ActivationWritable(
                new int[] {layers.size(), geometry.tokens(), geometry.dim()},
                InventedFiles.example(geometry, first)));
        continue;
      }
      for (int i = 0; i < layers.size(); i++) {
        int layer = order == Order.PAIRS_BACKWARDS ? layers.size() - 1 - i : i;
        for (long example = first; example < Math.min(first + order.group, to); example++) {
          writer.write(
              new ActivationKey(example, layers.get(layer), 0),
              new ActivationWritable(
                  new int[] {geometry.tokens(), geometry.dim()},
                  InventedFiles.block(geometry, example, layer)));
        }
      }
    }
    writer.close(context);
  }

  /** Commits an attempt of a task, which has written files. */
  static void commit(ActivationOutputFormat format, TaskAttemptContext context) throws IOException {
    OutputCommitter committer = format.getOutputCommitter(context);
    assertThat(committer.needsTaskCommit(context)).isTrue();
    committer.commitTask(context);
  }

  /** Copies of all records of a dataset. */
  public static List<Read> readAll(
      InputFormat<ActivationKey, ActivationWritable> format, Path dataset, Configuration conf)
      throws IOException, InterruptedException {
    Job job = Job.getInstance(conf);
    FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(dataset.toUri()));
    return readAll(format, format.getSplits(job), job.getConfiguration());
  }

  /** Copies of all records of some splits. */
  static List<Read> readAll(
      InputFormat<ActivationKey, ActivationWritable> format,
      List<InputSplit> splits,
      Configuration conf)
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
        // blocks without bytes make no progress
        boolean blocks = format instanceof ActivationInputFormat;
        boolean moved = records.stream().anyMatch(read -> read.value().bytes().hasRemaining());
        assertThat(reader.getProgress()).isEqualTo(blocks && !moved ? 0 : 1);
      }
    }
    return records;
  }

  /** The names of the files and folders in a folder, sorted. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
