package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.junit.jupiter.params.provider.MethodSource;
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
    return Tables.schema(dataset.resolve("part-00000.parquet"));
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
