package org.saevhadoop.format.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrow.file.ArrowError;
import org.saevhadoop.format.arrow.file.ArrowReader;
import org.saevhadoop.format.arrow.file.ArrowTables;
import org.saevhadoop.format.arrow.file.DictionaryTables;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.inflated.Inflating;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.testing.Allocation;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Columns of indexes of a dictionary, as pandas and polars write categories. */
@Tag("sampled")
class DictionaryColumnsTest {
  private static final Field VECTORS = ArrowTables.column("x", DType.F32, ArrowTables.LIST);
  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final Field COLOR = DictionaryTables.column("color", 1, INT8);
  private static final byte[] WRONG_BYTES = {0, 1, 127, (byte) 128, (byte) 255};
  private static final Settings LABELS = Settings.NONE.with(ArrayKeys.LABEL_COLUMN, "color");

  private final ArrowFormat format = new ArrowFormat();
  private final MemoryStorage folder = new MemoryStorage("/data");

  private static List<Object> vectors(int count) {
    List<Object> vectors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      vectors.add(List.of((long) Float.floatToRawIntBits(i), 0L));
    }
    return vectors;
  }

  private static List<Object> list(Object... values) {
    return Arrays.asList(values);
  }

  private static List<List<Object>> rows(Object... indexes) {
    return List.of(vectors(indexes.length), list(indexes));
  }

  private ActivationDataset open(Settings settings) throws IOException {
    return format
        .open(Location.of(folder), settings, DatasetFormats.registry())
        .requireActivations();
  }

  private ActivationDataset openStaged(Settings settings) throws IOException {
    return Inflating.open(format, Location.of(folder), settings, new MemoryStorage("/staged"))
        .requireActivations();
  }

  private static List<String> samples(ActivationDataset dataset) throws IOException {
    List<String> lines = new ArrayList<>();
    long end = dataset.geometry().examples();
    try (SampleMetadataCursor cursor = dataset.sampleMetadata().orElseThrow().cursor(0, end)) {
      for (ExampleMetadata line = cursor.next(); line != null; line = cursor.next()) {
        lines.add(line.sample());
      }
    }
    return lines;
  }

  private static DictionaryTables table(ArrowTables.Form form, ArrowType values)
      throws IOException {
    return new DictionaryTables(form, List.of(VECTORS, COLOR), Map.of(1L, values));
  }

  @ParameterizedTest
  @CsvSource({
    "false, NO_COMPRESSION",
    "true, NO_COMPRESSION",
    "false, LZ4_FRAME",
    "true, LZ4_FRAME",
    "true, ZSTD"
  })
  void categoriesAreSampleMetadata(boolean isFile, CodecType codec) throws IOException {
    ArrowTables.Form form = (isFile ? ArrowTables.FILE : ArrowTables.STREAM).with(codec);
    try (DictionaryTables table = table(form, ArrowTables.UTF8)) {
      table
          .dictionary(1, false, list("red", null))
          .rows(rows(1L, 0L, null))
          .dictionary(1, true, list("blue"))
          .rows(rows(2L, 0L));
      folder.put("a.arrow", table.end());
    }
    ActivationDataset dataset =
        codec == CodecType.NO_COMPRESSION ? open(Settings.NONE) : openStaged(Settings.NONE);
    assertThat(samples(dataset))
        .containsExactly(
            "{\"color\": null}",
            "{\"color\": \"red\"}",
            "{\"color\": null}",
            "{\"color\": \"blue\"}",
            "{\"color\": \"red\"}");
    assertThat(dataset.warnings()).isEmpty();
    assertThat(dataset.tokenArrays().names()).isEmpty();
    assertThat(problems(Settings.NONE)).isEmpty();
  }

  private List<FormatException> problems(Settings settings) throws IOException {
    return format.check(Location.of(folder), settings, ProvenanceReader.NONE, warning -> {});
  }

  @Test
  void aStreamReplacesDictionariesAndAFileDoesNot() throws IOException {
    for (ArrowTables.Form form : List.of(ArrowTables.STREAM, ArrowTables.FILE)) {
      try (DictionaryTables table = table(form, ArrowTables.UTF8)) {
        table
            .dictionary(1, false, list("red"))
            .rows(rows(0L))
            .dictionary(1, false, list("blue", "green"))
            .rows(rows(1L, 0L))
            .dictionary(1, true, list("black"))
            .rows(rows(2L));
        folder.put("a.arrow", table.end());
      }
      if (!form.isFile()) {
        assertThat(samples(open(Settings.NONE)))
            .containsExactly(
                "{\"color\": \"red\"}",
                "{\"color\": \"green\"}",
                "{\"color\": \"blue\"}",
                "{\"color\": \"black\"}");
      }
    }
    assertThat(assertFails(ArrowError.BAD_BATCH, "/data/a.arrow", () -> open(Settings.NONE)))
        .hasMessageContaining("column color has two dictionaries (expected one per file");
  }

  @ParameterizedTest
  @EnumSource(
      value = CodecType.class,
      names = {"NO_COMPRESSION", "ZSTD"})
  void integersInADictionaryCanBeLabels(CodecType codec) throws IOException {
    ArrowTables.Form form = ArrowTables.STREAM.with(codec);
    try (DictionaryTables table = table(form, INT64)) {
      table
          .dictionary(1, false, list(7L, 255L))
          .rows(rows(1L, 0L, 0L))
          .dictionary(1, false, list(3L))
          .rows(rows(0L, 0L))
          .rows(rows());
      folder.put("a.arrow", table.end());
    }
    ActivationDataset dataset =
        codec == CodecType.NO_COMPRESSION ? open(LABELS) : openStaged(LABELS);
    assertThat(labels(dataset)).containsExactly(255, 7, 7, 3, 3);
    assertThat(dataset.sampleMetadata()).isEmpty();
  }

  private static byte[] labels(ActivationDataset dataset) throws IOException {
    ByteBuffer found = ByteBuffer.allocate((int) dataset.geometry().examples());
    try (PatchLabels labels = dataset.openLabels()) {
      labels.read(0, found);
    }
    return found.array();
  }

  @Test
  void aDictionaryOfTextsHasNoLabels() throws IOException {
    try (DictionaryTables table = table(ArrowTables.FILE, ArrowTables.UTF8)) {
      folder.put("a.arrow", table.dictionary(1, false, list("red")).rows(rows(0L)).end());
    }
    assertFails(ArrayError.NO_MATCH, "/data/a.arrow", () -> open(LABELS));
  }

  /** As save_to_disk of Hugging Face's datasets writes them. */
  @Test
  void aSavedFolderCanHaveCategories() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (DictionaryTables table = table(ArrowTables.STREAM, ArrowTables.UTF8)) {
        folder.put(
            "data-0000%d-of-00002.arrow".formatted(i),
            table.dictionary(1, false, list("red " + i)).rows(rows(0L)).rows(rows(0L)).end());
      }
    }
    String state =
        """
        {"_data_files": [{"filename": "data-00000-of-00002.arrow"},
        {"filename": "data-00001-of-00002.arrow"}]}""";
    folder.put("state.json", state.getBytes(StandardCharsets.UTF_8));
    assertThat(samples(open(Settings.NONE)))
        .containsExactly(
            "{\"color\": \"red 0\"}",
            "{\"color\": \"red 0\"}",
            "{\"color\": \"red 1\"}",
            "{\"color\": \"red 1\"}");
  }

  @Test
  void aMaskThatIsNotReadIsRefused() throws IOException {
    List<Field> fields = List.of(VECTORS, DictionaryTables.column("attention_mask", 1, INT8));
    Map<Long, ArrowType> floats = Map.of(1L, ArrowTables.type(DType.F32));
    try (DictionaryTables table = new DictionaryTables(ArrowTables.STREAM, fields, floats)) {
      folder.put("a.arrow", table.dictionary(1, false, list(0L)).rows(rows(0L)).end());
    }
    assertThat(assertFails(ArrowError.UNSUPPORTED, "/data/a.arrow", () -> open(Settings.NONE)))
        .hasMessageContaining("column attention_mask is a dictionary-encoded mask");
    Settings without = Settings.NONE.with(ArrayKeys.SAMPLE_METADATA, false);
    assertThat(open(without).geometry().examples()).isEqualTo(1);
  }

  @Test
  void vectorsInADictionaryAreRefused() throws IOException {
    ArrowType floats = ArrowTables.type(DType.F32);
    try (DictionaryTables table = table(ArrowTables.FILE, floats)) {
      folder.put("a.arrow", table.dictionary(1, false, list(0L)).rows(rows(0L)).end());
    }
    Settings named = Settings.NONE.with(ArrayKeys.TENSORS, List.of("color=dim"));
    assertThat(assertFails(ArrowError.UNSUPPORTED, "/data/a.arrow", () -> open(named)))
        .hasMessageContaining("column color (of a dictionary) does not hold numbers in lists");
  }

  /** With indexes of all types, in a file of any form. */
  @Property(tries = 200, sample = 60)
  void valuesAreThoseOfTheDictionary(RandomValues any) throws IOException {
    ArrowType.Int index = new ArrowType.Int(any.of(8, 16, 32, 64), any.bool());
    int kind = any.intBetween(0, 5);
    ArrowType type =
        List.of(
                ArrowTables.UTF8,
                new ArrowType.LargeUtf8(),
                new ArrowType.Utf8View(),
                INT64,
                new ArrowType.Bool(),
                new ArrowType.Date(DateUnit.DAY))
            .get(kind);
    boolean isFile = any.bool();
    CodecType codec = any.of(CodecType.NO_COMPRESSION, CodecType.LZ4_FRAME, CodecType.ZSTD);
    ArrowTables.Form form = (isFile ? ArrowTables.FILE : ArrowTables.STREAM).with(codec);
    Field first = DictionaryTables.column("a", 5, index);
    Field second = DictionaryTables.column("b", 5, INT8);
    List<String> expected = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    try (DictionaryTables table =
        new DictionaryTables(form, List.of(first, VECTORS, second), Map.of(5L, type))) {
      for (int i = 0; i < any.intBetween(1, 5); i++) {
        if (i == 0 || any.bool()) {
          boolean isDelta = i > 0 && (isFile || any.bool());
          values = isDelta ? new ArrayList<>(values) : new ArrayList<>();
          List<Object> more = new ArrayList<>();
          for (int value = any.intBetween(i == 0 ? 1 : 0, 20); value >= 0; value--) {
            more.add(any.intBetween(0, 9) == 0 ? null : value(any, kind));
          }
          values.addAll(more);
          table.dictionary(5, isDelta, more);
        }
        List<List<Object>> rows = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int row = any.intBetween(i == 0 ? 1 : 0, 30); row > 0; row--) {
          Long a = any.intBetween(0, 9) == 0 ? null : (long) any.intBetween(0, values.size() - 1);
          Long b = any.intBetween(0, 9) == 0 ? null : (long) any.intBetween(0, values.size() - 1);
          rows.get(0).add(a);
          rows.get(1).add(List.of(0L));
          rows.get(2).add(b);
          expected.add(
              "{\"a\": %s, \"b\": %s}".formatted(json(values, a, kind), json(values, b, kind)));
        }
        table.rows(rows);
      }
      folder.put("x.arrow", table.end());
    }
    ActivationDataset dataset =
        codec == CodecType.NO_COMPRESSION ? open(Settings.NONE) : openStaged(Settings.NONE);
    assertThat(samples(dataset)).isEqualTo(expected);
  }

  private static Object value(RandomValues any, int kind) {
    return switch (kind) {
      case 3 -> any.anyLong();
      case 4 -> any.anyLong() & 1;
      case 5 -> (long) any.intBetween(0, 9);
      default -> "text ".repeat(any.intBetween(0, 5)) + any.intBetween(0, 99);
    };
  }

  private static String json(List<Object> values, Long index, int kind) {
    Object value = index == null ? null : values.get(index.intValue());
    if (value == null) {
      return "null";
    }
    return switch (kind) {
      case 3 -> value.toString();
      case 4 -> value.equals(1L) ? "true" : "false";
      case 5 -> "\"1970-01-%02d\"".formatted(1 + (Long) value);
      default -> "\"" + value + "\"";
    };
  }

  private void assertDamaged(byte[] file, Settings settings, String problem) throws IOException {
    folder.put("a.arrow", file);
    assertThat(Allocation.atMost(16 << 20, () -> problems(settings)))
        .singleElement()
        .satisfies(
            found -> assertThat(found).hasMessageContaining(problem).hasMessageNotContaining("\n"));
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 127, -1, -128})
  void indexesMustBeInTheDictionary(long index) throws IOException {
    for (ArrowTables.Form form : List.of(ArrowTables.STREAM, ArrowTables.FILE)) {
      try (DictionaryTables table = table(form, ArrowTables.UTF8)) {
        table.dictionary(1, false, list("red", "blue")).rows(rows(0L, 1L)).rows(rows(0L, index));
        assertDamaged(
            table.end(),
            Settings.NONE,
            "column color has a value in row 3, counted from 0, that has the index "
                + index
                + ", outside its dictionary of 2 values");
      }
    }
  }

  @Test
  void aDictionaryMayBeMissingOnlyIfAllIndexesAreNull() throws IOException {
    try (DictionaryTables table = table(ArrowTables.STREAM, ArrowTables.UTF8)) {
      folder.put("a.arrow", table.rows(rows(null, null)).end());
      assertThat(samples(open(Settings.NONE))).containsOnly("{\"color\": null}");
    }
    try (DictionaryTables table = table(ArrowTables.STREAM, ArrowTables.UTF8)) {
      assertDamaged(
          table.rows(rows(null, 0L)).end(),
          Settings.NONE,
          "index 0, outside its dictionary of 0 values");
    }
    try (DictionaryTables table = table(ArrowTables.STREAM, ArrowTables.UTF8)) {
      byte[] late = table.rows(rows(0L)).dictionary(1, false, list("red")).end();
      assertDamaged(late, Settings.NONE, "index 0, outside its dictionary of 0 values");
    }
  }

  @Test
  void labelsMustBeIntegersOfTheDictionary() throws IOException {
    try (DictionaryTables table = table(ArrowTables.STREAM, INT64)) {
      table.dictionary(1, false, list(1L, null)).rows(rows(0L, 1L));
      folder.put("a.arrow", table.end());
    }
    assertFails(ArrowError.NULL, "/data/a.arrow", () -> labels(open(LABELS)));
    try (DictionaryTables table = table(ArrowTables.STREAM, INT64)) {
      table.dictionary(1, false, list(1L)).rows(rows(0L, 1L));
      folder.put("a.arrow", table.end());
    }
    assertFails(ArrowError.BAD_BATCH, "/data/a.arrow", () -> labels(open(LABELS)));
  }

  @Test
  void hugeDictionariesAreRefused() throws IOException {
    String text = "0123456789abcdef".repeat(1 << 16);
    try (DictionaryTables table = table(ArrowTables.STREAM, ArrowTables.UTF8)) {
      for (int i = 0; i < 33; i++) {
        table.dictionary(1, i > 0, Collections.nCopies(1, text));
      }
      assertDamaged(
          table.rows(rows(0L)).end(), Settings.NONE, "(expected dictionaries of at most 33554432");
    }
    try (DictionaryTables table =
        table(ArrowTables.STREAM.with(CodecType.ZSTD), ArrowTables.UTF8)) {
      byte[] bomb = table.dictionary(1, false, Collections.nCopies(33, text)).rows(rows(0L)).end();
      assertThat(bomb).hasSizeLessThan(1 << 16);
      assertDamaged(bomb, Settings.NONE, "(expected dictionaries of at most 33554432");
    }
  }

  /** Any byte that changes yields an error of one line, or other values. */
  @Test
  @Timeout(120)
  void oneWrongByteIsHarmless() throws IOException {
    for (ArrowTables.Form form : List.of(ArrowTables.STREAM, ArrowTables.FILE)) {
      byte[] file;
      try (DictionaryTables table = table(form, INT64)) {
        table.dictionary(1, false, list(7L, null)).rows(rows(0L, 1L, null));
        file = table.dictionary(1, true, list(9L)).rows(rows(2L)).end();
      }
      for (int at = 0; at < file.length; at++) {
        for (int i = 0; i < TestExtent.of(1, WRONG_BYTES.length); i++) {
          byte[] changed = file.clone();
          changed[at] = WRONG_BYTES[(at + i) % WRONG_BYTES.length]; // each in turn
          folder.put("a.arrow", changed);
          for (Settings settings : List.of(Settings.NONE, LABELS)) {
            try {
              ActivationDataset dataset = Allocation.atMost(16 << 20, () -> open(settings));
              assertThat(dataset.geometry().examples()).isLessThan(100);
              if (settings == LABELS) {
                labels(dataset);
              } else if (dataset.sampleMetadata().isPresent()) {
                samples(dataset);
              }
            } catch (FormatException e) {
              assertThat(e.getMessage()).doesNotContain("\n");
            }
          }
        }
      }
    }
  }

  /** A dictionary is unpacked with the record batch after it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void partsAreUnpackedAsTheWholeIs(boolean isFile) throws IOException {
    ArrowTables.Form form = isFile ? ArrowTables.FILE : ArrowTables.STREAM;
    try (DictionaryTables table = table(form.with(CodecType.ZSTD), ArrowTables.UTF8)) {
      for (long i = 0; i < 4; i++) {
        table.dictionary(1, i > 0, list("a text of dictionary " + i)).rows(rows(i, 0L));
      }
      folder.put("a.arrow", table.end());
    }
    byte[] whole = unpacked(0, Integer.MAX_VALUE);
    for (int split = 0; split <= 4; split++) {
      ByteArrayOutputStream parts = new ByteArrayOutputStream();
      parts.writeBytes(unpacked(0, split));
      parts.writeBytes(unpacked(split, 4));
      assertThat(parts.toByteArray()).isEqualTo(whole);
    }
  }

  private byte[] unpacked(int first, int end) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Input in = folder.open("a.arrow")) {
      format
          .reader(Settings.NONE, ArrowReader.Bodies.PACKED)
          .unpack(
              in,
              first,
              end,
              bytes -> {
                byte[] some = new byte[bytes.remaining()];
                bytes.get(some);
                out.writeBytes(some);
              });
    }
    return out.toByteArray();
  }

  @Test
  void textsOfADictionaryAreUtf8() throws IOException {
    try (DictionaryTables table = table(ArrowTables.STREAM, ArrowTables.UTF8)) {
      byte[] file = table.dictionary(1, false, list("red", "blue")).rows(rows(1L)).end();
      String found = new String(file, StandardCharsets.ISO_8859_1);
      file[found.indexOf("redblue") + 3] = (byte) 0xff;
      assertDamaged(
          file,
          Settings.NONE,
          "column color has a value in dictionary entry 1, counted from 0, that is not a text in");
    }
  }
}
