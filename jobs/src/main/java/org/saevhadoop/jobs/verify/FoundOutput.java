package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobOutput;
import org.saevhadoop.jobs.run.TaskResults;

/**
 * The output of the tasks of a verification. Hashes that no reducer has received are compared here,
 * bucket by bucket; only the positions of their records are in memory.
 *
 * @param columns the number of columns
 * @param buckets the number of buckets of each
 */
record FoundOutput(int columns, long buckets) implements JobOutput<FoundParts> {
  private static final TaskResults<LongWritable, BytesWritable, Integer> PAIRS =
      new TaskResults<>(LongWritable.class, BytesWritable.class, List::size);

  /** A record of hashes: its bucket, and its position in the output of a task. */
  private record Position(long bucket, Path file, long offset) {}

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    PAIRS.prepare(job, temporary);
  }

  @Override
  public FoundParts result(Job job, FinishedJob finished, @Nullable Path temporary)
      throws IOException {
    Configuration conf = job.getConfiguration();
    FoundParts found = FoundParts.none(columns);
    List<Position> hashes = new ArrayList<>();
    for (Path part : TaskResults.parts(Objects.requireNonNull(temporary), conf)) {
      read(part, conf, found, hashes);
    }
    hashes.sort(Comparator.comparingLong(Position::bucket)); // stable: file by file
    compare(hashes, conf, found);
    return found;
  }

  private static SequenceFile.Reader open(Path part, Configuration conf) throws IOException {
    return new SequenceFile.Reader(conf, SequenceFile.Reader.file(part));
  }

  private static void read(Path part, Configuration conf, FoundParts found, List<Position> hashes)
      throws IOException {
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    try (SequenceFile.Reader reader = open(part, conf)) {
      for (long at = reader.getPosition(); reader.next(key); at = reader.getPosition()) {
        if (key.get() < 0) {
          reader.getCurrentValue(value);
          found.add(key, value);
        } else {
          hashes.add(new Position(key.get(), part, at));
        }
      }
    }
  }

  private void compare(List<Position> records, Configuration conf, FoundParts found)
      throws IOException {
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    HashTable hashes = new HashTable();
    int i = 0;
    while (i < records.size()) {
      long bucket = records.get(i).bucket();
      Path file = records.get(i).file();
      try (SequenceFile.Reader reader = open(file, conf)) {
        for (; isIn(records, i, bucket, file); i++) {
          reader.seek(records.get(i).offset());
          reader.next(key, value);
          hashes.add(ByteBuffer.wrap(value.getBytes(), 0, value.getLength()));
        }
      }
      if (i == records.size() || records.get(i).bucket() != bucket) {
        found.columns().get((int) (bucket / buckets)).add(hashes.duplicates());
        hashes = new HashTable();
      }
    }
  }

  private static boolean isIn(List<Position> records, int i, long bucket, Path file) {
    return i < records.size()
        && records.get(i).bucket() == bucket
        && records.get(i).file().equals(file);
  }
}
