package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;

/** Datasets of {@code convert --to parquet --unit example}, read back. */
class ParquetExamplesTest extends ConvertedDatasets {
  private static final Path SAEV = Fixtures.saev("shards/64988989");
  private static final String EXAMPLES = "parquet --unit example --verify";
  private static final int CASES = 12;

  private static String schema(Path dataset) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(new LocalInputFile(dataset.resolve("part-00000.parquet")))) {
      return reader.getFileMetaData().getSchema().toString();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " --max-parquet-bytes 3000",
        " --codec gzip",
        " --vector-type bits",
        " --vector-type bits --codec gzip --max-parquet-bytes 700"
      })
  void aSaevDatasetComesBackByteForByteWithItsLabels(String options) throws IOException {
    Path parquet = convert(SAEV, "parquet", EXAMPLES + options);
    assertThat(schema(parquet)).contains("group layer_13 (LIST)", "group label (LIST)");
    assertThat(digest(parquet)).isEqualTo(digest(SAEV));
    assertSameFiles(convert(parquet, "back", "saev"), SAEV);
    Cli.assertSound(parquet);
    assertThat(Cli.run("inspect", parquet).succeeds().text()).containsPattern("unit +example\n");
    assertThat(Cli.run("diff", parquet, convert(SAEV, "rows", "parquet")).exitCode()).isZero();
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
    Path source = convert(SAEV, "source", "safetensors --dtype " + dtype);
    Path parquet = convert(source, "parquet", EXAMPLES + " --vector-type " + vectors);
    Path expected = convert(source, "expected", "safetensors --dtype " + stored);
    assertThat(digest(parquet)).isEqualTo(digest(expected));
  }

  @Test
  void nanKeepsItsBits() throws IOException {
    Path source = convert(SAEV, "source", "npy");
    Path file = source.resolve("layer_13.npy");
    byte[] bytes = Files.readAllBytes(file);
    byte[] nan = ByteBuffer.allocate(8).putInt(0x0100c07f).putInt(0x010080ff).array();
    System.arraycopy(nan, 0, bytes, bytes.length - nan.length, nan.length);
    Files.write(file, bytes);
    for (String type : List.of("list", "bits")) {
      Path parquet = convert(source, type, EXAMPLES + " --vector-type " + type);
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
    Path parquet = convert(pickle, "parquet", EXAMPLES, more);
    Path expected = convert(convert(pickle, "npy", "npy", more), "expected", "safetensors");
    assertThat(files(expected)).anyMatch(file -> file.endsWith(".examples.jsonl.gz"));
    assertSameFiles(convert(parquet, "found", "safetensors"), expected);
    Cli.assertSound(parquet);
  }

  @Test
  void integersOfTokensComeBack() throws IOException {
    String flat = " --tensor hidden_states=token,layer,dim --ragged flatten --dtype F32";
    Path source = Fixtures.arrays("vllm");
    Path parquet = convert(source, "parquet", EXAMPLES + flat);
    Path npy = convert(source, "npy", "npy" + flat);
    assertSameFiles(convert(parquet, "back", "npy"), npy);
  }

  @Test
  void idsComeBack() throws IOException {
    Path kv = convert(SAEV, "kv", "safetensors --kv");
    Path part = convert(kv, "part", "safetensors --kv --examples 3:");
    Path parquet = convert(part, "parquet", EXAMPLES);
    assertThat(schema(parquet)).contains("required binary id (STRING);");
    Cli.assertSound(parquet);
    assertSameFiles(convert(parquet, "back", "safetensors --kv --verify"), part);
  }

  static IntStream seeds() {
    return IntStream.range(0, CASES);
  }

  /** Random shapes, with labels and sample metadata or without, in files of any size. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anyShapeComesBack(int seed) throws IOException {
    Random random = new Random(seed);
    List<Integer> layers = new ArrayList<>(List.of(-2, 0, 3, 17));
    Collections.shuffle(layers, random);
    boolean isDescribed = random.nextBoolean();
    NaiveActivations all =
        new NaiveActivations(
            2 + random.nextInt(12),
            layers.subList(0, 1 + random.nextInt(4)),
            2 + random.nextInt(5),
            1 + random.nextInt(9),
            random.nextBoolean(),
            isDescribed);
    Path saev = all.writeSaev(folder.resolve("source"));
    String options =
        " --vector-type %s --codec %s --max-parquet-bytes %d"
            .formatted(
                random.nextBoolean() ? "bits" : "list",
                random.nextBoolean() ? "gzip" : "none",
                1 + random.nextInt(2000));
    Path parquet = convert(saev, "parquet", EXAMPLES + options);
    List<Integer> examples = IntStream.range(0, all.examples()).boxed().toList();
    List<Integer> tokens = IntStream.range(0, all.tokens()).boxed().toList();
    assertThat(Cli.run("digest", parquet).succeeds().lastLine())
        .isEqualTo(all.digestLine(examples, all.layers(), tokens));
    Cli.assertSound(parquet);
    assertSameFiles(
        convert(parquet, "found", "safetensors"), convert(saev, "expected", "safetensors"));
    int layer = all.layers().get(random.nextInt(all.layers().size()));
    List<Integer> some = examples.subList(1, all.examples());
    assertThat(
            Cli.run("digest", parquet, "--layers=" + layer, "--examples=1:", "--tokens=1")
                .succeeds()
                .lastLine())
        .isEqualTo(all.digestLine(some, List.of(layer), List.of(1)));
  }

  @Test
  void aPartOfADatasetIsReadAsOfAnyOther() throws IOException {
    Path parquet = convert(SAEV, "parquet", EXAMPLES + " --max-parquet-bytes 3000");
    Object[] part = {"--layers", "23", "--examples", "6,1:3", "--tokens", "1:4"};
    assertSameFiles(convert(parquet, "found", "npy", part), convert(SAEV, "expected", "npy", part));
    assertThat(Cli.run("digest", parquet, "--tensor=layer_13=example,token,dim").text())
        .isEqualTo(Cli.run("digest", SAEV, "--layers=13").text());
    Object[] layers = {"--layers", "23,13"};
    assertThat(Cli.run("digest", parquet, layers).succeeds().text()).isEqualTo(digest(SAEV));
  }

  /** Pages of other layers are damaged; a run that does not read them succeeds. */
  @Test
  void onlyTheColumnsOfTheLayersAreRead() throws IOException {
    for (String unit : List.of("example", "vector")) {
      Path parquet = convert(SAEV, unit, "parquet --unit " + unit);
      Path file = parquet.resolve("part-00000.parquet");
      try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
        List<ColumnChunkMetaData> last =
            reader.getRowGroups().get(reader.getRowGroups().size() - 1).getColumns();
        ColumnChunkMetaData vectors =
            last.stream()
                .filter(
                    chunk -> List.of("layer_23", "vector").contains(chunk.getPath().toArray()[0]))
                .findFirst()
                .orElseThrow();
        Fixtures.flip(file, (int) (vectors.getStartingPos() + vectors.getTotalSize() - 1));
      }
      Cli.run("digest", parquet).failsWithText("CRC");
      assertThat(Cli.run("digest", parquet, "--layers=13").succeeds().text())
          .isEqualTo(Cli.run("digest", SAEV, "--layers=13").text());
      Path back = convert(parquet, unit + "-back", "npy --layers 13 --verify");
      assertSameFiles(back, convert(SAEV, unit + "-expected", "npy --layers 13"));
    }
  }

  @Test
  void severalAreReadAsOneAndMergedAsTheyAre() throws IOException {
    Path some = convert(SAEV, "some", EXAMPLES + " --examples 0:3");
    Path others = convert(SAEV, "others", EXAMPLES + " --examples 3:");
    assertThat(Cli.run("digest", some, "--with", others).text()).isEqualTo(digest(SAEV));
    Path merged = folder.resolve("merged");
    Cli.run("merge", some, others, merged).succeeds();
    assertThat(schema(merged)).contains("group layer_13 (LIST)");
    assertThat(digest(merged)).isEqualTo(digest(SAEV));
    Path rows = convert(SAEV, "rows", "parquet --examples 3:");
    Cli.run("merge", some, rows, folder.resolve("mixed")).succeeds();
    assertThat(schema(folder.resolve("mixed"))).contains("vector (LIST)");
  }

  @Test
  void aShuffleOfExamplesWritesOneARow() throws IOException {
    for (String to : List.of("parquet", "npy")) {
      Cli.run(
              "shuffle",
              SAEV,
              folder.resolve(to),
              "--to",
              to,
              "--unit=example",
              "--seed=7",
              "--verify")
          .succeeds();
    }
    assertThat(schema(folder.resolve("parquet"))).contains("layer_13", "layer_23");
    assertThat(digest(folder.resolve("parquet"))).isEqualTo(digest(folder.resolve("npy")));
    Cli npy = Cli.run("shuffle", SAEV, folder.resolve("x"), "--to=npy", "--unit=example");
    assertThat(npy.succeeds().stderr()).doesNotContain("--unit");
    Path rows = folder.resolve("rows");
    Cli.run("shuffle", SAEV, rows, "--to=parquet", "--layers=13").succeeds();
    assertThat(schema(rows)).contains("vector (LIST)");
  }

  @Test
  void otherFormatsHaveNoUnit() {
    assertThat(Cli.convert(SAEV, folder.resolve("npy"), "npy --unit example").succeeds().stderr())
        .contains("--unit");
  }

  @Test
  void damageIsFound() throws IOException {
    Path file = convert(SAEV, "parquet", EXAMPLES).resolve("part-00000.parquet");
    Fixtures.flip(file, (int) (Files.size(file) / 3));
    Cli.run("digest", file).failsWithText("CRC");
    assertThat(Cli.problems(file.getParent())).contains("CRC");
  }

  /** Writes a file of two examples of layer 3, whose columns may not be what the shape states. */
  private Path claimed(String columns, long first) throws IOException {
    Path file = Files.createTempDirectory(folder, "claimed").resolve("part-00000.parquet");
    String shape =
        "{\"examples\": 2, \"layers\": [3], \"tokens\": 2, \"patches\": 2, \"dim\": 2,"
            + " \"dtype\": \"F32\"}";
    Tables.write(
        file,
        "required int64 example; " + Tables.LISTS.replace("embedding", "layer_3") + columns,
        2,
        (row, i) -> {
          row.append("example", first + i);
          Tables.lists(row, "layer_3", i, 2, 2);
          if (columns.contains("int32 element")) {
            Group labels = row.addGroup("label");
            labels.addGroup("list").append("element", 7);
            labels.addGroup("list").append("element", columns.contains("odd") ? 300 : 8);
          }
        },
        builder ->
            builder.withExtraMetaData(Map.of("saev.shape", shape, "saev.vector.type", "F32")));
    return file.getParent();
  }

  @Test
  void numbersOfExamplesAreIntegers() throws IOException {
    String shape =
        "{\"examples\": 1, \"layers\": [3], \"tokens\": 1, \"patches\": 0, \"dim\": 2,"
            + " \"dtype\": \"F32\"}";
    for (String column : List.of("required float example;", "repeated int64 example;")) {
      Path table = Files.createTempDirectory(folder, "floats");
      Tables.write(
          table.resolve("x.parquet"),
          column + Tables.LISTS.replace("embedding", "layer_3"),
          1,
          (row, i) -> {
            if (column.contains("float")) {
              row.append("example", 0f);
            } else {
              row.append("example", 0L);
            }
            Tables.lists(row, "layer_3", 0, 1, 2);
          },
          builder -> builder.withExtraMetaData(Map.of("saev.shape", shape)));
      Cli.run("digest", table).failsWithText("x.parquet: is a corrupt Parquet file");
      assertThat(Cli.problems(table)).contains("x.parquet: is a corrupt Parquet file");
    }
  }

  @Test
  void columnsThatAreNotWhatTheShapeStatesAreRefused() throws IOException {
    String label =
        " required group label (LIST) { repeated group list { required int32 element; } }";
    assertThat(digest(claimed(label, 0))).contains("examples=2 layers=3 tokens=2 dim=2");
    Object[][] wrong = {
      {"", 0L, "has no column label"},
      {" optional int32 label;", 0L, "column label has lists nested 0 deep (expected 1)"},
      {" repeated float label;", 0L, "column label has no lists of integers"},
      {" repeated int32 label (INTEGER(8,true));", 0L, "column label has no lists of integers"},
      {label + " optional int32 odd;", 0L, "row 0 has the label 300"},
      {label, 1L, "has 2 examples from example 1 on (expected at most 2 examples in all)"},
    };
    for (Object[] claim : wrong) {
      Path table = claimed((String) claim[0], (long) claim[1]);
      Cli.run("digest", table).failsWithText((String) claim[2]);
      assertThat(Cli.problems(table)).contains((String) claim[2]);
    }
  }
}
