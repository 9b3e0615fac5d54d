package org.saevhadoop.format.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.MadeArrays;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.arrow.file.ArrowError;
import org.saevhadoop.format.arrow.file.ArrowTables;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.inflated.Inflating;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.MemoryStorage;
import org.saevhadoop.format.parquet.ParquetFormat;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.tensor.DType;

/** Arrow files with compressed bodies, which are staged. */
class CompressedArrowTest {
  private static final Field TOKENS =
      ArrowTables.column("x", DType.F32, ArrowTables.LIST, ArrowTables.LIST);

  private static final Field OTHER = ArrowTables.column("y", DType.F32, ArrowTables.LIST);
  private static final Field IDS = ArrowTables.column("input_ids", DType.I32, ArrowTables.LIST);

  private static final Field MASK =
      ArrowTables.column("attention_mask", DType.BOOL, ArrowTables.LIST);

  private final ArrowFormat format = new ArrowFormat();
  private final MemoryStorage folder = new MemoryStorage("/data");
  private final MemoryStorage staged = new MemoryStorage("/staged");

  private static List<Object> numbers(int first, int count) {
    List<Object> numbers = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      numbers.add(Float.floatToRawIntBits(i) & 0xffffffffL);
    }
    return numbers;
  }

  /** Returns a batch of samples, whose lengths differ. */
  private static List<List<Object>> batch(int first, int rows) {
    List<List<Object>> columns = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      columns.add(new ArrayList<>());
    }
    for (int row = first; row < first + rows; row++) {
      List<Object> vectors = new ArrayList<>();
      List<Object> ids = new ArrayList<>();
      List<Object> mask = new ArrayList<>();
      for (int token = 0; token < 2 + row / 40; token++) {
        vectors.add(numbers(100 * row + token, 4));
        ids.add(10L * row + token);
        mask.add(token == 0 ? 0L : 1L);
      }
      columns.get(0).add(vectors);
      columns.get(1).add(numbers(row, 3));
      columns.get(2).add(ids);
      columns.get(3).add(mask);
    }
    return columns;
  }

  private byte[] table(ArrowTables.Form form) throws IOException {
    return ArrowTables.write(
        form, List.of(TOKENS, OTHER, IDS, MASK), List.of(batch(0, 50), batch(50, 30)));
  }

  private static Settings flat() {
    return Settings.NONE
        .with(ArrayKeys.TENSORS, List.of("x=token,dim"))
        .with(ArrayKeys.RAGGED, RaggedPolicy.parse("flatten"));
  }

  @ParameterizedTest
  @EnumSource(
      value = CodecType.class,
      names = {"LZ4_FRAME", "ZSTD"})
  void valuesAreThoseOfTheSameTableUncompressed(CodecType codec) throws IOException {
    for (ArrowTables.Form form : List.of(ArrowTables.STREAM, ArrowTables.FILE)) {
      MemoryStorage plain = new MemoryStorage("/plain");
      plain.put("a.arrow", table(form));
      plain.put("b.arrow", table(form));
      folder.put("a.arrow", table(form.with(codec)));
      folder.put("b.arrow", table(form));
      ActivationDataset expected =
          format.open(Location.of(plain), flat(), DatasetFormats.registry()).requireActivations();
      assertThat(Inflating.isNeeded(format, Location.of(plain))).isFalse();
      assertThat(Inflating.isNeeded(format, Location.of(folder))).isTrue();
      ActivationDataset found =
          Inflating.open(format, Location.of(folder), flat(), staged).requireActivations();
      assertThat(found.geometry()).isEqualTo(expected.geometry());
      assertThat(MadeArrays.blocks(found)).isEqualTo(MadeArrays.blocks(expected));
      assertThat(MadeArrays.integers(found, 0)).isEqualTo(MadeArrays.integers(expected, 0));
    }
  }

  /** The columns that --tensor does not name are not unpacked. */
  @Test
  void onlyColumnsThatAreReadAreStaged() throws IOException {
    folder.put("a.arrow", table(ArrowTables.FILE.with(CodecType.LZ4_FRAME)));
    ActivationDataset found =
        Inflating.open(format, Location.of(folder), flat(), staged).requireActivations();
    assertThat(found.warnings()).anyMatch(line -> line.contains("y (not named as vectors)"));
    assertThat(staged.files().get("batches-00000")).isLessThan(table(ArrowTables.FILE).length);
  }

  @Test
  void compressedBodiesAreNotReadInPlace() throws IOException {
    folder.put("a.arrow", table(ArrowTables.FILE.with(CodecType.LZ4_FRAME)));
    FormatException e =
        assertFails(
            ArrowError.UNSUPPORTED,
            "/data/a.arrow",
            () -> format.open(Location.of(folder), flat(), DatasetFormats.registry()));
    assertThat(e).hasMessageContaining("compressed with LZ4_FRAME");
  }

  @Test
  void batchesOfALargeFileAreStagedInParts() throws IOException {
    Random random = new Random(1);
    Field vectors = ArrowTables.column("x", DType.F32, ArrowTables.LIST);
    Field texts = ArrowTables.column("text", ArrowTables.UTF8, List.of(), Map.of());
    List<List<List<Object>>> batches = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      byte[] bytes = new byte[12 << 20];
      random.nextBytes(bytes);
      String text = Base64.getEncoder().encodeToString(bytes);
      batches.add(
          List.of(List.of(numbers(8 * i, 4), numbers(8 * i + 4, 4)), List.of(text, "text")));
    }
    ArrowTables.Form form = ArrowTables.FILE;
    folder.put(
        "a.arrow", ArrowTables.write(form.with(CodecType.ZSTD), List.of(vectors, texts), batches));
    MemoryStorage plain = new MemoryStorage("/plain");
    plain.put("a.arrow", ArrowTables.write(form, List.of(vectors, texts), batches));
    Settings settings = Settings.NONE;
    ActivationDataset found =
        Inflating.open(format, Location.of(folder), settings, staged).requireActivations();
    assertThat(staged.files()).containsKeys("batches-00000", "batches-00001");
    ActivationDataset expected =
        format.open(Location.of(plain), settings, DatasetFormats.registry()).requireActivations();
    assertThat(found.geometry()).isEqualTo(new Geometry(6, List.of(0), 1, 4));
    assertThat(MadeArrays.blocks(found)).isEqualTo(MadeArrays.blocks(expected));
  }

  /** nodejs-polars 0.26.1 wrote them; its frames of LZ4 have linked blocks and both checksums. */
  @ParameterizedTest
  @ValueSource(strings = {"lz4.arrow", "zstd.arrow", "zstd.parquet"})
  void tablesOfPolarsHaveTheirValues(String file) throws IOException {
    LocalFolder tables = new LocalFolder(Path.of("src/test/polars"));
    ActivationDataset expected =
        format
            .open(Location.of(tables, "none.arrow"), Settings.NONE, DatasetFormats.registry())
            .requireActivations();
    assertThat(expected.geometry()).isEqualTo(new Geometry(300, List.of(0), 1, 8));
    assertThat(MadeArrays.blocks(expected).get(299)).contains(2399 / 4f);
    ActivationDataset found =
        Inflating.open(
                file.endsWith(".parquet") ? new ParquetFormat() : format,
                Location.of(tables, file),
                Settings.NONE,
                staged)
            .requireActivations();
    assertThat(MadeArrays.blocks(found)).isEqualTo(MadeArrays.blocks(expected));
  }

  /** Each changed byte of a body is refused by one line, or changes values only. */
  @Test
  void corruptBodiesAreFoundByTheCheck() throws IOException {
    byte[] file = new LocalFolder(Path.of("src/test/polars")).readSmall("lz4.arrow", 1 << 20);
    List<FormatException> problems = new ArrayList<>();
    int changes = 0;
    for (int at = 2000; at < file.length - 1000; at += 97) {
      byte[] changed = file.clone();
      changed[at] ^= 0x40;
      folder.put("a.arrow", changed);
      problems.addAll(
          format.check(Location.of(folder), Settings.NONE, DatasetFormats.registry(), line -> {}));
      changes++;
    }
    assertThat(problems).hasSize(changes);
    assertThat(problems)
        .allSatisfy(
            e -> assertThat(e.getMessage()).startsWith("/data/a.arrow: ").doesNotContain("\n"));
  }
}
