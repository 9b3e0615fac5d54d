package org.saevhadoop.format.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.MadeArrays;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.file.NamePattern;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrow.file.ArrowError;
import org.saevhadoop.format.arrow.file.ArrowTables;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.FormatEvidence;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Allocation;

/** Folders of Arrow files as datasets. */
class ArrowFormatTest {
  private static final Field VECTORS = ArrowTables.column("x", DType.F32, ArrowTables.LIST);

  private static final Field TOKENS =
      ArrowTables.column("x", DType.F32, ArrowTables.LIST, ArrowTables.LIST);

  private final MemoryStorage folder = new MemoryStorage("/data");
  private long next;

  /** Returns vectors of two floats that count up. */
  private List<Object> vectors(int count) {
    List<Object> vectors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      vectors.add(List.of(bits(next++), bits(next++)));
    }
    return vectors;
  }

  private static long bits(long value) {
    return Float.floatToRawIntBits(value) & 0xffffffffL;
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private void put(String file, List<Field> fields, List<List<Object>>... batches)
      throws IOException {
    folder.put(file, ArrowTables.write(ArrowTables.STREAM, fields, List.of(batches)));
  }

  private void state(String json) {
    folder.put("state.json", json.getBytes(StandardCharsets.UTF_8));
  }

  private ActivationDataset open(Settings settings) throws IOException {
    ArrowFormat format = new ArrowFormat();
    return format
        .open(Location.of(folder), settings, DatasetFormats.registry())
        .requireActivations();
  }

  private ActivationDataset open(String... tensors) throws IOException {
    return open(
        tensors.length == 0
            ? Settings.NONE
            : Settings.NONE.with(ArrayKeys.TENSORS, List.of(tensors)));
  }

  private static List<Float> counted(int from, int to) {
    return LongStream.range(from, to).mapToObj(value -> (float) value).toList();
  }

  @Test
  void batchesAndFilesFollowOneAnother() throws IOException {
    put("data-00000-of-00002.arrow", List.of(VECTORS), List.of(vectors(3)), List.of(vectors(1)));
    put("data-00001-of-00002.arrow", List.of(VECTORS), List.of(vectors(3)));
    ActivationDataset dataset = open();
    assertThat(dataset.geometry()).isEqualTo(new Geometry(7, List.of(0), 1, 2));
    assertThat(MadeArrays.blocks(dataset).stream().flatMap(List::stream))
        .containsExactlyElementsOf(counted(0, 14));
    assertThat(open("x=dim").geometry()).isEqualTo(dataset.geometry());
    assertThat(open("x=example,dim").geometry()).isEqualTo(dataset.geometry());
  }

  @Test
  void filesAndBatchesWithoutRowsAreNoReasonToRefuseOthers() throws IOException {
    put("a.arrow", List.of(VECTORS), List.of(List.of()));
    put("b.arrow", List.of(VECTORS), List.of(vectors(2)), List.of(List.of()), List.of(vectors(1)));
    folder.put("c.arrow", ArrowTables.write(ArrowTables.FILE, List.of(VECTORS), List.of()));
    for (ActivationDataset dataset : List.of(open(), open("x=dim"))) {
      assertThat(dataset.geometry()).isEqualTo(new Geometry(3, List.of(0), 1, 2));
      assertThat(MadeArrays.blocks(dataset).stream().flatMap(List::stream))
          .containsExactlyElementsOf(counted(0, 6));
    }
    put("b.arrow", List.of(VECTORS));
    assertFails(ArrayError.NO_MATCH, "/data", () -> open());
    assertFails(ArrayError.NO_MATCH, "/data", () -> open("x=dim"));
  }

  @Test
  void aMissingFileOfASeriesIsNamed() throws IOException {
    put("data-00000-of-00003.arrow", List.of(VECTORS), List.of(vectors(2)));
    put("data-00002-of-00003.arrow", List.of(VECTORS), List.of(vectors(2)));
    FormatException e = assertFails(ArrayError.INCOMPLETE, "/data", () -> open());
    assertThat(e).hasMessageContaining("lacks data-00001-of-00003.arrow (expected 3 files;");
    Settings settings =
        Settings.NONE.with(ArrayKeys.FILES, NamePattern.parse("data-{shard}-of-00003.arrow"));
    assertThat(open(settings).geometry().examples()).isEqualTo(4);
    put("data-00001-of-00003.arrow", List.of(VECTORS), List.of(vectors(2)));
    assertThat(open().geometry().examples()).isEqualTo(6);
  }

  /** datasets 5.0.1 and pyarrow 25.0.1 wrote them; Apache Arrow for Java reads them, too. */
  @Test
  void filesOfSaeLensHaveTheValuesThatArrowReads() throws IOException {
    Path source = Path.of("../fixtures/arrays/saelens");
    ActivationDataset dataset =
        new ArrowFormat()
            .open(Location.of(new LocalFolder(source)), Settings.NONE, DatasetFormats.registry())
            .requireActivations();
    assertThat(dataset.geometry()).isEqualTo(new Geometry(6, List.of(3), 5, 8));
    List<Object> values = new ArrayList<>();
    List<Object> ids = new ArrayList<>();
    for (String file : List.of("data-00000-of-00002.arrow", "data-00001-of-00002.arrow")) {
      try (var allocator = new RootAllocator();
          var in = Files.newInputStream(source.resolve(file));
          var reader = new ArrowStreamReader(in, allocator)) {
        while (reader.loadNextBatch()) {
          var root = reader.getVectorSchemaRoot();
          for (int row = 0; row < root.getRowCount(); row++) {
            List<?> matrix = (List<?>) root.getVector(0).getObject(row);
            matrix.forEach(vector -> values.addAll((List<?>) vector));
            ids.add(root.getVector("token_ids").getObject(row));
          }
        }
      }
    }
    assertThat(MadeArrays.blocks(dataset).stream().flatMap(List::stream).toList())
        .isEqualTo(values);
    List<List<Integer>> found = new ArrayList<>();
    MadeArrays.integers(dataset, 0)
        .forEach(row -> found.add(row.stream().map(Long::intValue).toList()));
    assertThat(found.toString().replace(" ", "")).isEqualTo(ids.toString().replace(" ", ""));
  }

  @Test
  void rowsOfDifferentLengthsAreRagged() throws IOException {
    Field ids = ArrowTables.column("input_ids", DType.I32, ArrowTables.LIST);
    List<Object> rows = List.of(vectors(2), vectors(2), vectors(1), vectors(3));
    List<Object> tokens =
        List.of(List.of(7L, 8L), List.of(9L, 10L), List.of(11L), List.of(12L, 13L, 14L));
    put("a.arrow", List.of(TOKENS, ids), List.of(rows, tokens));
    assertFails(DatasetError.RAGGED, "/data", () -> open());
    Settings flat = Settings.NONE.with(ArrayKeys.RAGGED, RaggedPolicy.parse("flatten"));
    ActivationDataset dataset = open(flat);
    assertThat(dataset.geometry()).isEqualTo(new Geometry(8, List.of(0), 1, 2));
    assertThat(MadeArrays.blocks(dataset).stream().flatMap(List::stream))
        .containsExactlyElementsOf(counted(0, 16));
    assertThat(MadeArrays.integers(dataset, 0)).element(7).isEqualTo(List.of(14L));
    Settings padded = Settings.NONE.with(ArrayKeys.RAGGED, RaggedPolicy.parse("pad:3"));
    assertThat(MadeArrays.blocks(open(padded)).get(2)).containsExactly(8f, 9f, 0f, 0f, 0f, 0f);
  }

  private static List<Integer> labels(ActivationDataset dataset) throws IOException {
    try (PatchLabels labels = dataset.openLabels()) {
      ByteBuffer all = ByteBuffer.allocate((int) dataset.geometry().examples() * labels.patches());
      labels.read(0, all);
      List<Integer> list = new ArrayList<>();
      for (byte label : all.array()) {
        list.add(Byte.toUnsignedInt(label));
      }
      return list;
    }
  }

  @Test
  void aColumnOfIntegersIsTheLabels() throws IOException {
    Settings named = Settings.NONE.with(ArrayKeys.LABEL_COLUMN, "class");
    Field integers = ArrowTables.column("class", DType.U8);
    put(
        "a.arrow",
        List.of(VECTORS, integers),
        List.of(vectors(2), List.of(255L, 3L)),
        List.of(vectors(1), List.of(7L)));
    ActivationDataset rows = open(named);
    assertThat(labels(rows)).containsExactly(255, 3, 7);
    assertThat(rows.activations().clsTokens()).hasValue(0);
    assertThat(rows.tokenArrays().names()).isEmpty();
    assertThat(open().tokenArrays().names()).containsExactly("class");
    List<Object> tokens = List.of(vectors(2), vectors(2));
    Field lists = ArrowTables.column("class", DType.I64, ArrowTables.LIST);
    put(
        "a.arrow",
        List.of(TOKENS, lists),
        List.of(tokens, List.of(List.of(1L, 2L), List.of(3L, 4L))));
    assertThat(labels(open(named))).containsExactly(1, 2, 3, 4);
    put("b.arrow", List.of(TOKENS), List.of(tokens));
    assertFails(ArrayError.NO_MATCH, "/data/b.arrow", () -> open(named));
    put("b.arrow", List.of(TOKENS, lists), List.of(tokens, nullable(List.of(3L, 4L), null)));
    assertFails(ArrowError.NULL, "/data/b.arrow", () -> open(named));
    put("b.arrow", List.of(TOKENS, lists), List.of(tokens, List.of(List.of(1L), List.of(3L))));
    assertFails(ArrayError.BAD_SHAPE, "/data/b.arrow", () -> open(named));
    put(
        "b.arrow",
        List.of(TOKENS, ArrowTables.column("class", ArrowTables.UTF8, List.of(), Map.of())),
        List.of(tokens, List.of("a", "b")));
    assertFails(ArrayError.NO_MATCH, "/data/b.arrow", () -> open(named));
  }

  /** More labels than are in memory at once. */
  @Test
  void labelsOfExamplesOfTooManyTokensAreRefused() throws IOException {
    int tokens = (1 << 22) + 1;
    Field vectors =
        ArrowTables.column("x", DType.F16, ArrowTables.fixed(tokens), ArrowTables.fixed(1));
    Field labels = ArrowTables.column("class", DType.U8, ArrowTables.fixed(tokens));
    put(
        "a.arrow",
        List.of(vectors, labels),
        List.of(
            List.of(Collections.nCopies(tokens, List.of(0L))),
            List.of(Collections.nCopies(tokens, 7L))));
    Settings named = Settings.NONE.with(ArrayKeys.LABEL_COLUMN, "class");
    assertThat(open().geometry().tokens()).isEqualTo(tokens);
    FormatException e =
        assertFails(
            DatasetError.TOO_LARGE, "/data", () -> Allocation.atMost(4 << 20, () -> open(named)));
    assertThat(e).hasMessageContaining("has labels for examples with 4194305 tokens");
    Settings flat = named.with(ArrayKeys.RAGGED, RaggedPolicy.parse("flatten"));
    assertThat(open(flat).hasLabels()).isTrue();
  }

  private static List<Object> nullable(Object... values) {
    return Arrays.asList(values);
  }

  @Test
  void booleansOfTokensAreAMask() throws IOException {
    Field mask = ArrowTables.column("attention_mask", DType.BOOL, ArrowTables.LIST);
    List<Object> rows = List.of(vectors(2), vectors(2), vectors(2));
    List<Object> kept = List.of(List.of(1L, 0L), List.of(1L, 1L), List.of(0L, 1L));
    put("a.arrow", List.of(TOKENS, mask), List.of(rows, kept));
    Settings flat = Settings.NONE.with(ArrayKeys.RAGGED, RaggedPolicy.parse("flatten"));
    assertThat(MadeArrays.blocks(open(flat)))
        .containsExactly(counted(0, 2), counted(4, 6), counted(6, 8), counted(10, 12));
  }

  @Test
  void nullsOfVectorsAreRefusedWithTheirRow() throws IOException {
    List<Object> rows = new ArrayList<>(vectors(3));
    rows.set(2, null);
    put("a.arrow", List.of(VECTORS), List.of(vectors(2)), List.of(rows));
    FormatException list = assertFails(ArrowError.NULL, "/data/a.arrow", () -> open());
    assertThat(list).hasMessageContaining("column x has a null in row 4, counted from 0");
    rows.set(2, new ArrayList<>(Collections.nCopies(2, null)));
    put("a.arrow", List.of(VECTORS), List.of(rows));
    FormatException value = assertFails(ArrowError.NULL, "/data/a.arrow", () -> open());
    assertThat(value).hasMessageContaining("column x has a null in row 2");
  }

  @Test
  void nullsOfOtherColumnsAreAWarning() throws IOException {
    Field label = ArrowTables.column("label", DType.I64);
    Field other = ArrowTables.column("y", DType.F32, ArrowTables.LIST);
    List<Object> labels = new ArrayList<>(List.of(1L, 2L));
    labels.set(1, null);
    List<Object> others = new ArrayList<>(labels);
    others.set(0, List.of(1L));
    put("a.arrow", List.of(VECTORS, label, other), List.of(vectors(2), labels, others));
    assertFails(ArrowError.NULL, "/data/a.arrow", () -> open());
    Settings named =
        Settings.NONE
            .with(ArrayKeys.TENSORS, List.of("x=dim"))
            .with(ArrayKeys.SAMPLE_METADATA, false);
    assertThat(open(named).warnings())
        .anyMatch(
            line -> line.contains("column label is left out: column label has a null in row 1"))
        .anyMatch(line -> line.contains("column y is left out"));
    assertThat(open("x=dim").warnings())
        .noneMatch(line -> line.contains("label"))
        .anyMatch(line -> line.contains("column y is left out"));
  }

  @Test
  void listsOfDifferentLengthsInARowAreRefused() throws IOException {
    List<Object> row = List.of(List.of(1L, 2L), List.of(3L));
    put("a.arrow", List.of(TOKENS), List.of(List.of(vectors(2), row)));
    FormatException e = assertFails(ArrowError.RAGGED, "/data/a.arrow", () -> open());
    assertThat(e).hasMessageContaining("column x has lists of 2 and of 1 element in row 1");
  }

  @Test
  void namedColumnsThatAreNoNumbersAreRefused() throws IOException {
    Field text = ArrowTables.column("t", ArrowTables.UTF8, List.of(), Map.of());
    put("a.arrow", List.of(VECTORS, text), List.of(vectors(1), List.of("a")));
    assertThat(open(Settings.NONE.with(ArrayKeys.SAMPLE_METADATA, false)).warnings())
        .anyMatch(line -> line.contains("not read: t (utf8)"));
    assertFails(ArrowError.UNSUPPORTED, "/data/a.arrow", () -> open("t=dim"));
    Field bits = ArrowTables.column("b", DType.BOOL, ArrowTables.LIST);
    put("a.arrow", List.of(VECTORS, bits), List.of(vectors(1), List.of(List.of(1L, 0L))));
    assertFails(ArrowError.UNSUPPORTED, "/data/a.arrow", () -> open("b=dim"));
    assertThat(open("x=dim").geometry().examples()).isEqualTo(1);
  }

  @Test
  void extensionTypesOfTensorsHaveTheirShape() throws IOException {
    Map<String, String> tensor =
        Map.of(
            "ARROW:extension:name",
            "arrow.fixed_shape_tensor",
            "ARROW:extension:metadata",
            "{\"shape\": [2, 3]}");
    Field field =
        ArrowTables.column("x", ArrowTables.type(DType.F32), List.of(ArrowTables.fixed(6)), tensor);
    List<Object> row = List.of(bits(0), bits(1), bits(2), bits(3), bits(4), bits(5));
    put("a.arrow", List.of(field), List.of(List.of(row)));
    assertThat(open().geometry()).isEqualTo(new Geometry(1, List.of(0), 2, 3));
    for (String order : List.of("[0, 1]", "[1, 0]", "[0]", "0")) {
      String text = "{\"shape\": [2, 3], \"permutation\": %s}".formatted(order);
      Map<String, String> ordered = new HashMap<>(tensor);
      ordered.put("ARROW:extension:metadata", text);
      Field other =
          ArrowTables.column(
              "x", ArrowTables.type(DType.F32), List.of(ArrowTables.fixed(6)), ordered);
      put("a.arrow", List.of(other), List.of(List.of(row)));
      if (order.equals("[0, 1]")) {
        assertThat(open().geometry()).isEqualTo(new Geometry(1, List.of(0), 2, 3));
      } else {
        assertFails(ArrowError.UNSUPPORTED, "/data/a.arrow", () -> open("x=dim"));
      }
    }
    Field unknown =
        ArrowTables.column(
            "x",
            ArrowTables.type(DType.F32),
            List.of(ArrowTables.fixed(6)),
            Map.of("ARROW:extension:name", "other.tensor"));
    put("a.arrow", List.of(unknown), List.of(List.of(row)));
    FormatException e = assertFails(ArrowError.UNSUPPORTED, "/data/a.arrow", () -> open("x=dim"));
    assertThat(e).hasMessageContaining("x (other.tensor)");
  }

  @Test
  void stateJsonMustListTheFilesInTheirOrder() throws IOException {
    put("data-00000-of-00002.arrow", List.of(VECTORS), List.of(vectors(1)));
    put("data-00001-of-00002.arrow", List.of(VECTORS), List.of(vectors(1)));
    String first = "{\"filename\": \"data-00000-of-00002.arrow\"}";
    String second = "{\"filename\": \"data-00001-of-00002.arrow\"}";
    state("{\"_data_files\": [%s, %s]}".formatted(first, second));
    assertThat(open().geometry().examples()).isEqualTo(2);
    for (String files : List.of(second + ", " + first, first, first + "," + second + "," + first)) {
      state("{\"_data_files\": [%s]}".formatted(files));
      assertFails(ArrowError.BAD_FOLDER, "/data/state.json", () -> open());
    }
    state("{\"_data_files\": [%s, %s], \"_indices_files\": [{}]}".formatted(first, second));
    assertFails(ArrowError.BAD_FOLDER, "/data/state.json", () -> open());
  }

  @Test
  void foldersOfAnUnfinishedRunAreRefused() throws IOException {
    put("a.arrow", List.of(VECTORS), List.of(vectors(1)));
    folder.makeFolder(".tmp_shards");
    assertFails(ArrowError.BAD_FOLDER, "/data", () -> open());
    assertThat(
            new ArrowFormat()
                .check(
                    Location.of(folder), Settings.NONE, DatasetFormats.registry(), warning -> {}))
        .hasSize(1);
  }

  @Test
  void tasksOpenWhatTheClientHasSurveyed() throws IOException {
    put("a.arrow", List.of(VECTORS), List.of(vectors(3)), List.of(vectors(2)));
    Settings settings = Settings.NONE.with(ArrayKeys.TENSORS, List.of("x=dim"));
    ActivationDataset dataset = open(settings);
    ActivationDataset surveyed = open(new ArrowFormat().forTasks(dataset, settings));
    assertThat(surveyed.shards()).isEqualTo(dataset.shards());
    assertThat(MadeArrays.blocks(surveyed)).isEqualTo(MadeArrays.blocks(dataset));
    put("a.arrow", List.of(VECTORS), List.of(vectors(3)), List.of(vectors(1)));
    assertFails(
        ArrayError.CHANGED, "/data", () -> open(new ArrowFormat().forTasks(dataset, settings)));
  }

  @Test
  void foldersOfHooksAreLayers() throws IOException {
    for (String hook : List.of("blocks.4.hook", "blocks.10.hook")) {
      Field column = ArrowTables.column(hook, DType.F16, ArrowTables.LIST, ArrowTables.fixed(2));
      MemoryStorage below = folder.makeFolder(hook);
      below.put(
          "data-0.arrow",
          ArrowTables.write(
              ArrowTables.FILE, List.of(column), List.of(List.of(List.of(vectors(2))))));
    }
    Settings settings =
        Settings.NONE.with(ArrayKeys.FILES, NamePattern.parse("{hook}/data-{shard}.arrow"));
    assertThat(open(settings).geometry())
        .isEqualTo(new Geometry(1, List.of(4, 10), 2, 2, DType.F16));
  }

  @Test
  void filesAreRecognizedByTheirNamesOrTheirFirstBytes() throws IOException {
    put("a.arrow", List.of(VECTORS), List.of(vectors(1)));
    put("b", List.of(VECTORS), List.of(vectors(1)));
    folder.put("c", ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).array());
    ArrowFormat format = new ArrowFormat();
    assertThat(format.detect(Location.of(folder))).isEqualTo(FormatEvidence.FAIR);
    assertThat(format.detect(Location.of(folder, "a.arrow"))).isEqualTo(FormatEvidence.STRONG);
    assertThat(format.detect(Location.of(folder, "b"))).isEqualTo(FormatEvidence.FAIR);
    assertThat(format.detect(Location.of(folder, "c"))).isEqualTo(FormatEvidence.NONE);
  }
}
