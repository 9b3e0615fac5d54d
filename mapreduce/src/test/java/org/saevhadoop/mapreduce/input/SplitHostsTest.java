package org.saevhadoop.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.mapreduce.job.ExampleRange;

class SplitHostsTest {
  /** Ten examples of 4 bytes in files of four; each file's data follows a header of 12 bytes. */
  private final ActivationDataset dataset =
      new InventedDataset(new Geometry(10, List.of(1), 1, 1), false, 4);

  @Test
  void theHostOfMostBytesComesFirstThoughItsBlockComesLast() throws IOException {
    SplitHosts hosts = hosts(block(0, 16, "a"), block(16, 12, "b"));
    assertThat(hosts.of(new ExampleRange(0, 4))).containsExactly("b", "a");
    assertThat(hosts.of(new ExampleRange(0, 1))).containsExactly("a");
    assertThat(hosts.of(new ExampleRange(1, 2))).containsExactly("b");
  }

  @Test
  void replicasCountWhereverTheyLie() throws IOException {
    SplitHosts hosts = hosts(block(0, 16, "a", "c"), block(16, 8, "b", "c"), block(24, 4, "b"));
    assertThat(hosts.of(new ExampleRange(0, 4))).containsExactly("b", "c", "a");
  }

  @Test
  void theBytesOfAllFilesOfARangeAreAddedUp() throws IOException {
    // both files lie alike: examples 3 and 4 are the last of one, the first of the next
    SplitHosts hosts = hosts(block(0, 24, "a"), block(24, 4, "b"));
    assertThat(hosts.of(new ExampleRange(3, 1))).containsExactly("b");
    assertThat(hosts.of(new ExampleRange(3, 3))).containsExactly("a", "b");
  }

  @Test
  void atMostThreeHostsAreNamedAndTiesAreBrokenByName() throws IOException {
    SplitHosts hosts = hosts(block(0, 28, "e", "d", "c", "b", "a"));
    assertThat(hosts.of(new ExampleRange(0, 4))).containsExactly("a", "b", "c");
  }

  @Test
  void blocksOfOddLengthsThatDoNotCoverTheRangeNameNobodyElse() throws IOException {
    assertThat(hosts(block(0, 12, "header")).of(new ExampleRange(0, 4))).isEmpty();
    assertThat(hosts(block(28, 100, "behind")).of(new ExampleRange(0, 4))).isEmpty();
  }

  @Test
  void aStorageWithoutLocalityHasNoHosts() throws IOException {
    assertThat(hosts().of(new ExampleRange(0, 10))).isEmpty();
  }

  @Test
  void theStorageIsAskedOnceForEachFileThatIsNeeded() throws IOException {
    List<String> asked = new ArrayList<>();
    SplitHosts hosts =
        new SplitHosts(
            dataset,
            List.of(0),
            shard -> {
              asked.add(shard.name());
              return new BlockLocation[0];
            });
    for (int example = 0; example < 8; example++) {
      hosts.of(new ExampleRange(example, 1));
    }
    assertThat(asked).containsExactly("shard0", "shard1");
  }

  @Test
  void aStorageThatFailsIsNotHidden() {
    SplitHosts hosts =
        new SplitHosts(
            dataset,
            List.of(0),
            shard -> {
              throw new IOException("gone: " + shard.name());
            });
    assertThatThrownBy(() -> hosts.of(new ExampleRange(0, 1))).hasMessage("gone: shard0");
  }

  private SplitHosts hosts(BlockLocation... blocks) {
    return new SplitHosts(dataset, List.of(0), shard -> blocks);
  }

  private static BlockLocation block(long offset, long length, String... hosts) {
    return new BlockLocation(null, hosts, offset, length);
  }
}
