package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.dataset.DatasetError;

/** Conversions that change the type of numbers, and those that must not. */
@Tag("late")
class ConvertNumbersTest extends ConvertedDatasets {
  private static final Object[] MODEL = {"--family", "clip", "--ckpt", "x", "--tail", "exact"};

  @ParameterizedTest
  @ValueSource(strings = {"F16", "BF16", "I8", "U8", "I16", "U16"})
  void numbersThatFloat32HoldsBecomeSaevWithoutAWord(String dtype) throws IOException {
    Found acts = Found.of(dtype, List.of(2L, 1L, 3L), counting(bits(dtype) / 8 * 6));
    Path source = layers(Map.of("layer_4", acts));
    Cli cli = saev(source).succeeds();
    assertThat(cli.stderr()).doesNotContain("warning", "were converted");
    assertThat(cli.lastLinePath().resolve("acts000000.bin"))
        .hasBinaryContent(NaiveTensors.floats(NaiveTensors.toFloats(acts)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"F64", "I32", "U32", "I64", "U64"})
  void numbersThatFloat32DoesNotHoldAreConvertedOnlyIfTheirUserAsks(String dtype)
      throws IOException {
    Found acts = Found.of(dtype, List.of(2L, 1L, 3L), counting(bits(dtype) / 8 * 6));
    Path source = layers(Map.of("layer_4", acts));
    saev(source).failsWith(DatasetError.NOT_CONVERTIBLE, source);
    assertThat(folder.resolve("saev")).doesNotExist();
    Cli cli = saev(source, "--dtype", "float32").succeeds();
    assertThat(cli.stderr()).contains("convert: ", "values", "were converted or normalized");
    assertThat(cli.lastLinePath().resolve("acts000000.bin"))
        .hasBinaryContent(NaiveTensors.floats(NaiveTensors.toFloats(acts)));
  }

  @Test
  void whatIsChangedIsCounted() throws IOException {
    double[] numbers = {1, 0.1, 1e300, -1e300, Double.longBitsToDouble(0x7ff8000000000001L), 2};
    Path source =
        layers(
            Map.of("layer_4", Found.of("F64", List.of(2L, 1L, 3L), NaiveTensors.doubles(numbers))));
    for (String plan : List.of("map-only", "shuffle")) {
      Cli cli =
          saev(source, "--dtype", "F32", "--overwrite", "-Dsaev.convert.plan=" + plan).succeeds();
      assertThat(cli.stderr())
          .contains(
              "convert: of 6 values that were converted or normalized, 1 was rounded, 2 became"
                  + " infinite, 1 was NaN and lost bits");
    }
  }

  @Test
  void roundingIsTheUsers() throws IOException {
    // halfway between two BF16, and a little more
    float[] numbers = {1.00390625f, 1.0078124f, 3.4028235e38f};
    Path source =
        layers(
            Map.of("layer_4", Found.of("F32", List.of(3L, 1L, 1L), NaiveTensors.floats(numbers))));
    tensors(source, "--dtype", "BF16").succeeds();
    assertThat(only("layer_4")).containsExactly(0x80, 0x3f, 0x81, 0x3f, 0x80, 0x7f);
    tensors(source, "--dtype", "BF16", "--rounding", "truncate", "--overwrite").succeeds();
    assertThat(only("layer_4")).containsExactly(0x80, 0x3f, 0x80, 0x3f, 0x7f, 0x7f);
  }

  @Test
  void anIntegerOutOfRangeIsAnErrorThatReportsWhere() throws IOException {
    Path source = folder.resolve("source");
    NaiveTensors.write(source.resolve("a.safetensors"), three(1, 2, 3));
    NaiveTensors.write(source.resolve("b.safetensors"), three(4, 300, -5));
    String table = "--from-layout=batch";
    tensors(source, table, "--dtype", "x=U8")
        .failsWith(DatasetError.NOT_CONVERTIBLE, source.resolve("b.safetensors"));
    assertThat(folder.resolve("out")).doesNotExist();
    Cli saturated = tensors(source, table, "--dtype", "x=U8", "--range", "saturate").succeeds();
    assertThat(saturated.stderr()).contains("2 were out of range");
    assertThat(only("x")).containsExactly(1, 2, 3, 4, 255, 0);
    tensors(source, table, "--dtype", "x=U8", "--range", "wrap", "--overwrite").succeeds();
    assertThat(only("x")).containsExactly(1, 2, 3, 4, 44, 251);
  }

  @ParameterizedTest
  @CsvSource({"batch,map-only", "batch,shuffle", "kv,map-only", "kv,shuffle"})
  void eachColumnHasTheTypeThatItsUserGivesIt(String layout, String plan) throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path plain = convert(source, "plain", "safetensors");
    Object[] keys = {"-Dsaev.output.layout=" + layout, "-Dsaev.convert.plan=" + plan};
    Path wide =
        convert(source, "wide", "safetensors --dtype layer_21=F64 --dtype layer_13=F16", keys);
    Map<String, Found> expected = NaiveTensors.batches(plain);
    // read back by the rule for tables, as layers of several types are none
    Path batches = convert(wide, "batches", "safetensors");
    Map<String, Found> found = NaiveTensors.batches(batches);
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    assertThat(found.get("layer_23").bytes()).isEqualTo(expected.get("layer_23").bytes());
    assertThat(found.get("labels").bytes()).isEqualTo(expected.get("labels").bytes());
    assertThat(found.get("layer_21").dtype()).isEqualTo("F64");
    assertThat(NaiveTensors.toFloats(found.get("layer_21")))
        .isEqualTo(NaiveTensors.toFloats(expected.get("layer_21")));
    assertThat(found.get("layer_13").dtype()).isEqualTo("F16");
    Path narrow = convert(source, "narrow", "safetensors --dtype F16");
    assertThat(found.get("layer_13").bytes())
        .isEqualTo(NaiveTensors.batches(narrow).get("layer_13").bytes());
  }

  @Test
  void activationsOfOtherNumbersKeepTheirMetadataAndLabels() throws IOException {
    Path source = Fixtures.labelled(Fixtures.SMALL, folder);
    Path wide = convert(source, "wide", "safetensors --dtype F64 --kv --columns acts");
    assertThat(NaiveTensors.keys(wide).get("6__acts").dtype()).isEqualTo("F64");
    Path back = convert(wide, "saev", "saev --dtype F32");
    Fixtures.assertSameDataset(back, source);
    Path narrow = convert(source, "narrow", "safetensors --dtype F16 --batch-size 4");
    Path halves = convert(narrow, "half", "saev");
    assertThat(halves.getFileName()).isEqualTo(source.getFileName());
    assertThat(halves.resolve("labels.bin")).hasSameBinaryContentAs(source.resolve("labels.bin"));
    Map<String, Found> expected = NaiveTensors.batches(narrow);
    Path again = convert(halves, "again", "safetensors --dtype F16");
    NaiveTensors.assertSame(NaiveTensors.batches(again), expected);
  }

  @Test
  void packedAndOddTypesStayAsTheyAre() throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    String dtypes =
        "U64 I64 F64 C64 F32 U32 I32 BF16 F16 U16 I16 F8_E5M2FNUZ F8_E4M3FNUZ F8_E8M0 F8_E4M3"
            + " F8_E5M2 I8 U8 F6_E3M2 F6_E2M3 F4 BOOL";
    for (String dtype : dtypes.split(" ")) {
      tensors.put(
          "t_" + dtype, Found.of(dtype, List.of(5L, 2L, 2L), counting(bits(dtype) * 20 / 8)));
    }
    Path source = layers(tensors);
    tensors(source, "--batch-size", 2).succeeds();
    NaiveTensors.assertSame(NaiveTensors.batches(folder.resolve("out")), tensors);
    Path keys = convert(source, "keys", "safetensors --kv");
    assertThat(NaiveTensors.keys(keys).get("4__t_F6_E2M3").bytes())
        .isEqualTo(tensors.get("t_F6_E2M3").row(4));
    Path back = convert(keys, "back", "safetensors");
    NaiveTensors.assertSame(NaiveTensors.batches(back), tensors);
    tensors(source, "--overwrite", "--dtype", "t_F4=F32")
        .failsWith(DatasetError.NOT_CONVERTIBLE, source);
    tensors(source, "--overwrite", "--dtype", "none=F32")
        .failsWith(DatasetError.NO_SUCH_COLUMN, source);
    Cli.convert(source, folder.resolve("s"), "saev", MODEL)
        .failsWith(DatasetError.NO_ACTIVATIONS, "x.safetensors");
    NaiveTensors.assertSame(NaiveTensors.batches(folder.resolve("out")), tensors);
  }

  private static Map<String, Found> three(float... numbers) {
    return Map.of("x", Found.of("F32", List.of(3L), NaiveTensors.floats(numbers)));
  }

  private Path layers(Map<String, Found> tensors) throws IOException {
    Path source = folder.resolve("source");
    NaiveTensors.write(source.resolve("x.safetensors"), tensors);
    return source;
  }

  private byte[] only(String column) throws IOException {
    return NaiveTensors.batches(folder.resolve("out")).get(column).bytes();
  }

  private static int bits(String dtype) {
    return switch (dtype) {
      case "F4" -> 4;
      case "F6_E2M3", "F6_E3M2" -> 6;
      case "BOOL" -> 8;
      default -> Integer.parseInt(dtype.replaceAll("^\\D+(\\d+).*", "$1"));
    };
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 37 + 11);
    }
    return bytes;
  }

  private Cli saev(Path source, Object... more) {
    return Cli.convert(source, folder.resolve("saev"), "saev", MODEL, more);
  }

  private Cli tensors(Path source, Object... more) {
    return Cli.convert(source, folder.resolve("out"), "safetensors", more);
  }
}
