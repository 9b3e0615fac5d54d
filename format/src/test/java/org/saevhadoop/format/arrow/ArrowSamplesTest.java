package org.saevhadoop.format.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.ArrayDataset;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrow.file.ArrowError;
import org.saevhadoop.format.arrow.file.ArrowTables;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.ProvenanceReader;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.inflated.Inflating;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/** Columns of Arrow files that are sample metadata. */
class ArrowSamplesTest {
  private static final Field VECTORS = ArrowTables.column("x", DType.F32, ArrowTables.LIST);

  private static final Field TOKENS =
      ArrowTables.column("x", DType.F32, ArrowTables.LIST, ArrowTables.LIST);

  private static final Field TEXT = ArrowTables.scalar("text", ArrowTables.UTF8);
  private static final String LONG = "a longer \"text\" of \u00e9\u4e16 ";
  private static final Settings FLAT =
      Settings.NONE.with(ArrayKeys.RAGGED, RaggedPolicy.parse("flatten"));

  private final ArrowFormat format = new ArrowFormat();
  private final MemoryStorage folder = new MemoryStorage("/data");

  private static List<Object> vectors(int count) {
    List<Object> vectors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      vectors.add(List.of(bits(i), bits(i + 1)));
    }
    return vectors;
  }

  private static long bits(float value) {
    return Float.floatToRawIntBits(value) & 0xffffffffL;
  }

  private static List<Object> list(Object... values) {
    return Arrays.asList(values);
  }

  private ActivationDataset open(Settings settings) throws IOException {
    return format
        .open(Location.of(folder), settings, DatasetFormats.registry())
        .requireActivations();
  }

  private ActivationDataset open(CodecType codec) throws IOException {
    return codec == CodecType.NO_COMPRESSION
        ? open(Settings.NONE)
        : Inflating.open(format, Location.of(folder), Settings.NONE, new MemoryStorage("/staged"))
            .requireActivations();
  }

  private static List<String> lines(ActivationDataset dataset) throws IOException {
    List<String> lines = new ArrayList<>();
    long end = dataset.geometry().examples();
    try (SampleMetadataCursor cursor = dataset.sampleMetadata().orElseThrow().cursor(0, end)) {
      for (ExampleMetadata line = cursor.next(); line != null; line = cursor.next()) {
        lines.add(line.first() + " " + line.position() + " " + line.sample());
      }
    }
    return lines;
  }

  private static final List<Field> ALL =
      List.of(
          VECTORS,
          TEXT,
          ArrowTables.scalar("large", new ArrowType.LargeUtf8()),
          ArrowTables.scalar("view", new ArrowType.Utf8View()),
          ArrowTables.column("score", DType.F64),
          ArrowTables.column("half", DType.F16),
          ArrowTables.column("gaps", DType.I16),
          ArrowTables.column("high", DType.U64),
          ArrowTables.column("ok", DType.BOOL),
          ArrowTables.scalar("day", new ArrowType.Date(DateUnit.DAY)),
          ArrowTables.scalar("date", new ArrowType.Date(DateUnit.MILLISECOND)),
          ArrowTables.scalar("clock", new ArrowType.Time(TimeUnit.SECOND, 32)),
          ArrowTables.scalar("fine", new ArrowType.Time(TimeUnit.NANOSECOND, 64)),
          ArrowTables.scalar("wall", new ArrowType.Timestamp(TimeUnit.SECOND, null)),
          ArrowTables.scalar("utc", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "Europe/Paris")),
          ArrowTables.scalar("price", new ArrowType.Decimal(20, 2, 128)),
          ArrowTables.column("kept", DType.U8));

  private static List<List<Object>> rows(int first) {
    long f64 = Double.doubleToRawLongBits(0.25);
    long nan = Double.doubleToRawLongBits(Double.NaN);
    return List.of(
        vectors(2),
        list("row " + first, null),
        list(null, LONG + first),
        list("short", LONG + first),
        list(f64, nan),
        list(0x3c00L, 0x7c00L),
        list(-7L, null),
        list(-1L, null),
        list(1L, null),
        list(19753L, -1L),
        list(86_400_000L, -1L),
        list(3661L, 0L),
        list(1L, 0L),
        list(-1L, 1_700_000_000L),
        list(1L, null),
        list(1205L, 5L),
        list((long) first, first + 1L));
  }

  private static List<String> expected(int first) {
    String one =
        """
        {"text": "row %d", "large": null, "view": "short", "score": 0.25, "half": 1.0, \
        "gaps": -7, "high": 18446744073709551615, "ok": true, "day": "2024-01-31", \
        "date": "1970-01-02", "clock": "01:01:01", "fine": "00:00:00.000000001", \
        "wall": "1969-12-31T23:59:59", "utc": "1970-01-01T00:00:00.000001Z", "price": 12.05}""";
    String other =
        """
        {"text": null, "large": "%1$s%2$d", "view": "%1$s%2$d", "score": "NaN", \
        "half": "Infinity", "gaps": null, "high": null, "ok": null, "day": "1969-12-31", \
        "date": "1969-12-31", "clock": "00:00:00", "fine": "00:00:00.000000000", \
        "wall": "2023-11-14T22:13:20", "utc": null, "price": 0.05}""";
    String text = LONG.replace("\"", "\\\"");
    return List.of(
        first + " -1 " + one.formatted(first), first + 1 + " -1 " + other.formatted(text, first));
  }

  @ParameterizedTest
  @CsvSource({
    "false, NO_COMPRESSION",
    "true, NO_COMPRESSION",
    "false, LZ4_FRAME",
    "true, LZ4_FRAME",
    "true, ZSTD"
  })
  void scalarsOfRowsAreSampleMetadata(boolean isFile, CodecType codec) throws IOException {
    ArrowTables.Form form = (isFile ? ArrowTables.FILE : ArrowTables.STREAM).with(codec);
    folder.put("a.arrow", ArrowTables.write(form, ALL, List.of(rows(0), rows(2))));
    folder.put("b.arrow", ArrowTables.write(ArrowTables.STREAM, ALL, List.of(rows(4))));
    ActivationDataset dataset = open(codec);
    List<String> all = new ArrayList<>(expected(0));
    all.addAll(expected(2));
    all.addAll(expected(4));
    assertThat(lines(dataset)).isEqualTo(all);
    assertThat(dataset.tokenArrays().names()).containsExactly("kept");
    assertThat(((ArrayDataset) dataset).sampleFields())
        .startsWith("text", "large")
        .endsWith("utc", "price")
        .doesNotContain("kept");
    try (SampleMetadataCursor some = dataset.sampleMetadata().orElseThrow().cursor(3, 2)) {
      assertThat(some.next().first()).isEqualTo(3);
      assertThat(some.next().sample()).contains("row 4");
      assertThat(some.next()).isNull();
    }
    assertThat(
            format.check(Location.of(folder), Settings.NONE, ProvenanceReader.NONE, warning -> {}))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, NO_COMPRESSION", "1, NO_COMPRESSION", "0, LZ4_FRAME", "1, LZ4_FRAME"})
  void integersWithANullInOneFileAreSampleMetadataOfAllFiles(int withNull, CodecType codec)
      throws IOException {
    List<Field> fields = List.of(VECTORS, ArrowTables.column("rank", DType.I64));
    for (int file = 0; file < 2; file++) {
      List<Object> ranks = list(10L + 2 * file, file == withNull ? null : 11L + 2 * file);
      folder.put(
          file + ".arrow",
          ArrowTables.write(
              ArrowTables.STREAM.with(codec), fields, List.of(List.of(vectors(2), ranks))));
    }
    ActivationDataset dataset = open(codec);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      expected.add(i + " -1 {\"rank\": " + (i == 1 + 2 * withNull ? "null" : 10 + i) + "}");
    }
    assertThat(lines(dataset)).isEqualTo(expected);
    assertThat(dataset.tokenArrays().names()).isEmpty();
    assertThat(dataset.warnings()).isEmpty();
    if (codec == CodecType.NO_COMPRESSION) {
      assertThat(lines(open(format.forTasks(dataset, Settings.NONE)))).isEqualTo(expected);
    }
  }

  @Test
  void integersOfRowsOfTokensAreSampleMetadata() throws IOException {
    List<Object> rows = List.of(vectors(1), vectors(2), vectors(2));
    Field ids = ArrowTables.column("token_ids", DType.I32, ArrowTables.LIST);
    List<Object> tokens = List.of(List.of(5L), List.of(6L, 7L), List.of(8L, 9L));
    folder.put(
        "a.arrow",
        ArrowTables.write(
            ArrowTables.STREAM,
            List.of(TOKENS, ArrowTables.column("class", DType.I64), TEXT, ids),
            List.of(List.of(rows, list(1L, 2L, 3L), list("a", "b", null), tokens))));
    ActivationDataset dataset = open(FLAT);
    assertThat(lines(dataset))
        .containsExactly(
            "0 0 {\"class\": 1, \"text\": \"a\"}",
            "1 0 {\"class\": 2, \"text\": \"b\"}",
            "3 0 {\"class\": 3, \"text\": null}");
    assertThat(dataset.tokenArrays().names()).containsExactly("token_ids");
    ActivationDataset without = open(FLAT.with(ArrayKeys.SAMPLE_METADATA, false));
    assertThat(without.sampleMetadata()).isEmpty();
    assertThat(without.warnings()).anyMatch(line -> line.contains("text (utf8)"));
  }

  /** They describe tokens, for which sample metadata has no place. */
  @Test
  void columnsOfRowsThatAreTokensAreNotKept() throws IOException {
    folder.put(
        "a.arrow",
        ArrowTables.write(
            ArrowTables.STREAM,
            List.of(VECTORS, TEXT),
            List.of(List.of(vectors(4), list("a", "b", "c", "d")))));
    for (Settings tokens :
        List.of(
            Settings.NONE.with(ArrayKeys.TOKENS_PER_EXAMPLE, 2L),
            Settings.NONE.with(ArrayKeys.TENSORS, List.of("x=token,dim")))) {
      assertThat(((ArrayDataset) open(tokens)).sampleFields()).isEmpty();
      assertThat(open(tokens).warnings()).anyMatch(line -> line.contains("text (utf8)"));
    }
    assertThat(lines(open(Settings.NONE.with(ArrayKeys.TENSORS, List.of("x=dim"))))).hasSize(4);
  }

  @Test
  void theFirstFileDecidesWhetherThereIsSampleMetadata() throws IOException {
    List<List<Object>> texts = List.of(vectors(2), list("a", "b"));
    byte[] with = ArrowTables.write(ArrowTables.FILE, List.of(VECTORS, TEXT), List.of(texts));
    byte[] without =
        ArrowTables.write(ArrowTables.FILE, List.of(VECTORS), List.of(List.of(vectors(2))));
    folder.put("data-0.arrow", with);
    folder.put("data-1.arrow", without);
    assertThat(open(Settings.NONE).warnings()).isEmpty();
    assertThat(lines(open(Settings.NONE))).hasSize(2);
    folder.put("data-0.arrow", without);
    folder.put("data-1.arrow", with);
    assertThat(open(Settings.NONE).sampleMetadata()).isEmpty();
    assertThat(open(Settings.NONE).warnings())
        .singleElement()
        .asString()
        .startsWith("/data/data-1.arrow: has columns of sample metadata");
  }

  /** Writes a file of a layer with one row for each text; null for no texts. */
  private void layer(int layer, CodecType codec, List<Object> texts) throws IOException {
    List<Field> fields = texts == null ? List.of(VECTORS) : List.of(VECTORS, TEXT);
    List<List<Object>> rows =
        texts == null ? List.of(vectors(2)) : List.of(vectors(texts.size()), texts);
    folder.put(
        "layer_%d.arrow".formatted(layer),
        ArrowTables.write(ArrowTables.FILE.with(codec), fields, List.of(rows)));
  }

  @ParameterizedTest
  @CsvSource({"NO_COMPRESSION", "LZ4_FRAME"})
  void sampleMetadataOfTheFirstLayerIsKeptAndOthersAreNamed(CodecType codec) throws IOException {
    layer(5, codec, list("a", "b"));
    layer(9, codec, null);
    layer(10, codec, list("a", "c"));
    ActivationDataset dataset = open(codec);
    assertThat(dataset.geometry().layers()).containsExactly(5, 9, 10);
    assertThat(lines(dataset)).containsExactly("0 -1 {\"text\": \"a\"}", "1 -1 {\"text\": \"b\"}");
    assertThat(dataset.warnings())
        .containsExactly(
            "/data/layer_10.arrow: its sample metadata is left out and not compared: that of the"
                + " first layer, in layer_5.arrow, is kept");
  }

  /** The files are listed in the order 10, 5; the layers are 5, 10. */
  @Test
  void sampleMetadataThatTheFirstLayerLacksIsLeftOutWithAWarning() throws IOException {
    layer(5, CodecType.NO_COMPRESSION, null);
    layer(10, CodecType.NO_COMPRESSION, list("a", "b"));
    ActivationDataset dataset = open(Settings.NONE);
    assertThat(dataset.sampleMetadata()).isEmpty();
    assertThat(dataset.warnings())
        .containsExactly(
            "/data/layer_10.arrow: its sample metadata is left out, because layer_5.arrow, the file"
                + " of the first layer, has none");
    layer(5, CodecType.NO_COMPRESSION, list("a", "b"));
    layer(10, CodecType.NO_COMPRESSION, null);
    assertThat(open(Settings.NONE).warnings()).isEmpty();
  }

  /** Rows without vectors, or without tokens that a mask keeps, have no sample metadata. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsWithoutVectorsHaveNone(boolean isMasked) throws IOException {
    List<Object> rows =
        isMasked
            ? List.of(vectors(2), vectors(1), vectors(3), vectors(3), vectors(1))
            : List.of(List.of(), vectors(1), List.of(), List.of(), vectors(1));
    List<Field> fields = new ArrayList<>(List.of(TOKENS, TEXT));
    List<List<Object>> batch = new ArrayList<>(List.of(rows, list("a", "b", "c", "d", "e")));
    if (isMasked) {
      fields.add(ArrowTables.column("attention_mask", DType.BOOL, ArrowTables.LIST));
      batch.add(
          List.of(
              List.of(0L, 0L), List.of(1L), List.of(0L, 0L, 0L), List.of(0L, 0L, 0L), List.of(1L)));
    }
    folder.put("a.arrow", ArrowTables.write(ArrowTables.FILE, fields, List.of(batch, batch)));
    List<String> expected =
        List.of(
            "0 0 {\"text\": \"b\"}",
            "1 0 {\"text\": \"e\"}",
            "2 0 {\"text\": \"b\"}",
            "3 0 {\"text\": \"e\"}");
    ActivationDataset dataset = open(FLAT);
    assertThat(lines(dataset)).isEqualTo(expected);
    assertThat(lines(open(format.forTasks(dataset, FLAT)))).isEqualTo(expected);
  }

  @Test
  void twoColumnsOfANameAreRefused() throws IOException {
    folder.put(
        "a.arrow",
        ArrowTables.write(
            ArrowTables.STREAM,
            List.of(VECTORS, TEXT, TEXT),
            List.of(List.of(vectors(1), list("a"), list("b")))));
    assertFails(ArrowError.BAD_METADATA, "/data/a.arrow", () -> open(Settings.NONE));
  }

  private void assertDamaged(byte[] file, String problem) throws IOException {
    folder.put("a.arrow", file);
    assertThat(
            format.check(Location.of(folder), Settings.NONE, ProvenanceReader.NONE, warning -> {}))
        .singleElement()
        .satisfies(
            found -> assertThat(found).hasMessageContaining(problem).hasMessageNotContaining("\n"));
  }

  private static byte[] changed(byte[] file, byte[] from, int at, int number) {
    String text = new String(file, StandardCharsets.ISO_8859_1);
    int found = text.indexOf(new String(from, StandardCharsets.ISO_8859_1));
    assertThat(found).isNotNegative();
    byte[] copy = file.clone();
    ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putInt(found + at, number);
    return copy;
  }

  private static byte[] ints(int... numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(numbers).forEach(bytes::putInt);
    return bytes.array();
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 20, Integer.MAX_VALUE, -5, 2})
  void offsetsOfTextsAreChecked(int end) throws IOException {
    byte[] file =
        ArrowTables.write(
            ArrowTables.STREAM,
            List.of(VECTORS, TEXT),
            List.of(List.of(vectors(3), list("abc", "defgh", "ij"))));
    assertDamaged(changed(file, ints(0, 3, 8, 10), 8, end), "column text has a");
  }

  @Test
  void viewsOfTextsAreChecked() throws IOException {
    Field view = ArrowTables.scalar("text", new ArrowType.Utf8View());
    byte[] file =
        ArrowTables.write(
            ArrowTables.STREAM,
            List.of(VECTORS, view),
            List.of(List.of(vectors(1), list("0123456789abcdef"))));
    byte[] found = "0123".getBytes(StandardCharsets.US_ASCII);
    assertDamaged(changed(file, found, -4, -1), "column text has a");
    assertDamaged(changed(file, found, -4, 1 << 30), "a text of 1073741824 bytes in row 0");
    assertDamaged(changed(file, found, 4, 1), "that is in buffer 1 of 1");
    assertDamaged(changed(file, found, 8, -1), "column text has a");
    assertDamaged(changed(file, found, 8, 1 << 20), "column text has a buffer of");
  }

  @Test
  void aTimeThatNoDayHasIsDamage() throws IOException {
    Field clock = ArrowTables.scalar("clock", new ArrowType.Time(TimeUnit.SECOND, 32));
    byte[] file =
        ArrowTables.write(
            ArrowTables.STREAM,
            List.of(VECTORS, clock),
            List.of(List.of(vectors(2), list(1L, 86_401L))));
    assertDamaged(file, "column clock has a value in row 1, counted from 0, that is not a date");
  }
}
