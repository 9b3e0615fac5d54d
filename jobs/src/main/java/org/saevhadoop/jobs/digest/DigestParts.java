package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.jobs.run.FinishedJob;
import org.saevhadoop.jobs.run.JobOutput;
import org.saevhadoop.jobs.run.TaskResults;

/**
 * What the tasks of a digest hand over: records of {@link BlockDigests}, and the sums of files.
 * Only the positions of the records are held in memory.
 *
 * @param blocks the number of blocks in the digest
 */
record DigestParts(long blocks) implements JobOutput<DigestParts.Sums> {
  /** The key of the sum of a file, whose value is {@link #file}. */
  static final LongWritable FILE = new LongWritable(-1);

  private static final TaskResults<LongWritable, BytesWritable, Integer> PAIRS =
      new TaskResults<>(LongWritable.class, BytesWritable.class, List::size);

  /**
   * The result.
   *
   * @param blocks the SHA-256 over the SHA-256 of all blocks, in hexadecimal
   * @param files the sums of the files in hexadecimal, by name
   */
  record Sums(String blocks, SortedMap<String, String> files) {}

  /** A record: the ordinal of its first block, and its position in the output of a task. */
  private record Position(long ordinal, Path file, long offset) {}

  /** Returns the SHA-256 and the name of a file. */
  static BytesWritable file(String name, byte[] sha256) {
    BytesWritable sum = new BytesWritable(sha256);
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    sum.setSize(sha256.length + text.length);
    System.arraycopy(text, 0, sum.getBytes(), sha256.length, text.length);
    return sum;
  }

  @Override
  public void prepare(Job job, @Nullable Path temporary) {
    PAIRS.prepare(job, temporary);
  }

  @Override
  public Sums result(Job job, FinishedJob finished, @Nullable Path temporary) throws IOException {
    return collect(Objects.requireNonNull(temporary), job.getConfiguration());
  }

  /** Returns the result from the outputs of the tasks in a folder. */
  Sums collect(Path folder, Configuration conf) throws IOException {
    SortedMap<String, String> files = new TreeMap<>();
    List<Position> records = new ArrayList<>();
    for (Path part : TaskResults.parts(folder, conf)) {
      find(part, conf, records, files);
    }
    records.sort(Comparator.comparingLong(Position::ordinal));
    return new Sums(sha256(records, conf), files);
  }

  private static SequenceFile.Reader open(Path part, Configuration conf) throws IOException {
    return new SequenceFile.Reader(conf, SequenceFile.Reader.file(part));
  }

  private static void find(
      Path part, Configuration conf, List<Position> records, SortedMap<String, String> files)
      throws IOException {
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    try (SequenceFile.Reader reader = open(part, conf)) {
      for (long at = reader.getPosition(); reader.next(key); at = reader.getPosition()) {
        if (key.equals(FILE)) {
          reader.getCurrentValue(value);
          byte[] sum = value.copyBytes();
          files.put(
              new String(
                  sum, BlockDigests.BYTES, sum.length - BlockDigests.BYTES, StandardCharsets.UTF_8),
              HexFormat.of().formatHex(Arrays.copyOf(sum, BlockDigests.BYTES)));
        } else {
          records.add(new Position(key.get(), part, at));
        }
      }
    }
  }

  /** Digests the records in the order of their blocks. */
  private String sha256(List<Position> records, Configuration conf) throws IOException {
    MessageDigest all = Sha256.digest();
    LongWritable key = new LongWritable();
    BytesWritable value = new BytesWritable();
    long next = 0;
    int i = 0;
    while (i < records.size()) {
      Path part = records.get(i).file();
      try (SequenceFile.Reader reader = open(part, conf)) {
        for (; i < records.size() && records.get(i).file().equals(part); i++) {
          reader.seek(records.get(i).offset());
          reader.next(key, value);
          if (key.get() != next) {
            throw new IOException("block " + key.get() + " came instead of " + next);
          }
          all.update(value.getBytes(), 0, value.getLength());
          next += value.getLength() / BlockDigests.BYTES;
        }
      }
    }
    if (next != blocks) {
      throw new IOException(next + " of " + blocks + " blocks were digested");
    }
    return Sha256.text(all);
  }
}
