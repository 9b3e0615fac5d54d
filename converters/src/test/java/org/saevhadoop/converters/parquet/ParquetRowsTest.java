package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;

/** Datasets of {@code convert --to parquet}, read back. */
class ParquetRowsTest extends ConvertedDatasets {
  private static final Path SAEV = Fixtures.saev("shards/64988989");

  private Path parquet(String name, Object... options) {
    return convert(SAEV, name, "parquet", options);
  }

  private static void replace(Path file, byte[] from, byte[] to) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(new String(from, StandardCharsets.ISO_8859_1));
    assertThat(at).isNotNegative();
    System.arraycopy(to, 0, bytes, at, to.length);
    Files.write(file, bytes);
  }

  private static byte[] longs(long... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    return bytes.array();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--max-parquet-bytes 1500",
        "--codec gzip",
        "--vector-type bits",
        "--vector-type bits --codec gzip --max-parquet-bytes 700"
      })
  void aSaevDatasetComesBackByteForByteWithItsLabels(String options) throws IOException {
    Object[] more = options.isEmpty() ? new Object[0] : options.split(" ");
    Path parquet = parquet("parquet", more, "--verify");
    assertThat(digest(parquet)).isEqualTo(digest(SAEV));
    assertSameFiles(convert(parquet, "back", "saev"), SAEV);
    Cli.run("verify", parquet).succeeds();
  }

  @ParameterizedTest
  @CsvSource({
    "F16, list, F32",
    "BF16, list, F32",
    "BF16, bits, BF16",
    "F64, list --dtype F64, F64",
    "F64, bits, F64"
  })
  void vectorsOfOtherTypesAreWidenedOrKeptAsBits(String dtype, String vectors, String stored)
      throws IOException {
    Path source = convert(SAEV, "source", "safetensors --dtype " + dtype);
    Path parquet = convert(source, "parquet", "parquet --verify --vector-type " + vectors);
    Path expected = convert(source, "expected", "safetensors --dtype " + stored);
    assertThat(digest(parquet)).isEqualTo(digest(expected));
  }

  @Test
  void nanKeepsItsBits() throws IOException {
    Path source = convert(SAEV, "source", "npy --layers 13");
    Path file = source.resolve("layer_13.npy");
    byte[] bytes = Files.readAllBytes(file);
    byte[] nan = ByteBuffer.allocate(8).putInt(0x0100c07f).putInt(0x010080ff).array();
    System.arraycopy(nan, 0, bytes, bytes.length - nan.length, nan.length);
    Files.write(file, bytes);
    for (String type : List.of("list", "bits")) {
      Path parquet = convert(source, type, "parquet --verify --vector-type " + type);
      Path back = convert(parquet, type + "-back", "npy");
      assertThat(Files.mismatch(back.resolve("layer_13.npy"), file)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec", "spec --tokens 1,3", "ragged --ragged flatten"})
  void sampleMetadataComesBack(String source) throws IOException {
    String[] words = source.split(" ", 2);
    Object[] more = words.length == 1 ? new Object[0] : words[1].split(" ");
    Path pickle = Fixtures.pickle(words[0]);
    Path parquet = convert(pickle, "parquet", "parquet --verify", more);
    Path expected = convert(convert(pickle, "npy", "npy", more), "expected", "safetensors");
    assertThat(files(expected)).anyMatch(file -> file.endsWith(".examples.jsonl.gz"));
    assertSameFiles(convert(parquet, "found", "safetensors"), expected);
  }

  @Test
  void integersOfTokensComeBack() throws IOException {
    String flat = " --tensor hidden_states=token,layer,dim --ragged flatten --dtype F32";
    Path source = Fixtures.arrays("vllm");
    Path parquet = convert(source, "parquet", "parquet --verify" + flat);
    Path npy = convert(source, "npy", "npy" + flat);
    assertSameFiles(convert(parquet, "back", "npy"), npy);
  }

  @Test
  void aPartOfADatasetIsReadAsOfAnyOther() throws IOException {
    Path parquet = parquet("parquet", "--max-parquet-bytes", 1500);
    Object[] part = {"--layers", "23", "--examples", "6,1:3", "--tokens", "1:4"};
    assertSameFiles(convert(parquet, "found", "npy", part), convert(SAEV, "expected", "npy", part));
  }

  @Test
  void shuffledVectorsAreWrittenAndRead() throws IOException {
    for (String to : List.of("parquet", "npy")) {
      Path target = folder.resolve(to);
      Cli.run("shuffle", SAEV, target, "--layers=13", "--to", to, "--seed=7", "--verify")
          .succeeds();
    }
    assertThat(digest(folder.resolve("parquet"))).isEqualTo(digest(folder.resolve("npy")));
  }

  @Test
  void severalFilesMustBeAllOfOneDataset() throws IOException {
    Path parquet = parquet("parquet", "--max-parquet-bytes", 1500);
    assertThat(files(parquet)).hasSize(5);
    Path last = parquet.resolve("part-00003.parquet");
    byte[] bytes = Files.readAllBytes(last);
    Files.delete(last);
    Cli.run("digest", parquet).failsWithText("has 6 examples (expected 7");
    Cli.run("inspect", parquet.resolve("part-00000.parquet")).failsWithText("expected 7");
    Files.write(last, bytes);
    Files.copy(
        parquet("other", "--examples", "0:1").resolve("part-00000.parquet"),
        parquet.resolve("part-00004.parquet"));
    Cli.run("digest", parquet).failsWithText("part-00004.parquet", "of another dataset");
    Files.delete(parquet.resolve("part-00004.parquet"));
    Files.write(parquet.resolve("part-00001.parquet"), bytes);
    Cli.run("digest", parquet).failsWithText("(expected ");
    Files.copy(
        parquet.resolve("part-00000.parquet"),
        parquet.resolve("part-00001.parquet"),
        StandardCopyOption.REPLACE_EXISTING);
    Cli.run("digest", parquet).failsWithText("begins with example 0 (expected 2)");
  }

  @Test
  void filesInAnyOrderOfNamesHaveTheirOwnExamples() throws IOException {
    Path parquet = parquet("parquet", "--max-parquet-bytes", 1500);
    Files.move(parquet.resolve("part-00000.parquet"), parquet.resolve("z.parquet"));
    assertThat(digest(parquet)).isEqualTo(digest(SAEV));
  }

  @Test
  void rowsInAnotherOrderAreRefused() throws IOException {
    Path parquet = parquet("parquet");
    Path file = parquet.resolve("part-00000.parquet");
    replace(file, longs(0, 0, 1, 1), longs(0, 1, 0, 1));
    Cli.run("digest", parquet)
        .failsWithText("row 9 has example 1 (expected example 0", "order of layer, example");
    assertThat(Cli.problems(parquet)).contains("row 9 has example 1");
  }

  /** As files are that another program has written anew: the metadata is gone. */
  @Test
  void rowsOfSeveralLayersAreNotReadAsExamplesUnlessTheyAreNamed() throws IOException {
    Path file = parquet("parquet").resolve("part-00000.parquet");
    replace(
        file,
        "saev.shape".getBytes(StandardCharsets.UTF_8),
        "some.shape".getBytes(StandardCharsets.UTF_8));
    Cli.run("digest", file).failsWithText("column layer", "--tensor vector=dim");
    Cli.run("digest", file, "--tensor", "vector=dim").succeeds();
  }

  @Test
  void metadataThatDescribesNoDatasetIsRefused() throws IOException {
    Path file = parquet("parquet").resolve("part-00000.parquet");
    for (String[] change :
        List.of(
            new String[] {"\"tokens\": 10", "\"tokens\": -1"},
            new String[] {"\"tokens\": -1", "\"tokens\": 99"},
            new String[] {"\"tokens\": 99", "\"tokens\": {}"},
            new String[] {"{\"examples\"", "[\"examples\""})) {
      replace(
          file,
          change[0].getBytes(StandardCharsets.UTF_8),
          change[1].getBytes(StandardCharsets.UTF_8));
      Cli.run("inspect", file.getParent()).failsWithText("part-00000.parquet: ");
    }
  }
}
