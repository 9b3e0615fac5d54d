package org.saevhadoop.jobs.digest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.jobs.task.TaskOutput;

/**
 * The SHA-256 hashes of the blocks of consecutive examples. They are written in a few records, each
 * with the ordinal of its first block in the order of the digest and the hashes of that block and
 * the blocks after it.
 */
final class BlockDigests {
  /** The size of a SHA-256 hash in bytes. */
  static final int BYTES = 32;

  private static final int RECORD_BLOCKS = 2048;

  private final MessageDigest sha256 = Sha256.digest();
  private final Map<Integer, Integer> ranks = new HashMap<>();
  private byte[] digests = {};
  private long first;
  private long examples;
  private long blocks;

  /** The index of the block that was added last; -1 if there is none. */
  private int current = -1;

  /**
   * Creates an instance without examples.
   *
   * @param columns the ids of the columns in the order of the digest
   */
  BlockDigests(List<Integer> columns) {
    for (int column : columns) {
      ranks.put(column, ranks.size());
    }
  }

  /** Returns the number of examples that fill a record. */
  long examplesOfRecord() {
    return Math.max(1, RECORD_BLOCKS / ranks.size());
  }

  /** Discards the blocks and starts a new range of examples. */
  void begin(long firstExample, long count) {
    first = firstExample;
    examples = count;
    blocks = 0;
    int bytes = Math.toIntExact(count * ranks.size() * BYTES);
    digests = digests.length < bytes ? new byte[bytes] : digests;
  }

  boolean contain(long example) {
    return example >= first && example < first + examples;
  }

  /**
   * Adds a block of one of the examples, or the next part of the block that was added last. Its
   * column must be part of the digest.
   */
  void add(long example, int column, ByteBuffer values) throws IOException {
    long block = (example - first) * ranks.size() + Objects.requireNonNull(ranks.get(column));
    if (block != current) {
      finish();
      current = (int) block;
    }
    sha256.update(values);
  }

  private void finish() throws IOException {
    if (current < 0) {
      return;
    }
    try {
      sha256.digest(digests, current * BYTES, BYTES);
    } catch (DigestException e) {
      throw new IOException("block " + current + " has no room", e);
    }
    blocks++;
    current = -1;
  }

  /** Writes all added blocks, which must form whole examples. */
  void write(TaskOutput task) throws IOException, InterruptedException {
    finish();
    if (blocks % ranks.size() != 0) {
      throw new IOException("an example has " + blocks % ranks.size() + " blocks");
    }
    for (long from = 0; from < blocks; from += RECORD_BLOCKS) {
      long to = Math.min(blocks, from + RECORD_BLOCKS);
      byte[] record = Arrays.copyOfRange(digests, (int) from * BYTES, (int) to * BYTES);
      task.write(first * ranks.size() + from, record);
    }
    blocks = 0;
  }
}
