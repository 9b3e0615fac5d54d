package org.saevhadoop.jobs.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.io.Sha256;

/** The order of the records of several tasks. */
class DigestPartsTest {
  private static final int BLOCKS = 7;

  @TempDir java.nio.file.Path folder;
  private final Configuration conf = new Configuration();
  private int parts;

  /** Writes the output of a task: records that begin at some blocks and have two each. */
  private void part(int... firsts) throws Exception {
    Path path = new Path(folder.resolve("part-m-0000" + parts++).toUri());
    try (SequenceFile.Writer out =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(path),
            SequenceFile.Writer.keyClass(LongWritable.class),
            SequenceFile.Writer.valueClass(BytesWritable.class))) {
      for (int first : firsts) {
        int end = Math.min(first + 2, BLOCKS);
        ByteBuffer digests = ByteBuffer.allocate((end - first) * BlockDigests.BYTES);
        for (int block = first; block < end; block++) {
          digests.put(block(block));
        }
        out.append(new LongWritable(first), new BytesWritable(digests.array()));
      }
      out.append(DigestParts.FILE, DigestParts.file("file " + parts + "ä", block(parts)));
    }
  }

  private static byte[] block(int number) {
    return Sha256.of(ByteBuffer.allocate(number));
  }

  private DigestParts.Sums result() throws Exception {
    return new DigestParts(BLOCKS).collect(new Path(folder.toUri()), conf);
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
