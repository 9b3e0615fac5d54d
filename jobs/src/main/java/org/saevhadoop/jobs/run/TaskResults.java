package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Results that the tasks of a job hand over as {@code Writable} pairs, in sequence files: those of
 * a task in the order in which it wrote them, task by task.
 *
 * @param collector makes the result of the job from all pairs, which are held in memory
 */
public record TaskResults<K extends Writable, V extends Writable, R>(
    Class<K> key, Class<V> value, Function<List<Map.Entry<K, V>>, R> collector)
    implements JobOutput<R> {
  private static final String TASK = "part-";

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(key);
    job.setOutputValueClass(value);
    FileOutputFormat.setCompressOutput(job, false);
    FileOutputFormat.setOutputPath(job, temporary);
  }

  @Override
  public R result(Job job, FinishedJob finished, @Nullable Path temporary) throws IOException {
    Configuration conf = job.getConfiguration();
    List<Map.Entry<K, V>> pairs = new ArrayList<>();
    for (Path file : parts(Objects.requireNonNull(temporary), conf)) {
      read(file, conf, pairs);
    }
    return collector.apply(pairs);
  }

  /** Returns the files of the tasks of a job, in the order of the tasks. */
  public static List<Path> parts(Path temporary, Configuration conf) throws IOException {
    FileSystem fs = temporary.getFileSystem(conf);
    return Arrays.stream(fs.listStatus(temporary, path -> path.getName().startsWith(TASK)))
        .map(FileStatus::getPath)
        .sorted()
        .toList();
  }

  private void read(Path file, Configuration conf, List<Map.Entry<K, V>> pairs) throws IOException {
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
      while (true) {
        K nextKey = ReflectionUtils.newInstance(key, conf);
        V nextValue = ReflectionUtils.newInstance(value, conf);
        if (!reader.next(nextKey, nextValue)) {
          return;
        }
        pairs.add(Map.entry(nextKey, nextValue));
      }
    }
  }
}
