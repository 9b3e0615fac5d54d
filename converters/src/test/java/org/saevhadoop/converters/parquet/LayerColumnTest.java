package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.parquet.file.ParquetError;

/** Tables in which a column numbers the layer of each row. */
class LayerColumnTest extends ConvertedDatasets {
  private static final Path SAEV = Fixtures.saev("shards/64988989");
  private static final String LAYER = "--layer-column=layer";
  private static final String KEYS =
      "required int64 example; optional int32 layer; required int32 token; " + Tables.LIST;

  private static List<Group> rows(Path folder) throws IOException {
    List<Group> rows = new ArrayList<>();
    for (String name : files(folder).stream().filter(n -> n.endsWith(".parquet")).toList()) {
      var file = new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
      try (ParquetReader<Group> reader =
          ParquetReader.builder(new GroupReadSupport(), file)
              .withConf(new Configuration(false))
              .build()) {
        for (Group row = reader.read(); row != null; row = reader.read()) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  /** Writes rows as a program does that drops the metadata of files. */
  private Path write(List<Group> rows, int files) throws IOException {
    Path table = Files.createTempDirectory(folder, "table");
    for (int file = 0; file < files; file++) {
      List<Group> own = rows.subList(rows.size() * file / files, rows.size() * (file + 1) / files);
      GroupType type = own.get(0).getType();
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(
                  new LocalOutputFile(table.resolve("part-%d.parquet".formatted(file))))
              .withType(new MessageType("spark_schema", type.getFields()))
              .withRowGroupSize(3000L)
              .withMinRowCountForPageSizeCheck(1)
              .build()) {
        for (Group row : own) {
          writer.write(row);
        }
      }
    }
    return table;
  }

  private static List<Group> ordered(List<Group> rows, String order) {
    List<Group> ordered = new ArrayList<>(rows);
    if (order.equals("any")) {
      Collections.shuffle(ordered, new Random(5));
      return ordered;
    }
    Comparator<Group> comparator = (one, other) -> 0;
    for (String name : order.split(",")) {
      comparator =
          comparator.thenComparing(row -> Long.valueOf(row.getValueToString(name(row, name), 0)));
    }
    ordered.sort(comparator);
    return ordered;
  }

  private static String digestOf(Path table) {
    return Cli.run("digest", table, LAYER).succeeds().text();
  }

  private static int name(Group row, String name) {
    return row.getType().getFieldIndex(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"layer,example,token", "example,layer,token", "token,layer,example", "any"})
  void aTableThatWasWrittenAnewIsReadWithItsLabels(String order) throws IOException {
    List<Group> rows = rows(convert(SAEV, "parquet", "parquet"));
    Path table = write(ordered(rows, order), 3);
    assertThat(digestOf(table)).isEqualTo(digest(SAEV));
    Path saev = convert(table, "saev", "saev --verify", LAYER);
    assertThat(saev.resolve("labels.bin")).hasSameBinaryContentAs(SAEV.resolve("labels.bin"));
    assertThat(Cli.run("inspect", table, LAYER, "--json").succeeds().json().get("format").asText())
        .isEqualTo("parquet");
    Cli.run("verify", table, LAYER).succeeds();
    Cli.run("digest", table).failsWith(ArrayError.AMBIGUOUS, table.resolve("part-0.parquet"));
    Cli.run("digest", table).failsWithText(LAYER.replace('=', ' '));
  }

  @Test
  void integersOfTokensAreThoseOfTheFirstLayer() throws IOException {
    String flat = " --tensor hidden_states=token,layer,dim --ragged flatten --dtype F32";
    Path source = Fixtures.arrays("vllm");
    Path table =
        write(
            ordered(rows(convert(source, "parquet", "parquet --no-sample-metadata" + flat)), "any"),
            2);
    Path expected = convert(source, "npy", "npy" + flat);
    Path found = convert(table, "found", "npy", LAYER);
    for (String file : files(found)) {
      if (file.endsWith(".npy")) {
        assertThat(found.resolve(file)).hasSameBinaryContentAs(expected.resolve(file));
      }
    }
  }

  /** As {@code df.filter} leaves them. */
  @Test
  void someExamplesAndTokensAreADataset() throws IOException {
    List<Group> rows = rows(convert(SAEV, "parquet", "parquet"));
    List<Group> some =
        rows.stream()
            .filter(row -> row.getLong("example", 0) % 3 > 0 && row.getInteger("token", 0) > 2)
            .toList();
    assertThat(digestOf(write(some, 2)))
        .isEqualTo(Cli.run("digest", SAEV, "--examples=1,2,4,5", "--tokens=3:").succeeds().text());
  }

  private Path table(Integer[]... rows) throws IOException {
    Path file = Files.createTempDirectory(folder, "rows").resolve("part-0.parquet");
    return Tables.write(
        file,
        KEYS,
        rows.length,
        (row, i) -> {
          row.append("example", (long) rows[i][0]);
          if (rows[i][1] != null) {
            row.append("layer", (int) rows[i][1]);
          }
          row.append("token", (int) rows[i][2]);
          Tables.list(row, "embedding", 100 * rows[i][0] + rows[i][2], 2);
        });
  }

  @Test
  void aRowThatIsMissingOrOccursTwiceIsRefused() throws IOException {
    Integer[][] rows = {
      {9, 3, 0}, {4, 3, 0}, {4, 3, 1}, {9, 3, 1}, {4, 5, 0}, {4, 5, 1}, {9, 5, 1}, {9, 5, 0}
    };
    assertThat(digestOf(table(rows))).contains("examples=2 layers=3,5 tokens=2 dim=2");
    Object[][] wrong = {
      {3, new Integer[] {9, null, 1}, "row 3 has no layer"},
      {3, new Integer[] {9, -1, 1}, "row 3 has layer -1"},
      {3, new Integer[] {4, 3, 1}, "row 3 has example 4, layer 3 and token 1 like another row"},
      {6, new Integer[] {4, 5, 1}, "example 4, layer 5 and token 1 like another row"},
      {6, new Integer[] {8, 5, 1}, "row 6 has example 8, layer 5 and token 1"},
      {3, new Integer[] {9, 3, 2}, "has 4 rows of each layer and 3 different tokens"},
      {3, new Integer[] {9, 6, 1}, "has 4 rows of layer 5 and 3 of layer 3"},
      {3, new Integer[] {8, 3, 1}, "row 3 has example 8, layer 3 and token 1"},
    };
    for (Object[] change : wrong) {
      Integer[][] changed = rows.clone();
      changed[(int) change[0]] = (Integer[]) change[1];
      Path table = table(changed);
      Cli.run("digest", table, LAYER).failsWithText((String) change[2]);
      assertThat(Cli.run("verify", table, LAYER).exitCode()).isEqualTo(1);
    }
    Cli.run("digest", table(Arrays.copyOf(rows, 7)), LAYER)
        .failsWithText("has 3 rows of layer 5 and 4 of layer 3");
  }

  @Test
  @Tag("late")
  void aTableOfDuckDbIsRead() throws IOException, SQLException {
    Path parquet = convert(SAEV, "parquet", "parquet");
    Path table = Files.createDirectory(folder.resolve("duckdb"));
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      for (int file = 0; file < 2; file++) {
        statement.execute(
            "COPY (SELECT * FROM '%s/*.parquet' WHERE example %% 2 = %d ORDER BY vector[1])"
                    .formatted(parquet, file)
                + " TO '%s/part-%d.parquet' (CODEC 'SNAPPY', ROW_GROUP_SIZE 40, PARQUET_VERSION V2)"
                    .formatted(table, file));
      }
    }
    assertThat(digestOf(table)).isEqualTo(digest(SAEV));
    Path saev = convert(table, "saev", "saev", LAYER);
    assertThat(saev.resolve("labels.bin")).hasSameBinaryContentAs(SAEV.resolve("labels.bin"));
  }

  @Test
  void rowsInMorePiecesThanFitIntoMemoryMustBeSorted() throws IOException {
    int rows = 1 << 18;
    Path folder = Files.createTempDirectory(this.folder, "pieces");
    for (int file = 0; file < 2; file++) {
      int first = file;
      Tables.write(
          folder.resolve("part-%d.parquet".formatted(file)),
          KEYS,
          rows / 2,
          (row, i) -> {
            row.append("example", 2L * i + first).append("layer", 0).append("token", 0);
            Tables.list(row, "embedding", i, 1);
          });
    }
    Cli.run("digest", folder, LAYER)
        .failsWithText("in more than 131072 pieces", "orderBy(\"layer\", \"example\", \"token\")");
  }

  @Test
  void rowsWithoutNumbersOfExamplesAreInTheirOrder() throws IOException {
    Path file = folder.resolve("a.parquet");
    Tables.write(
        file,
        "required int32 layer; " + Tables.LISTS,
        6,
        (row, i) -> {
          row.append("layer", i % 2);
          Tables.lists(row, "embedding", 100 * i, 3, 2);
        },
        builder -> builder.withRowGroupSize(1L).withMinRowCountForPageSizeCheck(1));
    assertThat(digestOf(file)).contains("examples=3 layers=0,1 tokens=3 dim=2");
    String vector =
        Cli.run("cat", file, LAYER, "--example=1", "--layer=1", "--token=2").succeeds().text();
    assertThat(vector).contains("304").contains("305");
    Cli.run("digest", file, LAYER, "--tensor=embedding=token,dim").succeeds();
    Cli.run("digest", file, LAYER, "--tensor=embedding=dim").failsWith(ArrayError.BAD_SHAPE, file);
    Cli.run("digest", file, LAYER, "--ragged=flatten").failsAsUsage("--ragged");
    Cli.run("digest", file, "--layer-column=x").failsWith(ParquetError.UNORDERED_ROWS, file);
  }
}
