package org.saevhadoop.format.combined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.InventedDataset;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** How datasets fit together, and which do not. */
class CombinationTest {
  private static CombinedSource invented(String path, InventedDataset dataset) throws IOException {
    return CombinedSource.of(path, "sum of " + path, () -> dataset);
  }

  private static InventedDataset dataset(Geometry geometry) {
    return new InventedDataset(geometry, false, 4);
  }

  private static CombinedSource source(String path, int examples, Integer... layers)
      throws IOException {
    return invented(path, dataset(new Geometry(examples, List.of(layers), 3, 2)));
  }

  private static List<String> conflicts(@Nullable Combine way, CombinedSource... sources) {
    return Combination.conflicts(List.of(sources), way).stream()
        .map(conflict -> conflict.kind() + " " + conflict.getMessage())
        .toList();
  }

  private static Column column(String name, DType type, Long... shape) {
    return new Column(name, type, List.of(shape));
  }

  private static MadeTable table(String path, int examples, boolean byLayer, Column... columns) {
    return new MadeTable(path, new TableShape(examples, List.of(columns)), byLayer);
  }

  private static TableDataset view(CombinedSource... sources) throws IOException {
    return Combination.of(List.of(sources), null, false).dataset();
  }

  @Test
  void moreExamplesHaveTheLayersOfTheFirst() throws IOException {
    Combination both =
        Combination.of(List.of(source("a", 5, 3, 1), source("b", 2, 1, 3)), null, false);
    assertThat(both.way()).isEqualTo(Combine.EXAMPLES);
    ActivationDataset view = both.dataset().requireActivations();
    assertThat(view.geometry()).isEqualTo(new Geometry(7, List.of(3, 1), 3, 2));
    assertThat(view.shards())
        .extracting(Shard::name)
        .containsExactly("0/shard0", "0/shard1", "1/shard0");
    assertThat(view.path()).isEqualTo("a");
    assertThat(view.sourceExample(6)).isEqualTo(1);
    assertFails(FileError.NOT_FOUND, "a/2/shard0", () -> view.folder().open("2/shard0"));
  }

  @Test
  void moreLayersHaveTheExamplesOfTheFirst() throws IOException {
    Combination both =
        Combination.of(List.of(source("a", 5, 3, 1), source("b", 5, 2)), null, false);
    assertThat(both.way()).isEqualTo(Combine.LAYERS);
    ActivationDataset view = both.dataset().requireActivations();
    assertThat(view.geometry()).isEqualTo(new Geometry(5, List.of(3, 1, 2), 3, 2));
    assertThat(view.shards()).extracting(Shard::examples).containsExactly(4L, 1L);
    assertFails(FileError.NOT_FOUND, "a/2", () -> view.folder().open("2"));
  }

  @Test
  void theProvenanceListsTheSources() throws IOException {
    ActivationDataset view = view(source("a \"1\"", 1, 3), source("b", 2, 3)).requireActivations();
    assertThat(view.activations().provenance().document(Combination.SOURCES))
        .contains(
            "[{\"name\": \"a \\\"1\\\"\", \"hash\": \"sum of a \\\"1\\\"\", \"examples\": 1},"
                + " {\"name\": \"b\", \"hash\": \"sum of b\", \"examples\": 2}]");
  }

  @Test
  void whetherThereIsClsIsKnownIfAllKnowIt() throws IOException {
    CombinedSource known =
        invented("a", dataset(new Geometry(1, List.of(3), 3, 2)).withClsTokens(1));
    CombinedSource other =
        invented("b", dataset(new Geometry(1, List.of(3), 3, 2)).withClsTokens(1));
    CombinedSource none =
        invented("c", dataset(new Geometry(1, List.of(3), 3, 2)).withClsTokens(0));
    CombinedSource unknown = source("d", 1, 3);
    assertThat(view(known, other).requireActivations().activations().clsTokens()).hasValue(1);
    assertThat(view(known, unknown).requireActivations().activations().clsTokens()).isEmpty();
    assertThat(conflicts(null, unknown, known, other, none))
        .containsExactly("CLS_DIFFERS c: has 0 [CLS] tokens per example (expected 1, as in a)");
  }

  @Test
  void allConflictsAreListed() throws IOException {
    assertThat(
            conflicts(
                null,
                source("a", 5, 3, 1),
                source("b", 5, 3),
                source("c", 5, 3, 1, 7),
                invented("d", dataset(new Geometry(1, List.of(1, 3), 4, 2))),
                table("e", 5, false, column("x", DType.I8, 2L)).source(),
                invented("f", dataset(new Geometry(1, List.of(1, 3), 3, 2, DType.I64)))))
        .containsExactly(
            "COLUMNS_DIFFER b: has no layer 1 among layer 3 (expected layer 3, layer 1, as in a)",
            "COLUMNS_DIFFER c: has layer 7 among layer 3, layer 1, layer 7 (expected layer 3,"
                + " layer 1, as in a)",
            "SHAPES_DIFFER d: has 4 tokens of dim 2 (expected 3 tokens of dim 2, as in a)",
            "KINDS_DIFFER e: has column x (expected activations of layer 3, layer 1, as in a)",
            "TYPES_DIFFER f: has layer 1 as I64 (expected a type that one type holds exactly"
                + " together with [F32], as in a)");
    assertThat(conflicts(null, source("a", 5, 3), source("b", 4, 2), source("c", 5, 2)))
        .containsExactly(
            "EXAMPLES_DIFFER b: has 4 examples of layer 2 (expected 5 of other columns, or layer"
                + " 3, as in a)",
            "COLUMNS_DIFFER c: has layer 2, which is also in b (expected other columns of the"
                + " same examples, as in a)");
    assertThat(conflicts(Combine.LAYERS, source("a", 5, 3), source("b", 4, 3)))
        .containsExactly(
            "EXAMPLES_DIFFER b: has 4 examples (expected 5, as in a)",
            "COLUMNS_DIFFER b: has layer 3, which is also in a (expected other columns of the"
                + " same examples, as in a)");
    assertThat(conflicts(Combine.LAYERS, source("a", 5, 0), source("b", 5, 1), source("c", 5, 0)))
        .containsExactly(
            "COLUMNS_DIFFER c: has layer 0, which is also in a (expected other columns of the same"
                + " examples, as in a; -D saev.input.2.layer.names=L numbers arrays without a"
                + " number)");
    assertThat(conflicts(Combine.EXAMPLES, source("a", 5, 3), source("b", 5, 4)))
        .containsExactly(
            "COLUMNS_DIFFER b: has no layer 3 among layer 4 (expected layer 3, as in a)");
    assertFails(
        CombinationError.COLUMNS_DIFFER, "b", () -> view(source("a", 5, 3), source("b", 4, 3, 2)));
  }

  @Test
  void conflictsOfTablesAreListed() throws IOException {
    CombinedSource first =
        table("a", 5, false, column("x", DType.I8, 2L), column("y", DType.F32)).source();
    assertThat(
            conflicts(
                null,
                first,
                table("b", 3, false, column("y", DType.F32), column("x", DType.I8, 3L)).source(),
                table("c", 3, false, column("y", DType.I64), column("x", DType.BOOL, 2L)).source(),
                source("d", 5, 3)))
        .containsExactly(
            "SHAPES_DIFFER b: has column x of the shape [3] (expected [2], as in a)",
            "TYPES_DIFFER c: has column y as I64 (expected a type that one type holds exactly"
                + " together with [F32], as in a)",
            "TYPES_DIFFER c: has column x as BOOL (expected a type that one type holds exactly"
                + " together with [I8], as in a)",
            "KINDS_DIFFER d: has activations of layer 3 (expected column x, column y, as in a)");
  }

  @Test
  void theTypeIsTheSmallestThatHoldsAll() {
    assertThat(WidestType.of(List.of(DType.F16, DType.BF16))).contains(DType.F32);
    assertThat(WidestType.of(List.of(DType.F32, DType.F64))).contains(DType.F64);
    assertThat(WidestType.of(List.of(DType.U8, DType.I8))).contains(DType.I16);
    assertThat(WidestType.of(List.of(DType.I16, DType.F16))).contains(DType.F32);
    assertThat(WidestType.of(List.of(DType.I32, DType.F32))).contains(DType.F64);
    assertThat(WidestType.of(List.of(DType.F4))).contains(DType.F4);
    assertThat(WidestType.of(List.of(DType.U64, DType.I64))).isEmpty();
    assertThat(WidestType.of(List.of(DType.BOOL, DType.U8))).isEmpty();
  }

  @Test
  void tooManyBytesAreRefused() throws IOException {
    Geometry large = new Geometry(1L << 55, List.of(3), 1, 32);
    List<CombinedSource> sources = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sources.add(invented("a", new InventedDataset(large, false, large.examples())));
    }
    assertThatThrownBy(() -> Combination.of(sources, null, false))
        .hasMessageStartingWith("a: is larger than 2^63 bytes together with the other datasets");
  }

  private static void checkTable(
      TableDataset view, boolean byLayer, List<MadeTable> sources, Combine way) throws IOException {
    RecordSelection all =
        RecordSelection.blocks(
            new BlockOrder(byLayer, BlockOrder.byExample(view.table()).columns()), 3);
    long blocks = 0;
    try (BlockCursor cursor = new BlockCursor(view, all, 0, view.table().examples())) {
      for (; cursor.next(); blocks++) {
        Column column = view.table().columns().get(cursor.column());
        int source = 0;
        long example = cursor.example();
        for (; !sources.get(source).has(example, column.name()); source++) {
          example -= way == Combine.EXAMPLES ? sources.get(source).table().examples() : 0;
        }
        MadeTable made = sources.get(source);
        assertThat(cursor.bytes())
            .isEqualTo(made.block(example, made.index(column.name()), column.dtype()));
      }
    }
    assertThat(blocks).isEqualTo(view.table().examples() * view.table().columns().size());
  }

  private static final List<DType> TYPES =
      List.of(DType.I8, DType.I16, DType.I32, DType.F16, DType.F32, DType.F64);

  private static Combination tables(Combine way, RandomValues any, List<MadeTable> tables)
      throws IOException {
    int examples = any.intBetween(0, 7);
    List<CombinedSource> sources = new ArrayList<>();
    for (int i = any.intBetween(2, 4); i > 0; i--) {
      String suffix = way == Combine.LAYERS ? "-" + i : "";
      Column[] columns = {
        column("scalar" + suffix, any.of(TYPES)),
        column("none" + suffix, any.of(TYPES), 0L),
        column("some" + suffix, any.of(TYPES), 3L, 5L)
      };
      int own = way == Combine.LAYERS ? examples : any.intBetween(0, 7);
      tables.add(table("table" + i, own, any.bool(), columns));
      sources.add(tables.get(tables.size() - 1).source());
    }
    return Combination.of(sources, way, false);
  }

  @Property(tries = 300)
  void blocksOfTablesAreThoseOfTheSources(RandomValues any) throws IOException {
    Combine way = any.of(Combine.class);
    List<MadeTable> tables = new ArrayList<>();
    checkTable(tables(way, any, tables).dataset(), any.bool(), tables, way);
  }

  @Property(tries = 300)
  void anyBytesOfAFileAreReadAlone(RandomValues any) throws IOException {
    TableDataset view = tables(any.of(Combine.class), any, new ArrayList<>()).dataset();
    for (Shard shard : view.shards()) {
      try (Input file = view.folder().open(shard.name())) {
        ByteBuffer whole = ByteBuffer.allocate((int) file.length());
        file.readFully(0, whole);
        int from = any.intBetween(0, whole.capacity());
        ByteBuffer part = ByteBuffer.allocate(any.intBetween(0, whole.capacity() - from));
        file.readFully(from, part);
        assertThat(part.flip()).isEqualTo(whole.slice(from, part.capacity()));
      }
    }
  }

  @Test
  void largeBlocksAreConvertedPieceByPiece() throws IOException {
    MadeTable narrow = table("a", 3, false, column("x", DType.I8, 200_003L));
    MadeTable wide = table("b", 1, false, column("x", DType.F64, 200_003L));
    checkTable(
        view(narrow.source(), wide.source()), false, List.of(narrow, wide), Combine.EXAMPLES);
  }

  @Test
  void onlySourcesThatAreReadAreOpened() throws IOException {
    TreeSet<Integer> opened = new TreeSet<>();
    List<CombinedSource> sources = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      int number = i;
      MadeTable table = table("part" + i, 2, false, column("x", DType.I8, 3L));
      sources.add(
          new CombinedSource(
              table.path(),
              "",
              SourceFacts.of(table),
              () -> {
                opened.add(number);
                return table;
              }));
    }
    TableDataset view = Combination.of(sources, null, false).dataset();
    assertThat(view.table().examples()).isEqualTo(20_000);
    view.shards().forEach(shard -> view.folder().path(shard.name()));
    view.expectedRanges(7_000, 0, 1, List.of(0));
    assertThat(view.sourceExample(10_001)).isEqualTo(1);
    assertThat(opened).isEmpty();
    RecordSelection all = RecordSelection.blocks(BlockOrder.byExample(view.table()), 1);
    try (BlockCursor cursor = new BlockCursor(view, all, 10_000, 40)) {
      int blocks = 0;
      while (cursor.next()) {
        blocks++;
      }
      assertThat(blocks).isEqualTo(40);
    }
    assertThat(opened).isEqualTo(new TreeSet<>(IntStream.range(5_000, 5_020).boxed().toList()));
  }

  @Test
  void aSourceThatHasChangedIsRefused() throws IOException {
    MadeTable before = table("a", 2, false, column("x", DType.I8, 3L));
    MadeTable after = table("a", 3, false, column("x", DType.I8, 3L));
    CombinedSource changed = new CombinedSource("a", "", SourceFacts.of(before), () -> after);
    TableDataset view = view(table("b", 1, false, column("x", DType.I8, 3L)).source(), changed);
    assertThat(assertFails(CombinationError.CHANGED, "a", () -> view.folder().open("1/f0")))
        .hasMessageContaining("3 examples in 2 files (expected 2 in 1 file, as before)");
  }

  @Test
  void moreLayersThanFilesThatAreOpenAreReadInTurns() throws IOException {
    List<CombinedSource> sources = new ArrayList<>();
    List<InventedDataset> datasets = new ArrayList<>();
    for (int layer = 0; layer < 70; layer++) {
      datasets.add(new InventedDataset(new Geometry(5, List.of(layer), 3, 2), layer % 2 == 0, 4));
      sources.add(invented("layer" + layer, datasets.get(layer)));
    }
    ActivationDataset view = Combination.of(sources, null, false).dataset().requireActivations();
    RecordSelection all = RecordSelection.all(view.geometry(), RecordSelection.Unit.VECTOR);
    int vectors = 0;
    try (BlockCursor cursor = new BlockCursor(view, all, 0, 5)) {
      for (; cursor.next(); vectors++) {
        assertThat(cursor.bytes())
            .isEqualTo(datasets.get(cursor.column()).vector(cursor.example(), 0, cursor.token()));
      }
    }
    assertThat(vectors).isEqualTo(5 * 70 * 3);
  }

  @Test
  void combinationsAreCombined() throws IOException {
    List<MadeTable> tables = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      String column = name.compareTo("c") < 0 ? "x" : "y";
      tables.add(table(name, 3, true, column(column, DType.I8, 5L)));
    }
    List<CombinedSource> pairs = new ArrayList<>();
    for (int i = 0; i < 4; i += 2) {
      TableDataset pair = view(tables.get(i).source(), tables.get(i + 1).source());
      pairs.add(CombinedSource.of("pair", "", () -> pair));
    }
    TableDataset all = Combination.of(pairs, null, false).dataset();
    assertThat(all.table().examples()).isEqualTo(6);
    RecordSelection blocks = RecordSelection.blocks(BlockOrder.byExample(all.table()), 1);
    try (BlockCursor cursor = new BlockCursor(all, blocks, 0, 6)) {
      while (cursor.next()) {
        MadeTable source = tables.get(2 * cursor.column() + (int) cursor.example() / 3);
        assertThat(cursor.bytes()).isEqualTo(source.block(cursor.example() % 3, 0, DType.I8));
      }
    }
  }
}
