package org.saevhadoop.jobs.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.jobs.task.SpooledRecords;

/** The order of the records of several tasks. */
class DigestPartsTest {
  private static final int BLOCKS = 7;

  @TempDir Path folder;
  private final List<SpooledRecords> tasks = new ArrayList<>();

  /** Writes the output of a task: records that begin at some blocks and have two each. */
  private void part(int... firsts) throws Exception {
    SpooledRecords out = new SpooledRecords(new SpooledRecords.Spool(() -> folder));
    tasks.add(out);
    for (int first : firsts) {
      int end = Math.min(first + 2, BLOCKS);
      ByteBuffer digests = ByteBuffer.allocate((end - first) * BlockDigests.BYTES);
      for (int block = first; block < end; block++) {
        digests.put(block(block));
      }
      out.write(first, digests.array(), digests.capacity());
    }
    byte[] file = DigestParts.file("file " + tasks.size() + "\u00e4", block(tasks.size()));
    out.write(DigestParts.FILE, file, file.length);
  }

  private static byte[] block(int number) {
    return Sha256.of(ByteBuffer.allocate(number));
  }

  private DigestParts.Sums result() throws Exception {
    return new DigestParts(BLOCKS).collect(SpooledRecords.of(tasks));
  }

  @Test
  void recordsAreDigestedInTheOrderOfTheirBlocks() throws Exception {
    part(4, 0);
    part();
    part(2, 6);
    ByteBuffer all = ByteBuffer.allocate(BLOCKS * BlockDigests.BYTES);
    for (int block = 0; block < BLOCKS; block++) {
      all.put(block(block));
    }
    assertThat(result().blocks()).isEqualTo(HexFormat.of().formatHex(Sha256.of(all.flip())));
    assertThat(result().files())
        .containsExactly(
            Map.entry("file 1ä", HexFormat.of().formatHex(block(1))),
            Map.entry("file 2ä", HexFormat.of().formatHex(block(2))),
            Map.entry("file 3ä", HexFormat.of().formatHex(block(3))));
  }

  @Test
  void missingAndRepeatedBlocksAreReported() throws Exception {
    part(0, 4);
    assertThatThrownBy(this::result).hasMessage("block 4 came instead of 2");
    part(2, 0);
    assertThatThrownBy(this::result).hasMessage("block 0 came instead of 2");
  }

  @Test
  void blocksThatAreMissingAtTheEndAreReported() throws Exception {
    part(0, 2, 4);
    assertThatThrownBy(this::result).hasMessage("6 of 7 blocks were digested");
  }
}
