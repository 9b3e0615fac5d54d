package org.saevhadoop.format.combined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.combined.MadeSource.Side;
import org.saevhadoop.format.combined.MadeSource.Storage;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.ExampleIds;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.ListedMetadata;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** What belongs to the examples of several datasets: ids, labels, tokens and sample metadata. */
class ExamplesCheckTest {
  private static final List<Integer> ORDER = List.of(0, 1, 2, 3);

  @TempDir Path folder;

  /** Writes a dataset of four examples, of which some are opened in any order. */
  private CombinedSource source(
      String name, int layer, Storage storage, Side side, List<Integer> examples)
      throws IOException {
    MadeSource all = MadeSource.of(folder.resolve(name), 1, new Geometry(4, List.of(layer), 3, 2));
    all.write(storage, 3, side);
    return all.part(examples, List.of(0), MadeSource.range(3)).source();
  }

  private static Combination of(CombinedSource... sources) throws FormatException {
    return Combination.of(List.of(sources), null, false);
  }

  private static Side named(String names) {
    return new Side(false, false, false, names);
  }

  @Test
  void idsOfMoreExamplesAreUnique() throws IOException {
    CombinedSource a = source("a", 1, Storage.KEYS, named("x"), ORDER);
    CombinedSource b = source("b", 1, Storage.KEYS, named("y"), ORDER);
    CombinedSource c = source("c", 1, Storage.KEYS, named("x"), List.of(3, 1));
    CombinedSource none = source("d", 1, Storage.NPY, named(""), ORDER);
    assertThatCode(() -> of(a, b, none).checkExamples()).doesNotThrowAnyException();
    FormatException error =
        assertFails(
            CombinationError.REPEATED_ID, folder.resolve("c"), () -> of(a, b, c).checkExamples());
    assertThat(error.getMessage())
        .endsWith(
            ("/c: example 0 has the id x1003, as does example 3 of %s (expected unique ids, or"
                    + " --renumber)")
                .formatted(folder.resolve("a")));
    assertFails(
        CombinationError.REPEATED_ID, folder.resolve("d"), () -> of(a, none, none).checkExamples());
    Combination renumbered = Combination.of(List.of(a, c), null, true);
    assertThatCode(renumbered::checkExamples).doesNotThrowAnyException();
    assertThat(renumbered.dataset().ids()).isEmpty();
    assertThat(MadeSource.ids(of(c, none).dataset()))
        .containsExactly("x1003", "x1001", "0", "1", "2", "3");
    assertThat(of(c, none).dataset().ids().orElseThrow().maxBytes()).isEqualTo(5);
  }

  @Test
  void consecutiveIdsOfAFileAreReadOnce() throws IOException {
    CombinedSource a = source("a", 1, Storage.KEYS, named("x"), ORDER);
    CombinedSource b = source("b", 1, Storage.KEYS, named("y"), ORDER);
    ExampleIds ids = of(a, b).dataset().ids().orElseThrow();
    assertThat(ids.ids(0, 1)).containsExactly("x1000");
    for (String file : a.opener().get().shards().list().stream().map(Shard::name).toList()) {
      Files.delete(folder.resolve("a").resolve(file));
    }
    assertThat(ids.ids(1, 2)).containsExactly("x1001", "x1002");
    assertThat(ids.ids(4, 2)).containsExactly("y1000", "y1001");
    assertThatThrownBy(() -> ids.ids(0, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void theSameExamplesHaveTheSameIds() throws IOException {
    CombinedSource a = source("a", 1, Storage.KEYS, named("x"), ORDER);
    CombinedSource none = source("none", 2, Storage.NPY, named(""), ORDER);
    CombinedSource b = source("b", 3, Storage.KEYS, named("x"), ORDER);
    CombinedSource c = source("c", 4, Storage.KEYS, named("x"), List.of(0, 2, 1, 3));
    assertThatCode(() -> of(none, a, b).checkExamples()).doesNotThrowAnyException();
    FormatException error =
        assertFails(
            CombinationError.EXAMPLE_DIFFERS,
            folder.resolve("c"),
            () -> of(none, a, b, c).checkExamples());
    assertThat(error.getMessage())
        .endsWith(
            "/c: example 1 differs from the one in %s in its id (expected the same examples)"
                .formatted(folder.resolve("a")));
  }

  private void assertOnlySameOrderAgrees(Side side, String what) throws IOException {
    CombinedSource a = source("a", 1, Storage.NPY, side, ORDER);
    CombinedSource b = source("b", 2, Storage.ONE_TENSOR, side, ORDER);
    CombinedSource c = source("c", 3, Storage.NPY, side, List.of(0, 1, 3, 2));
    assertThatCode(() -> of(a, b).checkExamples()).doesNotThrowAnyException();
    FormatException error =
        assertFails(
            CombinationError.EXAMPLE_DIFFERS,
            folder.resolve("c"),
            () -> of(a, b, c).checkExamples());
    assertThat(error.getMessage())
        .endsWith(
            "/c: example 2 differs from the one in %s in its %s (expected the same examples)"
                .formatted(folder.resolve("a"), what));
  }

  @Test
  void theSameExamplesHaveTheSameLabels() throws IOException {
    assertOnlySameOrderAgrees(new Side(true, false, false, ""), "labels");
  }

  @Test
  void theSameExamplesHaveTheSameTokens() throws IOException {
    assertOnlySameOrderAgrees(new Side(false, true, false, ""), "per-token integers");
  }

  @Test
  void theSameExamplesHaveTheSameSampleMetadata() throws IOException {
    assertOnlySameOrderAgrees(new Side(false, false, true, ""), "sample metadata");
  }

  private static CombinedSource invented(String path, InventedDataset dataset) throws IOException {
    return CombinedSource.of(path, "", () -> dataset);
  }

  private static InventedDataset layer(int layer) {
    return new InventedDataset(new Geometry(4, List.of(layer), 3, 2), false, 4);
  }

  @Test
  void labelsOfOtherPatchesAreRefusedOrLeftOut() throws IOException {
    CombinedSource a = invented("a", layer(1).withLabels(3));
    CombinedSource b = invented("b", layer(2).withLabels(2));
    CombinedSource c = invented("c", layer(1).withLabels(2));
    assertFails(CombinationError.EXAMPLE_DIFFERS, "b", () -> of(a, b).checkExamples());
    ActivationDataset view = of(a, c).dataset().requireActivations();
    assertThat(view.hasLabels()).isFalse();
    assertThat(view.warnings())
        .containsExactly(
            "c: the labels of patches are left out because this source differs from a");
    assertThat(of(invented("d", layer(1)), c).dataset().warnings())
        .containsExactly(
            "c: the labels of patches are left out because this source differs from d");
    assertThat(of(c, invented("d", layer(1))).dataset().warnings())
        .containsExactly(
            "d: the labels of patches are left out because this source differs from c");
  }

  @Test
  void sampleMetadataMayBeDividedElsewhere() throws IOException {
    InventedDataset whole =
        layer(1).with(null, ListedMetadata.of(new ExampleMetadata(0, 4, 7, "s")));
    InventedDataset divided =
        layer(2)
            .with(
                null,
                ListedMetadata.of(
                    new ExampleMetadata(0, 1, 7, "s"), new ExampleMetadata(1, 3, 8, "s")));
    InventedDataset shorter =
        layer(3).with(null, ListedMetadata.of(new ExampleMetadata(0, 3, 7, "s")));
    CombinedSource a = invented("a", whole);
    CombinedSource b = invented("b", divided);
    assertThatCode(() -> of(a, b).checkExamples()).doesNotThrowAnyException();
    assertFails(
        CombinationError.EXAMPLE_DIFFERS,
        "c",
        () -> of(a, b, invented("c", shorter)).checkExamples());
  }

  @Test
  void anErrorNamesTheSourceThatIsGone() throws IOException {
    CombinedSource a = source("a", 1, Storage.NPY, named(""), ORDER);
    CombinedSource b = source("b", 1, Storage.NPY, named(""), ORDER);
    ActivationDataset view = of(a, b).dataset().requireActivations();
    String second = view.shards().get(view.shards().size() - 1).name();
    InventedFiles.delete(folder.resolve("b"));
    FormatException error =
        assertFails(FileError.NOT_FOUND, folder.resolve("b"), () -> view.folder().open(second));
    assertThat(error).hasMessageContaining("/b");
    view.folder().open(view.shards().get(0).name()).close();
  }

  @Test
  void anErrorNamesTheFileOfTheLayer() throws IOException {
    CombinedSource a = source("a", 1, Storage.NPY, named(""), ORDER);
    CombinedSource b = source("b", 2, Storage.ONE_TENSOR, named(""), ORDER);
    ActivationDataset view = of(a, b).dataset().requireActivations();
    InventedFiles.delete(folder.resolve("b"));
    Input file = view.folder().open(view.shards().get(0).name());
    BlockOffsets offsets = view.placement(0, file);
    ByteBuffer block = ByteBuffer.allocate((int) view.geometry().blockBytes());
    file.readFully(offsets.offset(0, 0), block);
    assertFails(
        FileError.NOT_FOUND,
        folder.resolve("b"),
        () -> file.readFully(offsets.offset(0, 1), block.clear()));
    file.close();
  }

  /** Ids in memory. */
  private record Listed(List<String> all) implements ExampleIds {
    @Override
    public List<String> ids(long first, long count) {
      return all.subList((int) first, (int) (first + count));
    }

    @Override
    public int maxBytes() {
      return 10;
    }

    @Override
    public boolean areNumbers() {
      return false;
    }
  }

  @Property(tries = 500)
  void theFirstRepetitionIsFoundInAnyMemory(RandomValues any) throws IOException {
    int kinds = any.of(20, 1_000, 1_000_000);
    List<String> ids = any.list(0, 200, () -> "id" + any.intBetween(0, kinds)).stream().toList();
    Map<String, Long> places = new HashMap<>();
    RepeatedId.Pair expected = null;
    for (int i = 0; i < ids.size() && expected == null; i++) {
      Long before = places.put(ids.get(i), (long) i);
      expected = before == null ? null : new RepeatedId.Pair(before, i, ids.get(i));
    }
    int atOnce = any.intBetween(1, 300);
    assertThat(new RepeatedId(new Listed(ids), ids.size(), atOnce).find()).isEqualTo(expected);
  }
}
