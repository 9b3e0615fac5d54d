package org.saevhadoop.format.pickleshards.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.io.LocalFolder;

class ShardFilesTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // files | shards, in the order of their numbers
        "host_10/shard_1.pkl host_2/shard_12.pkl.gz host_2/shard_9.pkl src/a/shard_2.pkl shard_3.pkl"
            + "| shard_3.pkl host_2/shard_9.pkl host_2/shard_12.pkl.gz host_10/shard_1.pkl"
            + " src/a/shard_2.pkl",
        // the same number in two directories
        "tpu_0/shard_0001.pkl tpu_1/shard_0001.pkl.gz"
            + "| tpu_0/shard_0001.pkl tpu_1/shard_0001.pkl.gz",
        // other pickles, and unfinished directories
        "host_00/shard_0001.pkl.gz grid_chunks_abc123.pkl.gz shard_0001.pkl.gz.tmp"
            + " _temporary/shard_0009.pkl .trash/shard_0009.pkl | host_00/shard_0001.pkl.gz"
      })
  void theShardsOfADirectoryAreThoseWithSuchNames(String files, String shards) throws IOException {
    for (String file : files.split(" ")) {
      write(file);
    }
    assertThat(paths()).containsExactly(shards.split(" "));
  }

  @Test
  void consecutiveSmallShardsOfADirectoryAreAPart() throws IOException {
    String[] names = {"a/shard_1", "a/shard_2", "a/shard_3", "a/shard_4", "b/shard_1", "b/shard_2"};
    int[] bytes = {1 << 19, 1 << 19, 1, 1 << 20, (1 << 20) + 1, 7};
    for (int i = 0; i < names.length; i++) {
      try (RandomAccessFile file = new RandomAccessFile(write(names[i] + ".pkl").toFile(), "rw")) {
        file.setLength(bytes[i]);
      }
    }
    assertThat(parts())
        .containsExactly(
            List.of("a/shard_1.pkl", "a/shard_2.pkl"),
            List.of("a/shard_3.pkl"),
            List.of("a/shard_4.pkl"),
            List.of("b/shard_1.pkl"),
            List.of("b/shard_2.pkl"));
  }

  @Test
  void aPartHasAtMostAHundredShards() throws IOException {
    for (int i = 0; i < 201; i++) {
      write("shard_" + i + ".pkl");
    }
    assertThat(parts()).extracting(List::size).containsExactly(100, 100, 1);
  }

  private List<List<String>> parts() throws IOException {
    return ShardFiles.of(new LocalFolder(root)).parts(false).stream()
        .map(part -> part.stream().map(ShardFile::relativePath).toList())
        .toList();
  }

  @Test
  void aShardKnowsItsPositionItsNumberAndItsLength() throws IOException {
    Files.write(write("pair_00/shard_0042.pkl.gz"), new byte[17]);
    ShardFile shard = ShardFiles.of(new LocalFolder(root)).shards().get(0);
    assertThat(shard.directory()).isEqualTo("pair_00");
    assertThat(shard.bytes()).isEqualTo(17);
    assertThat(shard.path()).isEqualTo(root.resolve("pair_00/shard_0042.pkl.gz").toString());
    shard.open().close();
  }

  @Test
  void aDirectoryWithNothingButAManifestIsThereAsItMayListWhatIsLost() throws IOException {
    write("host_00/shard_0001.pkl.gz");
    write("host_01/metadata.json");
    List<ShardDirectory> directories = ShardFiles.of(new LocalFolder(root)).directories();
    assertThat(directories).extracting(ShardDirectory::path).containsExactly("host_00", "host_01");
    assertThat(directories).extracting(ShardDirectory::hasManifest).containsExactly(false, true);
    assertThat(directories.get(0).manifest()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"host_00/shard_0001.pkl, host_00/shard_0001.pkl.gz", "shard_0001.pkl, shard_1.pkl"})
  void twoNamesOfOneShardAreRefused(String one, String other) throws IOException {
    write(one);
    write(other);
    assertFails(ShardError.AMBIGUOUS_SHARD, other, this::paths);
  }

  @Test
  void linksThatLeadBackEndAndDeepDirectoriesAreNotSeen() throws IOException {
    write("a/b/c/d/shard_0001.pkl");
    write("a/b/c/d/e/shard_0002.pkl");
    Files.createSymbolicLink(root.resolve("a/b/up"), root);
    Files.createSymbolicLink(root.resolve("a/twin"), root.resolve("a"));
    assertThat(paths()).containsExactly("a/b/c/d/shard_0001.pkl");
  }

  @Test
  void aDirectoryWithoutShardsReportsWhatWasExpected() {
    assertFails(ShardError.NO_SHARDS, root, this::paths);
  }

  @Test
  void aSingleFileIsAShardWhateverItsName() throws IOException {
    write("some.bin");
    LocalFolder folder = new LocalFolder(root);
    assertThat(ShardFiles.ofFile(folder, "some.bin").shards())
        .extracting(ShardFile::name)
        .containsExactly("some.bin");
    assertFails(ShardError.NOT_FOUND, "none", () -> ShardFiles.ofFile(folder, "none"));
  }

  private List<String> paths() throws IOException {
    return ShardFiles.of(new LocalFolder(root)).shards().stream()
        .map(ShardFile::relativePath)
        .toList();
  }

  private Path write(String path) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    return Files.write(root.resolve(path), new byte[0]);
  }
}
