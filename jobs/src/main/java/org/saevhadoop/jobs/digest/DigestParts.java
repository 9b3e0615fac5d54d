package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.jobs.task.TaskRecords;

/**
 * The output of the tasks of a digest: records of {@link BlockDigests}, and the sums of files. Only
 * the positions of the records are held in memory.
 *
 * @param blocks the number of blocks in the digest
 */
record DigestParts(long blocks) implements TaskRecords.Collector<DigestParts.Sums> {
  /** The key of a file's sum; the value is {@link #file}. */
  static final long FILE = -1;

  /**
   * The result.
   *
   * @param blocks the SHA-256 of the SHA-256 hashes of all blocks, in hexadecimal
   * @param files the sums of the files in hexadecimal, by name
   */
  record Sums(String blocks, SortedMap<String, String> files) {}

  /** A record: the ordinal of its first block, and its position in the output of a task. */
  private record Position(long ordinal, int task, long offset) {}

  static byte[] file(String name, byte[] sha256) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    byte[] sum = Arrays.copyOf(sha256, sha256.length + text.length);
    System.arraycopy(text, 0, sum, sha256.length, text.length);
    return sum;
  }

  @Override
  public Sums collect(TaskRecords tasks) throws IOException {
    SortedMap<String, String> files = new TreeMap<>();
    List<Position> records = new ArrayList<>();
    for (int task = 0; task < tasks.tasks(); task++) {
      try (TaskRecords.Cursor cursor = tasks.open(task)) {
        for (long at = cursor.position(); cursor.next(); at = cursor.position()) {
          if (cursor.key() == FILE) {
            addFile(cursor.value(), files);
          } else {
            records.add(new Position(cursor.key(), task, at));
          }
        }
      }
    }
    records.sort(Comparator.comparingLong(Position::ordinal));
    return new Sums(sha256(records, tasks), files);
  }

  private static void addFile(ByteBuffer sum, SortedMap<String, String> files) {
    byte[] sha256 = new byte[BlockDigests.BYTES];
    sum.get(sha256);
    files.put(StandardCharsets.UTF_8.decode(sum).toString(), HexFormat.of().formatHex(sha256));
  }

  /** Digests the records in the order of their blocks. */
  private String sha256(List<Position> records, TaskRecords tasks) throws IOException {
    MessageDigest all = Sha256.digest();
    long next = 0;
    int i = 0;
    while (i < records.size()) {
      int task = records.get(i).task();
      try (TaskRecords.Cursor cursor = tasks.open(task)) {
        for (; i < records.size() && records.get(i).task() == task; i++) {
          cursor.seek(records.get(i).offset());
          cursor.next();
          if (cursor.key() != next) {
            throw new IOException("block " + cursor.key() + " came instead of " + next);
          }
          ByteBuffer digests = cursor.value();
          next += digests.remaining() / BlockDigests.BYTES;
          all.update(digests);
        }
      }
    }
    if (next != blocks) {
      throw new IOException(next + " of " + blocks + " blocks were digested");
    }
    return Sha256.text(all);
  }
}
