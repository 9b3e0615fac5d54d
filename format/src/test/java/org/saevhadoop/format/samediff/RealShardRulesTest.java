package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of shards is noticed when it is broken. */
class RealShardRulesTest {
  @TempDir Path folder;

  /** A graph of two arrays, and two shards with one of them each. */
  private static List<RealSdnbForge> shards() {
    RealSdnbForge graph = new RealSdnbForge().declare("b", 5).declare("a", 5).shard("graph");
    RealSdnbForge first =
        new RealSdnbForge().append("a", 5, new byte[] {1, 2, 3, 4}, 1).shard("weights");
    RealSdnbForge second = new RealSdnbForge().append("b", 5, new byte[8], 2).shard("weights");
    return List.of(graph, first, second);
  }

  private Path write(List<RealSdnbForge> shards) throws IOException {
    for (int i = 0; i < shards.size(); i++) {
      String name = "model.shard" + i + "-of-" + shards.size() + ".sdnb";
      Files.write(folder.resolve(name), shards.get(i).bytes());
    }
    return folder.resolve("model");
  }

  private static void assertBroken(String rule, Path path) {
    assertThatThrownBy(() -> RealLoaderRules.ofAny(path))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: " + rule + ": ");
  }

  @Test
  void shardsThatObeyAllRulesHaveTheirArraysInTheOrderOfTheGraph() throws IOException {
    Path base = write(shards());
    for (Path path : List.of(base, folder.resolve("model.sdnb"))) {
      assertThat(RealLoaderRules.ofOurs(path))
          .extracting(RealArray::name)
          .containsExactly("b", "a");
    }
    assertThat(RealLoaderRules.ofAny(base).get(1).bytes()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aShardThatIsMissingIsNoticed() throws IOException {
    Path base = write(shards());
    Files.delete(folder.resolve("model.shard2-of-3.sdnb"));
    assertBroken("there are as many shards as in each name", base);
  }

  @Test
  void aShardOfAnotherDatasetIsNoticed() throws IOException {
    Path base = write(shards());
    Files.write(folder.resolve("model.shard1-of-2.sdnb"), shards().get(1).bytes());
    assertBroken("there are as many shards as in each name", base);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shard03-of-4", "shard-of-4", "shards", "shard3-of-4.old"})
  void aShardOfAnotherNameIsNoticed(String name) throws IOException {
    Path base = write(shards());
    Files.write(folder.resolve("model." + name + ".sdnb"), shards().get(1).bytes());
    assertThatThrownBy(() -> RealLoaderRules.ofAny(base)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aNumberBeyondTheCountIsNoticed() throws IOException {
    Path base = write(shards());
    Files.move(folder.resolve("model.shard2-of-3.sdnb"), folder.resolve("model.shard3-of-3.sdnb"));
    assertBroken("shards are numbered from 0 to N - 1", base);
  }

  @Test
  void aBaseWithADotIsNoticed() throws IOException {
    for (int i = 0; i < 3; i++) {
      String name = "run.v1.shard" + i + "-of-3.sdnb";
      Files.write(folder.resolve(name), shards().get(i).bytes());
    }
    assertBroken("the name of shards has no dot", folder.resolve("run.v1"));
    assertBroken("the name of shards has no dot", folder.resolve("run.v1.sdnb"));
  }

  @Test
  void nothingOfTheNameIsNoticed() {
    assertBroken("a file or shards have this name", folder.resolve("model"));
  }

  @Test
  void shardsBesideAFileAreNoticed() throws IOException {
    write(shards());
    Path file = Files.write(folder.resolve("model.sdnb"), RealSdnbForge.file().bytes());
    assertBroken("no shards are beside a file", file);
  }

  @Test
  void aSingleShardIsNoticed() throws IOException {
    Path base = write(List.of(new RealSdnbForge().shard("graph")));
    assertBroken("the graph and its arrays are in shards of their own", base);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        rule("shards have their type", shards -> shards.get(0).shard("weights")),
        rule("shards have their type", shards -> shards.get(1).shard("graph")),
        rule("shards have their type", shards -> shards.get(2).metadata.clear()),
        rule("shards have their index", shards -> shards.get(2).metadata.put("shard.index", "1")),
        rule(
            "the manifest of shard 0 is empty",
            shards -> shards.get(0).append("c", 5, new byte[4], 1)),
        rule("shard 0 has no arrays", shards -> shards.get(0).scalar("c", 5, new byte[4])),
        rule(
            "variables of shards are in shard 0",
            shards -> shards.get(1).append("c", 5, new byte[4], 1)),
        rule("an array is in one shard", shards -> shards.get(2).append("a", 5, new byte[4], 1)),
        rule("variables and constants have values", shards -> shards.get(0).declare("c", 5)),
        rule("shards list only variables that they hold", shards -> shards.get(1).declare("b", 5)),
        rule("shards agree on types", shards -> declared(shards).put(2, (byte) 9)),
        rule("shards agree on types", shards -> declared(shards).put(6, (byte) 0)),
        rule("shards agree on shapes", shards -> declared(shards).put(3, new long[] {1})),
        rule(
            "the last array ends where the manifest begins, and stubs count from the first",
            shards -> shards.get(1).gap = 1),
        rule(
            "names in the manifest are those of variables",
            shards -> shards.get(1).place("b", 0, 4)));
  }

  private static Arguments rule(String rule, Consumer<List<RealSdnbForge>> change) {
    return Arguments.of(rule, change);
  }

  private static Map<Integer, Object> declared(List<RealSdnbForge> shards) {
    return shards.get(0).variables.get(0);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void aBrokenRuleIsNoticed(String rule, Consumer<List<RealSdnbForge>> change) throws IOException {
    List<RealSdnbForge> shards = shards();
    change.accept(shards);
    assertBroken(rule, write(shards));
  }
}
