package org.saevhadoop.converters.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.Sha256;

/** {@code --normalize} of {@code convert} and {@code shuffle}. */
@Tag("late")
@Tag("sampled")
class NormalizeTest extends ConvertedDatasets {
  private static final String[] MODES = {"scale", "center", "center-scale"};

  private static final String SAEV = "saev --family clip --ckpt a";

  private NormalizedVectors vectors;

  @BeforeEach
  void writeVectors() throws IOException {
    vectors = NormalizedVectors.write(folder);
  }

  private Object[] by(String mode, Object... more) {
    return new Object[] {"--normalize", vectors.statistics(), "--normalize-by", mode, more};
  }

  /** Returns all modes, or in a sample one that depends on a case. */
  private static List<String> modes(String one) {
    List<String> all = List.of(MODES);
    int mode = Math.floorMod(one.hashCode(), all.size());
    return TestExtent.isWhole() ? all : all.subList(mode, mode + 1);
  }

  private void assertNormalized(Map<String, Found> found, String mode, String dtype)
      throws IOException {
    for (int layer : NormalizedVectors.LAYERS) {
      Found tensor = found.get("layer_" + layer);
      assertThat(tensor.dtype()).isEqualTo(dtype);
      assertThat(tensor.bytes())
          .as("%s, layer %d", mode, layer)
          .isEqualTo(NormalizedVectors.bytes(dtype, vectors.expected(layer, mode)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "safetensors, F32",
    "safetensors, F64",
    "npy, F32",
    "npy, F64",
    "samediff, F32",
    "samediff, F64",
    SAEV + ", F32",
    "pickle, F32"
  })
  void vectorsOfAnyFormatAreThoseThatDoublesComputeRoundedOnce(String to, String dtype)
      throws IOException {
    for (String mode : modes(to + dtype)) {
      String name = to.split(" ")[0] + mode;
      Object[] types = dtype.equals("F64") ? new Object[] {"--dtype", "F64"} : new Object[0];
      Path written = convert(vectors.source(), name, to, by(mode, types, "--verify"));
      Path back = convert(written, name + "-back", "safetensors --dtype " + dtype);
      assertNormalized(NaiveTensors.batches(back), mode, dtype);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"safetensors", "npy", "parquet", SAEV, "pickle"})
  void inspectShowsTheModeAndTheHashOfTheStatistics(String to) throws IOException {
    Path written = convert(vectors.source(), "written", to, by("center"));
    byte[] statistics = Files.readAllBytes(vectors.statistics());
    String hash = HexFormat.of().formatHex(Sha256.of(ByteBuffer.wrap(statistics)));
    String record = "{\"by\":\"center\",\"sha256\":\"%s\"}".formatted(hash);
    assertThat(Cli.run("inspect", written).text()).contains("\nnormalization        " + record);
    assertThat(Cli.run("inspect", written, "--json").json().get("normalization").textValue())
        .isEqualTo(record);
    Path plain = convert(vectors.source(), "plain", to);
    assertThat(Cli.run("inspect", plain).succeeds().text()).doesNotContain("\nnormalization ");
  }

  @ParameterizedTest
  @CsvSource({"F16, 0x1p-11", "F32, 0x1p-24", "F64, 1e-13"})
  void statisticsOfTheResultAreWhatTheModePromises(String dtype, String unit) throws IOException {
    double rounding = Double.parseDouble(unit);
    for (String mode : MODES) {
      Path written = convert(vectors.source(), mode, "npy --dtype " + dtype, by(mode));
      Path found = NormalizedVectors.statistics(written, folder.resolve(mode + ".safetensors"));
      for (int layer : NormalizedVectors.LAYERS) {
        String name = "layer_" + layer;
        double largest = 0;
        for (double value : vectors.expected(layer, mode)) {
          largest = Math.max(largest, Math.abs(value));
        }
        for (double mean : NormalizedVectors.figure(found, name + ".mean")) {
          if (!mode.equals("scale")) {
            assertThat(mean).isCloseTo(0, within(largest * (rounding + 1e-13)));
          }
        }
        if (!mode.equals("center")) {
          // each |x|² has a relative error of 2 units at most, and its root that of one
          double scale = NormalizedVectors.figure(found, name + ".scale")[0];
          assertThat(scale).isCloseTo(1, within(2 * rounding + 1e-12));
        }
      }
    }
  }

  /** In this process, by Hadoop's local runner, and through the shuffle. */
  @Test
  void allWaysOfAConversionWriteTheSameBytes() throws IOException {
    Object[] options = by("center-scale", "--digest", "--batch-size", 4);
    Path expected = convert(vectors.source(), "expected", "safetensors", options);
    for (String plan : List.of("map-only", "shuffle")) {
      String key = "-Dsaev.convert.plan=" + plan;
      assertSameFiles(convert(vectors.source(), plan, "safetensors", options, key), expected);
      Path hadoop = folder.resolve("hadoop-" + plan);
      Cli.run(
              new Configuration(),
              "convert",
              vectors.source(),
              hadoop,
              "--to=safetensors",
              "-Dmapreduce.input.fileinputformat.split.maxsize=300",
              options,
              "--verify",
              key)
          .succeeds();
      assertSameFiles(hadoop, expected);
    }
  }

  /** Returns the rows of a layer in the order of their bytes. */
  private static List<String> rows(Path dataset, String tensor, int rowBytes) throws IOException {
    byte[] bytes = NaiveTensors.batches(dataset).get(tensor).bytes();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < bytes.length; i += rowBytes) {
      rows.add(HexFormat.of().formatHex(bytes, i, i + rowBytes));
    }
    return rows.stream().sorted().toList();
  }

  /** What is written as float32 is not rounded to float16 first. */
  @ParameterizedTest
  @CsvSource({
    "F32, safetensors, 4",
    "F16, safetensors, 2",
    "F16, " + SAEV + ", 4",
    "F16, " + SAEV + " --dtype F32, 4",
    "F32, samediff --dtype F16, 2"
  })
  void shuffledVectorsAreThoseOfAConversion(String stored, String to, int width)
      throws IOException {
    Path source = convert(vectors.source(), "source", "safetensors --dtype " + stored);
    String type = width == 4 ? "F32" : "F16";
    for (String mode : modes(stored + to)) {
      Object[] options = {to.split(" "), by(mode), "--layers", 13, "--verify"};
      Path converted = convert(source, mode, "safetensors --dtype " + type, by(mode));
      List<String> expected = rows(converted, "layer_13", NormalizedVectors.DIM * width);
      for (String unit : List.of("vector", "example")) {
        Path out = folder.resolve("shuffled-" + mode + unit);
        Path written =
            Cli.run("shuffle", source, out, "--unit", unit, "--to", options)
                .succeeds()
                .lastLinePath();
        Path back = convert(written, mode + unit + "-back", "safetensors --dtype " + type);
        assertThat(rows(back, "layer_13", NormalizedVectors.DIM * width)).isEqualTo(expected);
      }
    }
  }

  /** A record of a whole example has vectors of several layers. */
  @Test
  void shuffledExamplesOfSeveralLayersAreThoseOfAConversion() throws IOException {
    Path converted = convert(vectors.source(), "converted", "safetensors", by("center-scale"));
    Path shuffled = folder.resolve("shuffled");
    Object[] options = {"--to", "safetensors", "--unit", "example", "--verify"};
    Cli.run("shuffle", vectors.source(), shuffled, options, by("center-scale")).succeeds();
    for (int layer : NormalizedVectors.LAYERS) {
      int bytes = NormalizedVectors.TOKENS * NormalizedVectors.DIM * 4;
      assertThat(rows(shuffled, "layer_" + layer, bytes))
          .isEqualTo(rows(converted, "layer_" + layer, bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"safetensors", "npy", "samediff", SAEV, "pickle", "parquet"})
  void aSecondNormalizationIsRefusedUnlessItIsAskedFor(String to) throws IOException {
    Path once = convert(vectors.source(), "once", to, by("center"));
    Path out = folder.resolve("twice");
    Object[] again = {"convert", once, out, "--to", to.split(" "), by("scale")};
    Cli.run(again).failsWithText("normalized before", "center", "--again");
    Cli.run("shuffle", once, out, "--to", to.split(" "), by("scale"))
        .failsWithText("normalized before");
    assertThat(out).doesNotExist();
    Path twice = Cli.run(again, "--again").succeeds().lastLinePath();
    Cli.run("convert", twice, folder.resolve("x"), "--to=npy", by("scale"))
        .failsWithText("\"before\"");
  }

  /** Through other formats, a selection and a shuffle. */
  @ParameterizedTest
  @CsvSource({
    SAEV + ", merge",
    SAEV + ", convert",
    "npy, merge",
    "npy, convert",
    "safetensors, merge",
    "samediff, convert",
    "pickle, merge"
  })
  void aSecondNormalizationOfSeveralDatasetsIsRefused(String to, String verb) throws IOException {
    Path first = convert(vectors.source(), "first", to, by("center"), "--examples", "0:2");
    Path second = convert(vectors.source(), "second", to, by("center"), "--examples", "2:4");
    Path all = folder.resolve("all");
    Path several =
        (verb.equals("merge")
                ? Cli.run("merge", first, second, all)
                : Cli.run("convert", first, all, "--with", second, "--to", to.split(" ")))
            .succeeds()
            .lastLinePath();
    for (String target : List.of("npy", SAEV)) {
      Path copy = convert(several, "copy-" + target.split(" ")[0], target);
      for (Path normalized : List.of(several, copy)) {
        Cli.run("convert", normalized, folder.resolve("out"), "--to", "npy", by("scale"))
            .failsWithText("normalized before", "center", "--again");
      }
    }
  }

  @Test
  void aNormalizationStaysOnRecord() throws IOException {
    Path saev = convert(vectors.source(), "saev", SAEV, by("scale"));
    Path part = convert(saev, "part", "saev --layers 13 --examples 2:9");
    Path shuffled = folder.resolve("shuffled");
    Path rows = Cli.run("shuffle", part, shuffled).succeeds().lastLinePath();
    Path npy = convert(rows, "npy", "npy");
    Path old = convert(npy, "old", "saev --protocol 1.0.0");
    Path pickle = convert(old, "pickle", "pickle");
    for (Path dataset : List.of(saev, part, rows, npy, old, pickle)) {
      Cli.run("convert", dataset, folder.resolve("x"), "--to", "npy", by("scale", "--layers", 13))
          .failsWithText("normalized before");
    }
  }

  @Test
  void theHashOfASaevDatasetNamesTheNormalization() throws IOException {
    Path plain = convert(vectors.source(), "plain", SAEV);
    Path scaled = convert(vectors.source(), "scaled", SAEV, by("scale"));
    Path same = convert(plain, "same", "saev", by("scale"));
    Path centered = convert(plain, "centered", "saev", by("center"));
    assertThat(same.getFileName()).isEqualTo(scaled.getFileName());
    assertThat(List.of(plain.getFileName(), scaled.getFileName(), centered.getFileName()))
        .doesNotHaveDuplicates();
    assertThat(convert(scaled, "copy", "saev").getFileName()).isEqualTo(scaled.getFileName());
    Cli.assertSound(scaled);
    Path part = convert(plain, "part", "saev --layers 13", by("scale"));
    assertThat(part.getFileName())
        .isNotEqualTo(convert(plain, "part2", "saev --layers 13").getFileName());
    Cli.assertSound(part);
  }

  @Test
  void aDryRunStatesTheNormalization() throws IOException {
    for (String verb : List.of("convert", "shuffle")) {
      Path out = folder.resolve("out");
      Object[] options = {"--to", "safetensors", "--dry-run", by("center-scale")};
      assertThat(Cli.run(verb, vectors.source(), out, options).succeeds().text())
          .containsPattern("vectors are normalized \\(center-scale\\) by .* SHA-256 [0-9a-f]{64}");
      assertThat(out).doesNotExist();
    }
  }
}
