package org.saevhadoop.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
    assertThat(of(hosts, new ExampleRange(0, 4))).containsExactly("b", "a");
    assertThat(of(hosts, new ExampleRange(0, 1))).containsExactly("a");
    assertThat(of(hosts, new ExampleRange(1, 2))).containsExactly("b");
  }

  @Test
  void replicasCountWhereverTheyAre() throws IOException {
    SplitHosts hosts = hosts(block(0, 16, "a", "c"), block(16, 8, "b", "c"), block(24, 4, "b"));
    assertThat(of(hosts, new ExampleRange(0, 4))).containsExactly("b", "c", "a");
  }

  @Test
  void theBytesOfAllFilesOfARangeAreAddedUp() throws IOException {
    // both files lie alike: examples 3 and 4 are the last of one, the first of the next
    SplitHosts hosts = hosts(block(0, 24, "a"), block(24, 4, "b"));
    assertThat(of(hosts, new ExampleRange(3, 1))).containsExactly("b");
    assertThat(of(hosts, new ExampleRange(3, 3))).containsExactly("a", "b");
  }

  @Test
  void atMostThreeHostsAreNamedAndTiesAreBrokenByName() throws IOException {
    SplitHosts hosts = hosts(block(0, 28, "e", "d", "c", "b", "a"));
    assertThat(of(hosts, new ExampleRange(0, 4))).containsExactly("a", "b", "c");
  }

  @Test
  void blocksOfOddLengthsThatDoNotCoverTheRangeNameNobodyElse() throws IOException {
    assertThat(of(hosts(block(0, 12, "header")), new ExampleRange(0, 4))).isEmpty();
    assertThat(of(hosts(block(28, 100, "behind")), new ExampleRange(0, 4))).isEmpty();
  }

  @Test
  void aStorageWithoutLocalityHasNoHosts() throws IOException {
    assertThat(of(hosts(), new ExampleRange(0, 10))).isEmpty();
  }

  @Test
  void theStorageIsAskedOnceForAFileAndOnlyForTheBytesThatAreRead() throws IOException {
    Map<String, String> asked = new ConcurrentHashMap<>();
    List<ExampleRange> ranges =
        IntStream.range(1, 7).mapToObj(example -> new ExampleRange(example, 1)).toList();
    hosts(
            64,
            (shard, offset, length) -> {
              assertThat(asked.put(shard.name(), offset + "+" + length)).isNull();
              return List.of();
            })
        .of(ranges);
    assertThat(asked)
        .containsExactlyInAnyOrderEntriesOf(Map.of("shard0", "16+12", "shard1", "12+12"));
  }

  @Test
  void blocksThatAreFarApartAreAskedForSeparately() throws IOException {
    Set<String> asked = ConcurrentHashMap.newKeySet();
    hosts(
            1,
            (shard, offset, length) -> {
              asked.add(shard.name() + " " + offset + "+" + length);
              return List.of();
            })
        .of(List.of(new ExampleRange(0, 1), new ExampleRange(2, 1)));
    assertThat(asked).containsExactlyInAnyOrder("shard0 12+4", "shard0 20+4");
  }

  @Test
  void aBlockThatTwoRequestsReturnCountsOnce() throws IOException {
    Geometry large = new Geometry(1000, List.of(1), 1, 1);
    AtomicInteger requests = new AtomicInteger();
    List<String[]> found =
        new SplitHosts(
                new InventedDataset(large, false, 1000),
                List.of(0),
                1,
                (shard, offset, length) -> {
                  requests.incrementAndGet();
                  return List.of(block(0, 2412, "a"), block(2412, 1600, "b"));
                })
            .of(List.of(new ExampleRange(0, 1000), new ExampleRange(600, 100)));
    assertThat(requests).hasValue(32);
    assertThat(found.get(0)).containsExactly("a", "b");
    assertThat(found.get(1)).containsExactly("b");
  }

  @Test
  void manySplitsAreTakenOneAfterAnother() throws IOException {
    Geometry large = new Geometry(30_000, List.of(1), 1, 1);
    AtomicInteger held = new AtomicInteger();
    List<ExampleRange> ranges =
        IntStream.range(0, 30_000).mapToObj(i -> new ExampleRange(i, 1)).toList();
    List<String[]> found =
        new SplitHosts(
                new InventedDataset(large, false, 1),
                List.of(0),
                64,
                (shard, offset, length) -> {
                  held.incrementAndGet();
                  return List.of(block(0, 16, "host-of-" + shard.name()));
                })
            .of(ranges);
    assertThat(held).hasValue(30_000);
    for (int i = 0; i < ranges.size(); i++) {
      assertThat(String.join(" ", found.get(i))).isEqualTo("host-of-shard" + i);
    }
  }

  @Test
  void aStorageThatFailsIsNotHidden() {
    SplitHosts hosts =
        hosts(
            64,
            (shard, offset, length) -> {
              throw new IOException("gone: " + shard.name());
            });
    assertThatThrownBy(() -> of(hosts, new ExampleRange(0, 1))).hasMessage("gone: shard0");
  }

  private static String[] of(SplitHosts hosts, ExampleRange range) throws IOException {
    return hosts.of(List.of(range)).get(0);
  }

  private SplitHosts hosts(BlockLocation... blocks) {
    return hosts(64, (shard, offset, length) -> List.of(blocks));
  }

  private SplitHosts hosts(long blockSize, SplitHosts.Locations locations) {
    return new SplitHosts(dataset, List.of(0), blockSize, locations);
  }

  private static BlockLocation block(long offset, long length, String... hosts) {
    return new BlockLocation(null, hosts, offset, length);
  }
}
