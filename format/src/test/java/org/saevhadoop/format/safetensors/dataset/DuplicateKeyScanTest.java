package org.saevhadoop.format.safetensors.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;

class DuplicateKeyScanTest {
  /** Two ids of the same hash, found as a short vector of a lattice. */
  private static final List<String> TWINS =
      List.of(
          "\u5f32\u771e\u9ec2\u8490\u7438\u8345\u964f",
          "\u580f\u50e0\u7666\u8b41\u4f74\u8cbf\u9561");

  @TempDir Path folder;

  @Test
  void idsOfOneHashAreTwoIds() throws IOException {
    assertThat(DuplicateKeyScan.hash(TWINS.get(0))).isEqualTo(DuplicateKeyScan.hash(TWINS.get(1)));
    write("a", TWINS.get(0), "x");
    write("b", TWINS.get(1), "y");
    DuplicateKeyScan census = census();
    assertThat(census.losers()).isEmpty();
    assertThat(census.example()).isNull();
    write("c", TWINS.get(0));
    census = census();
    // in UTF-8 order x comes before its neighbour
    assertThat(census.losers()).containsExactly(1);
    assertThat(census.example())
        .isEqualTo(new DuplicateKeyScan.Twice(TWINS.get(0), "a.safetensors", "c.safetensors"));
  }

  @Test
  void allButTheLastOfAnIdLose() throws IOException {
    write("a", "p", "q", "r");
    write("b", "q", "s");
    write("c", "p", "q", "t");
    DuplicateKeyScan census = census();
    assertThat(census.losers()).containsExactly(0, 1, 3);
    assertThat(census.example())
        .isEqualTo(new DuplicateKeyScan.Twice("q", "a.safetensors", "b.safetensors"));
    assertThat(census.numbers()).isFalse();
  }

  @Test
  void manyIdsThatComeTwiceAreAllFound() throws IOException {
    String[] ids = IntStream.range(0, 5000).mapToObj(i -> "id" + i).toArray(String[]::new);
    write("a", ids);
    write("b", ids);
    DuplicateKeyScan census = census();
    assertThat(census.losers()).hasSize(5000).isSorted();
    assertThat(census.losers()[4999]).isEqualTo(4999);
    SafetensorsTable left = table().without(census.losers());
    assertThat(left.table().examples()).isEqualTo(5000);
    assertThat(left.shards()).extracting(shard -> shard.name()).containsExactly("b.safetensors");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 50, 1000})
  void idsThatAreTooManyToRememberAreCountedInPasses(int atOnce) throws IOException {
    List<List<String>> files =
        List.of(
            IntStream.range(0, 50).mapToObj(i -> "id" + i).toList(),
            IntStream.range(40, 90).mapToObj(i -> "id" + i).toList());
    List<Shard> shards = List.of(new Shard("file0", 0, 50, 0), new Shard("file1", 50, 50, 0));
    DuplicateKeyScan census = DuplicateKeyScan.of(shards, files::get, atOnce);
    assertThat(census.losers()).containsExactly(40, 41, 42, 43, 44, 45, 46, 47, 48, 49);
    assertThat(census.longest()).isEqualTo(4);
    assertThat(census.example().first()).isEqualTo("file0");
    assertThat(census.example().second()).isEqualTo("file1");
  }

  @Test
  void theLongestIdIsMeasuredAsItStandsInAHeader() throws IOException {
    write("a", "\u00e4\"\u0001");
    assertThat(census().longest())
        .isEqualTo("\u00e4\\\"\\u0001".getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void onlyTheNumbersOfTheExamplesAreNumbers() throws IOException {
    write("a", "0", "1");
    write("b", "2", "3");
    assertThat(census().numbers()).isTrue();
    write("c", "5");
    assertThat(census().numbers()).isFalse();
  }

  private SafetensorsTable table() throws IOException {
    return SafetensorsTable.open(
        new LocalFolder(folder),
        new SafetensorsOptions(
            TensorLayout.KV,
            null,
            HeaderStrictness.STRICT,
            List.of(),
            ProvenanceReader.NONE,
            null));
  }

  private DuplicateKeyScan census() throws IOException {
    return DuplicateKeyScan.of(table());
  }

  private void write(String name, String... ids) throws IOException {
    String[] names = Stream.of(ids).map(id -> id + "__v").toArray(String[]::new);
    SafetensorsFiles.writeScalars(folder.resolve(name + ".safetensors"), names);
  }
}
