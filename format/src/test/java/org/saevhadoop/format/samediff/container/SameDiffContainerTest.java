package org.saevhadoop.format.samediff.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.format.gather.StridedReader;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.samediff.sdnb.SdnbError;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.OtherVariable;
import org.saevhadoop.format.samediff.sdnb.SdnbForge;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.samediff.sdnb.VariableKind;

/** Files that make up a container. */
class SameDiffContainerTest {
  @TempDir Path folder;

  private SameDiffContainer read() throws IOException {
    return SameDiffContainer.read(Location.of(new LocalFolder(folder)));
  }

  private SameDiffContainer read(String file) throws IOException {
    return SameDiffContainer.read(Location.of(new LocalFolder(folder), file));
  }

  private void write(String name, SdnbForge content) throws IOException {
    Files.write(folder.resolve(name), content.bytes());
  }

  private static SdnbForge array(String name, int value) {
    SdnbForge forge = new SdnbForge();
    forge.add(name).type(1).stub(1).appended(new byte[] {(byte) value});
    return forge;
  }

  private static SdnbForge graph(String... names) {
    SdnbForge forge = new SdnbForge().metadata("k", "v");
    for (String name : names) {
      forge.add(name).type(1);
    }
    forge.add("in").kind(3).shape(-1);
    return forge;
  }

  private static byte value(SameDiffContainer container, String name) throws IOException {
    ByteBuffer value = ByteBuffer.allocate(1);
    try (StridedReader<ContainerPart> reader = container.reader()) {
      reader.read(container.array(name).orElseThrow().stored(), 0, value);
    }
    return value.get(0);
  }

  @Test
  void aSingleFileIsAContainer() throws IOException {
    write("model.sdnb", array("a", 7));
    Files.writeString(folder.resolve("notes.txt"), "other files do not matter");
    assertThat(value(read(), "a")).isEqualTo((byte) 7);
    assertThat(value(read("model.sdnb"), "a")).isEqualTo((byte) 7);
  }

  @Test
  void aFileNeedsNoSuffix() throws IOException {
    write("model", array("a", 7));
    assertThat(value(read("model"), "a")).isEqualTo((byte) 7);
  }

  @Test
  void shardsAreJoinedInTheOrderOfTheGraph() throws IOException {
    write("x.shard0-of-3.sdnb", graph("b", "a"));
    write("x.shard1-of-3.sdnb", array("a", 1));
    write("x.shard2-of-3.sdnb", array("b", 2));
    for (SameDiffContainer container : List.of(read(), read("x.shard2-of-3.sdnb"))) {
      assertThat(container.arrays()).extracting(ContainerArray::name).containsExactly("b", "a");
      assertThat(value(container, "a")).isEqualTo((byte) 1);
      assertThat(value(container, "b")).isEqualTo((byte) 2);
      assertThat(container.metadata()).containsEntry("k", "v");
      assertThat(container.placeholders())
          .containsExactly(
              new OtherVariable("in", VariableKind.PLACEHOLDER, SdnbType.FLOAT, List.of(-1L)));
      assertThat(container.warnings()).isEmpty();
    }
  }

  @Test
  void variablesWithoutValuesAreAWarning() throws IOException {
    write("x.shard0-of-2.sdnb", graph("a", "lost"));
    write("x.shard1-of-2.sdnb", array("a", 1));
    assertThat(read().warnings()).containsExactly("1 variables have no values in any shard: lost");
  }

  @Test
  void anArrayOfUnknownOrderIsAWarning() throws IOException {
    SdnbForge forge = new SdnbForge();
    forge.add("old").type(1).shape(2, 2).appended(new byte[4]);
    write("x.sdnb", forge);
    assertThat(read().warnings())
        .containsExactly("the order of 1 array is not recorded, c is assumed: old");
  }

  @Test
  void shardsBesideASingleFileOfTheirNameAreRefused() throws IOException {
    write("x.sdnb", array("a", 1));
    write("x.shard0-of-2.sdnb", graph("a"));
    String path = folder.resolve("x.sdnb").toString();
    assertFails(ContainerError.STALE_SHARDS, path, this::read);
    assertFails(ContainerError.STALE_SHARDS, path, () -> read("x.sdnb"));
    assertFails(ContainerError.STALE_SHARDS, path, () -> read("x.shard0-of-2.sdnb"));
  }

  @Test
  void aFileWhoseNameIsCutAtItsLastDotIsBesideShards() throws IOException {
    write("x.v1.sdnb", array("a", 1));
    write("x.v1.shard0-of-1.sdnb", array("a", 1));
    assertFails(ContainerError.STALE_SHARDS, folder.resolve("x.v1.sdnb"), () -> read("x.v1.sdnb"));
  }

  @Test
  void aNameWithLeadingZerosIsNotThatOfAShard() throws IOException {
    write("x.shard0-of-3.sdnb", graph("a", "b"));
    write("x.shard1-of-3.sdnb", array("a", 1));
    write("x.shard2-of-3.sdnb", array("b", 2));
    write("x.shard01-of-3.sdnb", array("a", 8));
    write("x.shard2-of-03.sdnb", array("b", 9));
    for (SameDiffContainer container : List.of(read(), read("x.shard1-of-3.sdnb"))) {
      assertThat(value(container, "a")).isEqualTo((byte) 1);
      assertThat(value(container, "b")).isEqualTo((byte) 2);
    }
    // loaders open a file that is not a shard as a single one
    assertThat(value(read("x.shard01-of-3.sdnb"), "a")).isEqualTo((byte) 8);
    Files.delete(folder.resolve("x.shard1-of-3.sdnb"));
    assertFails(ContainerError.MISSING_SHARD, folder.resolve("x.shard1-of-3.sdnb"), this::read);
  }

  @Test
  void aNameWithLeadingZerosStillCountsShards() throws IOException {
    write("x.shard0-of-1.sdnb", graph());
    write("x.shard01-of-3.sdnb", array("a", 8));
    assertFails(ContainerError.SHARDS_DISAGREE, folder, this::read);
    Files.delete(folder.resolve("x.shard0-of-1.sdnb"));
    assertFails(ContainerError.MISSING_SHARD, folder.resolve("x.shard0-of-3.sdnb"), this::read);
    write("x.sdnb", array("a", 8));
    assertFails(ContainerError.STALE_SHARDS, folder.resolve("x.sdnb"), this::read);
    Files.delete(folder.resolve("x.sdnb"));
    Files.move(folder.resolve("x.shard01-of-3.sdnb"), folder.resolve("x.shard00-of-0.sdnb"));
    assertFails(ContainerError.SHARDS_DISAGREE, folder, this::read);
  }

  @Test
  void anArrayThatCannotBeReadBelongsToItsShard() throws IOException {
    SdnbForge graph = graph("a");
    graph.add("t").type(50);
    write("x.shard0-of-3.sdnb", graph);
    write("x.shard1-of-3.sdnb", array("a", 1));
    SdnbForge texts = new SdnbForge();
    texts.add("t").type(50).stub(2).appended(new byte[2]);
    write("x.shard2-of-3.sdnb", texts);
    SameDiffContainer container = read();
    assertThat(value(container, "a")).isEqualTo((byte) 1);
    assertThat(container.warnings()).containsExactly("1 array cannot be read: t");
    assertFails(
        SdnbError.UNSUPPORTED, folder.resolve("x.shard2-of-3.sdnb"), () -> container.array("t"));
    texts.add("a").type(50).stub(1).appended(new byte[1]);
    write("x.shard2-of-3.sdnb", texts);
    assertFails(ContainerError.SHARDS_DISAGREE, folder.resolve("x.shard2-of-3.sdnb"), this::read);
  }

  @Test
  void twoContainersInAFolderAreRefusedUnlessOneIsNamed() throws IOException {
    write("x.sdnb", array("a", 1));
    write("y.sdnb", array("a", 2));
    assertFails(ContainerError.AMBIGUOUS_FILES, folder, this::read);
    assertThat(value(read("y.sdnb"), "a")).isEqualTo((byte) 2);
  }

  @Test
  void aFolderWithoutContainerIsRefused() {
    assertFails(ContainerError.NO_CONTAINER, folder, this::read);
  }

  @Test
  void aFileOfAnotherFormatIsRefused() throws IOException {
    Files.writeString(folder.resolve("x.sdnb"), "{}");
    assertFails(ContainerError.NO_CONTAINER, folder.resolve("x.sdnb"), () -> read("x.sdnb"));
  }

  @ParameterizedTest
  @CsvSource({
    "x.shard0-of-4=graph a;x.shard2-of-4=a, MISSING_SHARD, x.shard1-of-4.sdnb",
    "x.shard0-of-999999=graph a, MISSING_SHARD, x.shard1-of-999999.sdnb",
    "x.shard0-of-2=graph a;x.shard1-of-2=a;x.shard1-of-3=a, SHARDS_DISAGREE, ''",
    "x.shard0-of-1=graph;x.shard1-of-1=a, SHARDS_DISAGREE, ''",
    "x.shard0-of-3=graph a;x.shard1-of-3=a;x.shard2-of-3=a, SHARDS_DISAGREE, x.shard2-of-3.sdnb",
    "x.shard0-of-2=graph;x.shard1-of-2=a, SHARDS_DISAGREE, x.shard1-of-2.sdnb"
  })
  void shardsThatAreNotOneContainerAreRefused(String files, ContainerError kind, String path)
      throws IOException {
    for (String file : files.split(";")) {
      String[] words = file.split("[= ]");
      boolean isGraph = words[1].equals("graph");
      String[] listed = Arrays.copyOfRange(words, 2, words.length);
      write(words[0] + ".sdnb", isGraph ? graph(listed) : array(words[1], 1));
    }
    assertFails(kind, folder.resolve(path), this::read);
  }

  @Test
  void anArrayOfAnotherTypeThanInTheGraphIsRefused() throws IOException {
    SdnbForge graph = new SdnbForge();
    graph.add("a").type(5);
    write("x.shard0-of-2.sdnb", graph);
    write("x.shard1-of-2.sdnb", array("a", 1));
    assertFails(ContainerError.SHARDS_DISAGREE, folder.resolve("x.shard1-of-2.sdnb"), this::read);
  }
}
