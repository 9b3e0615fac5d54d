package org.saevhadoop.format.reader.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.io.MemoryInput;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

@Tag("sampled")
class GatherTest {
  private static final int NEAR = Gather.WORTH_A_READ;

  private static MemoryInput file(int length, long seed) {
    byte[] random = new byte[length];
    new Random(seed).nextBytes(random);
    return new MemoryInput("counted", random);
  }

  @Property(tries = 300, sample = 100)
  void anyPiecesOfAnyFilesComeInTheirOrder(RandomValues any) throws IOException {
    Random random = any.random();
    MemoryInput[] files = {file(400_000, 1), file(300_000, 2)};
    ByteBuffer expected = ByteBuffer.allocate(2_000_000);
    ByteBuffer found = ByteBuffer.allocateDirect(2_000_000);
    Gather gather = new Gather();
    for (int round = 0; round < 3; round++) {
      gather.into(found);
      int at = 0;
      MemoryInput file = files[0];
      for (int i = random.nextInt(40); i > 0; i--) {
        if (random.nextInt(8) == 0) {
          file = files[random.nextInt(2)];
          at = random.nextInt(250_000);
        }
        at += random.nextBoolean() ? 0 : random.nextInt(2 * NEAR);
        int length = 1 + random.nextInt(random.nextBoolean() ? 200 : 2 * NEAR);
        at = at + length > file.length() ? 0 : at;
        gather.add(file, at, length);
        expected.put(file.content().slice(at, length));
        at += length;
      }
      gather.finish();
      assertThat(found.duplicate().flip()).isEqualTo(expected.duplicate().flip());
    }
    assertThat(gather.bytesRead()).isEqualTo(files[0].bytesRead() + files[1].bytesRead());
  }

  @Test
  void piecesThatTouchAreOneRead() throws IOException {
    assertThat(reads(0, 3 * NEAR)).isEqualTo(1);
  }

  @Test
  void shortPiecesWithShortGapsAreOneRead() throws IOException {
    assertThat(reads(Gather.WORTH_READING, 100)).isEqualTo(1);
    assertThat(reads(Gather.WORTH_READING + 1, 100)).isEqualTo(5);
  }

  /** More than its own buffer holds, whichever piece is the first too many. */
  @Property(tries = 50)
  void shortPiecesOverMuchMoreThanABufferComeInTheirOrder(RandomValues any) throws IOException {
    Random random = any.random();
    MemoryInput file = file(600_000, 4);
    ByteBuffer expected = ByteBuffer.allocate(600_000);
    ByteBuffer found = ByteBuffer.allocateDirect(600_000);
    Gather gather = new Gather();
    gather.into(found);
    int length = NEAR - 1 - random.nextInt(NEAR / 2);
    int gap = 1 + random.nextInt(NEAR);
    for (int at = 0; at + length <= file.length(); at += length + gap) {
      gather.add(file, at, length);
      expected.put(file.content().slice(at, length));
    }
    gather.finish();
    assertThat(found.flip()).isEqualTo(expected.flip());
  }

  @Test
  void longPiecesAreReadStraightIntoTheBuffer() throws IOException {
    assertThat(reads(1, NEAR)).isEqualTo(5);
    assertThat(reads(1, NEAR - 1)).isEqualTo(1);
  }

  /** How many reads five pieces take. */
  private static int reads(int gap, int length) throws IOException {
    MemoryInput file = file(5 * (gap + length), 3);
    Gather gather = new Gather();
    gather.into(ByteBuffer.allocateDirect(5 * length));
    for (int i = 0; i < 5; i++) {
      gather.add(file, i * (gap + length), length);
    }
    gather.finish();
    return file.reads().size();
  }
}
