package org.saevhadoop.jobs.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.task.OutputAttempt;
import org.saevhadoop.jobs.task.SpooledRecords;
import org.saevhadoop.jobs.task.Task;
import org.saevhadoop.jobs.task.TaskAttempt;
import org.saevhadoop.jobs.task.TaskOutput;
import org.saevhadoop.jobs.task.TaskRecords;

/**
 * The output of the tasks of a job. Hadoop's tasks write it to sequence files.
 *
 * @param collector makes the result of the job
 */
record TaskResults<R>(TaskRecords.Collector<R> collector) implements JobOutput<R> {
  private static final String TASK = "part-";

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(BytesWritable.class);
    FileOutputFormat.setCompressOutput(job, false);
    FileOutputFormat.setOutputPath(job, temporary);
  }

  @Override
  public R result(Job job, FinishedJob finished, @Nullable Path temporary) throws IOException {
    Configuration conf = job.getConfiguration();
    return collector.collect(new Files(parts(Objects.requireNonNull(temporary), conf), conf));
  }

  @Override
  public LocalOutput<R> local(@Nullable Class<? extends Task> task, JobRunner runner) {
    return new Spooled<>(task, collector, new SpooledRecords.Spool(runner::scratch));
  }

  /** The output of threads of this process, in memory and in a temporary file. */
  private static final class Spooled<R> implements LocalOutput<R> {
    private final @Nullable Class<? extends Task> task;
    private final TaskRecords.Collector<R> collector;
    private final SpooledRecords.Spool spool;
    private final NavigableMap<Integer, SpooledRecords> tasks = new ConcurrentSkipListMap<>();

    Spooled(
        @Nullable Class<? extends Task> task,
        TaskRecords.Collector<R> collector,
        SpooledRecords.Spool spool) {
      this.task = task;
      this.collector = collector;
      this.spool = spool;
    }

    @Override
    public TaskAttempt attempt(int number) {
      SpooledRecords records = new SpooledRecords(spool);
      tasks.put(number, records);
      return new OutputAttempt(task) {
        @Override
        protected TaskOutput output() {
          return records;
        }

        @Override
        public void commit() throws IOException {
          records.end();
        }
      };
    }

    @Override
    public R result(FinishedJob finished) throws IOException {
      return collector.collect(SpooledRecords.of(List.copyOf(tasks.values())));
    }

    @Override
    public void close() throws IOException {
      spool.close();
    }
  }

  /** Returns the files of the tasks of a job, in the order of the tasks. */
  private static List<Path> parts(Path temporary, Configuration conf) throws IOException {
    FileSystem fs = temporary.getFileSystem(conf);
    return Arrays.stream(fs.listStatus(temporary, path -> path.getName().startsWith(TASK)))
        .map(FileStatus::getPath)
        .sorted()
        .toList();
  }

  private record Files(List<Path> parts, Configuration conf) implements TaskRecords {
    @Override
    public int tasks() {
      return parts.size();
    }

    @Override
    public Cursor open(int task) throws IOException {
      return new FileCursor(
          new SequenceFile.Reader(conf, SequenceFile.Reader.file(parts.get(task))));
    }
  }

  private static final class FileCursor implements TaskRecords.Cursor {
    private final SequenceFile.Reader reader;
    private final LongWritable key = new LongWritable();
    private final BytesWritable value = new BytesWritable();

    FileCursor(SequenceFile.Reader reader) {
      this.reader = reader;
    }

    @Override
    public long position() throws IOException {
      return reader.getPosition();
    }

    @Override
    public void seek(long position) throws IOException {
      reader.seek(position);
    }

    @Override
    public boolean next() throws IOException {
      return reader.next(key);
    }

    @Override
    public long key() {
      return key.get();
    }

    @Override
    public ByteBuffer value() throws IOException {
      reader.getCurrentValue(value);
      return ByteBuffer.wrap(value.getBytes(), 0, value.getLength());
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
