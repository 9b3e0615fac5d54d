package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Datasets;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.samples.SampleMetadata;

/** Datasets of {@code convert --to parquet} whose rows are vectors or examples, read back. */
@Tag("sampled")
@ParameterizedClass(name = "--unit {0}")
@ValueSource(strings = {"vector", "example"})
class ParquetUnitsTest extends ConvertedDatasets {
  private static final Path SAEV = Fixtures.saev("shards/64988989");

  @Parameter String unit;

  private String parquet() {
    return "parquet --verify --unit " + unit;
  }

  /** In a sample, a case is one of vectors or of examples. */
  private void assumeChosen(String one) {
    assumeTrue(TestExtent.isWhole() || (unit.length() + one.length()) % 2 == 0);
  }

  private boolean isExample() {
    return unit.equals("example");
  }

  /** Returns the option by which a dataset has several files. */
  private String severalFiles() {
    return " --max-parquet-bytes " + (isExample() ? 3000 : 1500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "several files",
        " --codec gzip",
        " --vector-type bits",
        " --vector-type bits --codec gzip --max-parquet-bytes 700"
      })
  void aSaevDatasetComesBackByteForByteWithItsLabels(String options) throws IOException {
    assumeChosen(options);
    String more = options.equals("several files") ? severalFiles() : options;
    Path parquet = convert(SAEV, "parquet", parquet() + more);
    assertThat(Tables.schema(parquet.resolve("part-00000.parquet")))
        .contains(isExample() ? "group layer_13 (LIST)" : " vector")
        .contains(isExample() ? "group label (LIST)" : "int32 label");
    assertThat(digest(parquet)).isEqualTo(digest(SAEV));
    assertSameFiles(convert(parquet, "back", "saev"), SAEV);
    Cli.assertSound(parquet);
    assertThat(Cli.run("inspect", parquet).succeeds().text())
        .containsPattern("unit +" + unit + "\n");
    Path other = convert(SAEV, "other", "parquet --unit " + (isExample() ? "vector" : "example"));
    assertThat(Cli.run("diff", parquet, other).exitCode()).isZero();
    assertThat(Cli.run("cat", parquet, "--examples=3").succeeds().text())
        .isEqualTo(Cli.run("cat", SAEV, "--examples=3").succeeds().text());
  }

  @ParameterizedTest
  @CsvSource({
    "F16, list, F32",
    "BF16, list, F32",
    "BF16, bits, BF16",
    "F64, list, F64",
    "F64, bits, F64"
  })
  void vectorsOfOtherTypesAreWidenedOrKeptAsBits(String dtype, String vectors, String stored)
      throws IOException {
    assumeChosen(dtype);
    Path source = convert(SAEV, "source", "safetensors --dtype " + dtype);
    Path parquet = convert(source, "parquet", parquet() + " --vector-type " + vectors);
    Path expected = convert(source, "expected", "safetensors --dtype " + stored);
    assertThat(digest(parquet)).isEqualTo(digest(expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"npy", "npy --layers 13"})
  void nanKeepsItsBits(String options) throws IOException {
    Path source = convert(SAEV, "source", options);
    Path file = source.resolve("layer_13.npy");
    byte[] bytes = Files.readAllBytes(file);
    byte[] nan = ByteBuffer.allocate(8).putInt(0x0100c07f).putInt(0x010080ff).array();
    System.arraycopy(nan, 0, bytes, bytes.length - nan.length, nan.length);
    Files.write(file, bytes);
    for (String type : List.of("list", "bits")) {
      Path parquet = convert(source, type, parquet() + " --vector-type " + type);
      Path back = convert(parquet, type + "-back", "npy");
      assertThat(Files.mismatch(back.resolve("layer_13.npy"), file)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec",
        "spec --tokens 1,3",
        "spec --tokens 1",
        "ragged --ragged flatten",
        "ragged --ragged pad:9"
      })
  void sampleMetadataComesBack(String source) throws IOException {
    String[] words = source.split(" ", 2);
    Object[] more = words.length == 1 ? new Object[0] : words[1].split(" ");
    Path pickle = Fixtures.pickle(words[0]);
    Path parquet = convert(pickle, "parquet", parquet(), more);
    Path expected = convert(convert(pickle, "npy", "npy", more), "expected", "safetensors");
    assertThat(files(expected)).anyMatch(file -> file.endsWith(".examples.jsonl.gz"));
    assertSameFiles(convert(parquet, "found", "safetensors"), expected);
    Cli.assertSound(parquet);
  }

  @Test
  void stagedSampleMetadataThatIsGoneIsAnError() throws IOException {
    Path parquet = convert(Fixtures.pickle("spec"), "parquet", parquet());
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    TableDataset dataset = Datasets.open(parquet, unpacked);
    Path gone = unpacked.resolve("samples0-00000.examples.jsonl.gz");
    Files.delete(gone);
    SampleMetadata samples = dataset.sampleMetadata().orElseThrow();
    assertThatThrownBy(() -> samples.cursor(0, 1).next()).hasMessage(gone + ": no such file");
  }

  @Test
  void integersOfTokensComeBack() throws IOException {
    String flat = " --tensor hidden_states=token,layer,dim --ragged flatten --dtype F32";
    Path source = Fixtures.arrays("vllm");
    Path parquet = convert(source, "parquet", parquet() + flat);
    Path npy = convert(source, "npy", "npy" + flat);
    assertSameFiles(convert(parquet, "back", "npy"), npy);
  }

  @Test
  void aPartOfADatasetIsReadAsOfAnyOther() throws IOException {
    Path parquet = convert(SAEV, "parquet", parquet() + severalFiles());
    Object[] part = {"--layers", "23", "--examples", "6,1:3", "--tokens", "1:4"};
    assertSameFiles(convert(parquet, "found", "npy", part), convert(SAEV, "expected", "npy", part));
    assertThat(Cli.run("digest", parquet, "--tensor=layer_13=example,token,dim").text())
        .isEqualTo(Cli.run("digest", SAEV, "--layers=13").text());
    Cli.run("digest", parquet, "--tensor=layer_14=example,token,dim").failsWithText("layer_14");
    Object[] layers = {"--layers", "23,13"};
    assertThat(Cli.run("digest", parquet, layers).succeeds().text()).isEqualTo(digest(SAEV));
  }

  @Test
  void damageIsFound() throws IOException {
    Path file = convert(SAEV, "parquet", parquet()).resolve("part-00000.parquet");
    Fixtures.flip(file, (int) (Files.size(file) / 3));
    Cli.run("digest", file).failsWithText("CRC");
    assertThat(Cli.problems(file.getParent())).contains("CRC");
  }
}
