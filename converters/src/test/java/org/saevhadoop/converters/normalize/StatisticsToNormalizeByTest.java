package org.saevhadoop.converters.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.ErrorKind;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.normalize.NormalizeError;

/** Files of statistics that are not those of a dataset, and options that are incomplete. */
@Tag("late")
class StatisticsToNormalizeByTest extends ConvertedDatasets {
  private NormalizedVectors vectors;
  private Path file;

  @BeforeEach
  void writeVectors() throws IOException {
    vectors = NormalizedVectors.write(folder);
    file = folder.resolve("changed.safetensors");
  }

  private Cli normalize(String verb, Path statistics, String mode, Object... more) {
    return Cli.run(
        verb,
        vectors.source(),
        folder.resolve("out"),
        "--to=safetensors",
        "--normalize",
        statistics,
        "--normalize-by",
        mode,
        more);
  }

  /** Asserts that no verb accepts a file. */
  private void assertRefused(ErrorKind kind, Path statistics, String mode, String... parts) {
    for (String verb : List.of("convert", "shuffle")) {
      normalize(verb, statistics, mode).failsWithText(kind, parts);
      normalize(verb, statistics, mode, "--dry-run").failsWithText(kind, parts);
      assertThat(folder.resolve("out")).doesNotExist();
    }
  }

  private void change(String tensor, String dtype, List<Long> shape, byte... bytes)
      throws IOException {
    Map<String, Found> tensors = NaiveTensors.file(vectors.statistics());
    tensors.put(tensor, Found.of(dtype, shape, bytes));
    NaiveTensors.write(file, tensors);
  }

  @Test
  void aLayerWithoutStatisticsIsRefused() {
    NormalizedVectors.statistics(vectors.source(), file, "--layers", 3);
    assertRefused(NormalizeError.NO_STATISTICS, file, "scale", "layer 13", "[3]", "--layers");
    normalize("convert", file, "scale", "--layers", 3).succeeds();
    normalize("convert", file, "scale", "--layers", 13)
        .failsWithText(
            NormalizeError.NO_STATISTICS,
            "[3]",
            "(expected statistics of a dataset with layer 13)");
  }

  @Test
  void anotherDimensionIsRefused() throws IOException {
    change("layer_13.mean", "F64", List.of(2L), NaiveTensors.doubles(1, 2));
    assertRefused(NormalizeError.DIM_DIFFERS, file, "scale", "layer 13", "2 dim", "expected 8");
  }

  @ParameterizedTest
  @CsvSource({
    "scale, NaN",
    "scale, Infinity",
    "scale, 0",
    "scale, -1",
    "scale_centered, NaN",
    "scale_centered, Infinity",
    "scale_centered, 0",
    "scale_centered, -Infinity"
  })
  void aScaleThatIsNoPositiveNumberIsRefusedIfItIsUsed(String figure, double value)
      throws IOException {
    change("layer_3." + figure, "F64", List.of(1L), NaiveTensors.doubles(value));
    String mode = figure.equals("scale") ? "scale" : "center-scale";
    assertRefused(NormalizeError.NOT_USABLE, file, mode, "scale of layer 3 is " + value);
    normalize("convert", file, "center").succeeds();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.NEGATIVE_INFINITY})
  void aMeanThatIsNotFiniteIsRefusedIfItIsUsed(double value) throws IOException {
    double[] mean = new double[NormalizedVectors.DIM];
    mean[5] = value;
    change("layer_3.mean", "F64", List.of(8L), NaiveTensors.doubles(mean));
    for (String mode : List.of("center", "center-scale")) {
      assertRefused(NormalizeError.NOT_USABLE, file, mode, value + " in dimension 5");
    }
    normalize("convert", file, "scale").succeeds();
  }

  @Test
  void tensorsOfOtherTypesAndShapesAreRefused() throws IOException {
    change("layer_3.mean", "F32", List.of(8L), new byte[32]);
    assertRefused(DatasetError.NOT_CONVERTIBLE, file, "center", "layer_3.mean", "float32");
    change("layer_3.mean", "F64", List.of(2L, 4L), new byte[64]);
    assertRefused(DatasetError.NOT_CONVERTIBLE, file, "center", "[2, 4]");
    change("layer_3.mean", "F64", List.of(0L));
    assertRefused(DatasetError.NOT_CONVERTIBLE, file, "center", "[0]");
    change("layer_3.scale", "F64", List.of(2L), new byte[16]);
    assertRefused(NormalizeError.NOT_STATISTICS, file, "center", "layer_3.scale");
    Map<String, Found> tensors = NaiveTensors.file(vectors.statistics());
    tensors.remove("layer_13.scale_centered");
    NaiveTensors.write(file, tensors);
    assertRefused(NormalizeError.NOT_STATISTICS, file, "center", "layer_13.scale_centered");
  }

  @Test
  void filesOfOtherKindsAreRefused() throws IOException {
    assertRefused(NormalizeError.NOT_STATISTICS, vectors.source(), "scale", "layer_<l>.mean");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertRefused(FileError.NOT_A_FILE, empty, "scale", "stats FOLDER --to-safetensors FILE");
    assertRefused(FileError.NOT_FOUND, folder.resolve("nothing"), "scale", "no such file");
    byte[] whole = Files.readAllBytes(vectors.statistics());
    for (int length : new int[] {0, 7, 8, 100, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(normalize("convert", file, "scale").exitCode()).as("%d bytes", length).isOne();
      assertThat(folder.resolve("out")).doesNotExist();
    }
    for (String text :
        List.of("[]", "{\"mean\": []}", "{\"mean\": [], \"std\": [], \"norm\": 1}")) {
      Files.writeString(file, text + " ".repeat(8));
      assertRefused(NormalizeError.NOT_STATISTICS, file, "center", "mean");
    }
    Files.writeString(file, "{\"mean\": [1, \"a\"], \"std\": [], \"norm\": 1}");
    assertRefused(NormalizeError.NOT_STATISTICS, file, "center", "mean[1]");
  }

  @Test
  void theMeanOfActivaultIsSubtractedFromTheOnlyLayer() throws IOException {
    Path documents = folder.resolve("activault");
    Cli.run("stats", vectors.source(), "--statistics", documents).succeeds();
    Path document = documents.resolve("layer_13").resolve("statistics.json");
    assertRefused(NormalizeError.NO_STATISTICS, document, "center", "one layer", "[3, 13]");
    for (String mode : List.of("scale", "center-scale")) {
      normalize("convert", document, mode, "--layers", 13)
          .failsWithText(NormalizeError.NO_STATISTICS, "no scale", "--to-safetensors");
    }
    Path found = normalize("convert", document, "center", "--layers", 13).succeeds().lastLinePath();
    assertThat(NaiveTensors.batches(found).get("layer_13").bytes())
        .isEqualTo(NormalizedVectors.bytes("F32", vectors.expected(13, "center")));
  }

  @Test
  void integersAreRefused() throws IOException {
    Path source = convert(vectors.source(), "integers", "safetensors --dtype I16 --range saturate");
    Cli.run(
            "convert",
            source,
            folder.resolve("out"),
            "--to=npy",
            "--normalize",
            vectors.statistics(),
            "--normalize-by=scale")
        .failsWithText(NormalizeError.NOT_FLOATS, "I16");
  }

  @Test
  void aFileThatWouldBeReplacedIsRefused() throws IOException {
    Path out = Files.createDirectory(folder.resolve("out"));
    Path inside = Files.copy(vectors.statistics(), out.resolve("stats.safetensors"));
    normalize("convert", inside, "scale", "--overwrite").failsWithText(FileError.OVERLAP, "out");
    assertThat(inside).hasSameBinaryContentAs(vectors.statistics());
  }

  @Test
  void incompleteOptionsAreRefused() {
    Object[] convert = {"convert", vectors.source(), folder.resolve("out"), "--to=npy"};
    Cli.run(convert, "--normalize", vectors.statistics()).failsAsUsage("--normalize-by");
    Cli.run(convert, "--normalize-by=scale").failsAsUsage("--normalize-by", "expected --normalize");
    Cli.run(convert, "--again").failsAsUsage("--again", "expected --normalize");
    Cli.run(convert, "--normalize", vectors.statistics(), "--normalize-by=std")
        .failsAsUsage("--normalize-by", "center-scale");
  }

  /** The rules of {@code --dtype} apply to values that a type cannot hold. */
  @Test
  void valuesOutOfRangeAreTreatedAsThoseOfAConversion() throws IOException {
    change("layer_3.scale", "F64", List.of(1L), NaiveTensors.doubles(1e6));
    normalize("convert", file, "scale", "--dtype=I8", "--layers=3")
        .failsWithText("which I8 cannot hold", "--range saturate");
    Path found =
        normalize("convert", file, "scale", "--dtype=F16", "--layers=3").succeeds().lastLinePath();
    assertThat(NaiveTensors.toFloats(NaiveTensors.batches(found).get("layer_3")))
        .contains(Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
  }
}
