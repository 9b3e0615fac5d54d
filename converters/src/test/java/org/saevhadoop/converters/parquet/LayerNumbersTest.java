package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.parquet.file.ParquetError;

/** The columns of numbers of tables in which one numbers the layer of each row. */
class LayerNumbersTest extends ConvertedDatasets {
  private static final String LAYER = "--layer-column=layer";
  private static final String KEYS =
      "required int64 example; optional int32 layer; required int32 token; " + Tables.LIST;

  private static String digestOf(Path table) {
    return Cli.run("digest", table, LAYER).succeeds().text();
  }

  /** Writes two examples of two layers; the rows of each layer are in another order. */
  private Path pairs(String fields, ObjIntConsumer<Group> fill) throws IOException {
    int[] examples = {0, 1, 1, 0};
    int[] layers = {0, 0, 1, 1};
    return Tables.write(
        Files.createTempDirectory(folder, "pairs").resolve("part-0.parquet"),
        "required int32 layer; " + fields + " " + Tables.LIST,
        4,
        (row, i) -> {
          row.append("layer", layers[i]);
          fill.accept(row, examples[i]);
          Tables.list(row, "embedding", 10 * examples[i] + 100 * layers[i], 2);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"UINT_8", "UINT_16", "UINT_32", "UINT_64", "INT_8", "INT_16"})
  void examplesAreNumberedByAnyIntegers(String type) throws IOException {
    boolean isLong = type.equals("UINT_64");
    String expected =
        digestOf(pairs("required int64 example;", (row, i) -> row.append("example", (long) i)));
    Path table =
        pairs(
            "required %s example (%s);".formatted(isLong ? "int64" : "int32", type),
            (row, i) -> {
              if (isLong) {
                row.append("example", (long) i);
              } else {
                row.append("example", i);
              }
            });
    assertThat(digestOf(table)).isEqualTo(expected);
  }

  @Test
  void unsignedIntegersAreNotNegative() throws IOException {
    Path high =
        pairs(
            "required int32 example (UINT_32);",
            (row, i) -> row.append("example", i == 0 ? -1 : i));
    String vector = Cli.run("cat", high, LAYER, "--example=1", "--layer=1").succeeds().text();
    assertThat(vector).contains("100").doesNotContain("110");
    Path tooHigh =
        pairs("required int64 example (UINT_64);", (row, i) -> row.append("example", i - 1L));
    Cli.run("digest", tooHigh, LAYER)
        .failsWithText(
            ParquetError.UNSUPPORTED_PARQUET,
            "column \"example\" has the integer 18446744073709551615");
  }

  @Test
  void hashesOf64BitsAreNotKept() throws IOException {
    Path table =
        pairs(
            "required int32 example; required int64 hash (INTEGER(64,false));",
            (row, i) -> row.append("example", i).append("hash", -1L - i));
    assertThat(warnings(table)).contains("columns that are not kept: hash");
  }

  @ParameterizedTest
  @ValueSource(strings = {"example", "token", "label"})
  void aNumberOfAnotherTypeIsNotAbsent(String name) throws IOException {
    String[][] types = {
      {"required binary %s (STRING);", "texts"},
      {"required float %s;", "values of type F32"},
      {"required int32 %s (DATE);", "values of a type that is not read"},
      {"required binary %s;", "values of a type that is not read"}
    };
    String example = name.equals("example") ? "" : "required int32 example; ";
    for (String[] type : types) {
      Path table =
          pairs(
              example + type[0].formatted(name),
              (row, i) -> {
                if (!name.equals("example")) {
                  row.append("example", i);
                }
                switch (type[0].contains("binary") ? "texts" : type[1]) {
                  case "texts" -> row.append(name, "a" + i);
                  case "values of type F32" -> row.append(name, (float) i);
                  default -> row.append(name, i);
                }
              });
      Cli.run("digest", table, LAYER)
          .failsWithText(
              ParquetError.UNORDERED_ROWS, "column \"%s\" has %s".formatted(name, type[1]));
    }
  }

  /** Writes a file in which layers have other numbers in a column, or none in layer 1. */
  private Path differing(String name, Integer... numbers) throws IOException {
    int[] row = {0};
    return pairs(
        "required int32 example; optional int32 " + name + ";",
        (group, i) -> {
          group.append("example", i);
          Integer number = numbers[row[0]++];
          if (number != null) {
            group.append(name, (int) number);
          }
        });
  }

  private String warnings(Path table) throws IOException {
    Path out = Files.createTempDirectory(folder, "out").resolve("npy");
    return Cli.run("convert", table, out, LAYER, "--to=npy").succeeds().stderr();
  }

  @ParameterizedTest
  @ValueSource(strings = {"label", "token_ids", "attention_mask"})
  void layersHaveTheSameLabelsAndTokens(String name) throws IOException {
    Cli.run("digest", differing(name, 5, 6, 6, 5), LAYER).succeeds();
    Path table = differing(name, 5, 6, 7, 5);
    Cli.run("digest", table, LAYER)
        .failsWithText(
            ArrayError.DIFFERENT_TOKENS, "row 2 has %s 7 in layer 1 (expected 6".formatted(name));
    assertThat(Cli.run("verify", table, LAYER).exitCode()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"token_ids", "attention_mask"})
  void tokensThatDifferAreLeftOutOnRequest(String name) throws IOException {
    int[] row = {0};
    Path table =
        pairs(
            "required int32 example; required int32 a; required int32 %s; required int32 z;"
                .formatted(name),
            (group, i) ->
                group
                    .append("example", i)
                    .append("a", i)
                    .append(name, row[0]++)
                    .append("z", 7 + i));
    Cli.run("digest", table, LAYER).failsWithText(name + " 3 in layer 1", "--no-sample-metadata");
    Cli cat =
        Cli.run("cat", table, LAYER, "--no-sample-metadata", "--sample-metadata", "--example=1");
    assertThat(cat.succeeds().text()).contains("{\"tokens\": {\"a\": [1], \"z\": [8]}}");
    Path out = folder.resolve("out");
    Cli convert = Cli.convert(table, out, "npy", LAYER, "--no-sample-metadata").succeeds();
    assertThat(convert.stderr())
        .contains("column %s differs between layers: it is left out".formatted(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"example", "label", "feature"})
  void aDamagedPageOfNumbersIsFound(String name) throws IOException {
    Path table =
        pairs(
            "required int64 example; required int32 label; required int32 feature;",
            (row, i) ->
                row.append("example", 0x5150L + i)
                    .append("label", 0x60 + i)
                    .append("feature", 0x7170 + i));
    Cli.run("verify", table, LAYER).succeeds();
    byte low = (byte) (name.equals("example") ? 0x50 : name.equals("label") ? 0x60 : 0x70);
    byte high = (byte) (name.equals("example") ? 0x51 : name.equals("label") ? 0 : 0x71);
    Fixtures.flip(table, new byte[] {low, high, 0, 0});
    Cli verify = Cli.run("verify", table, LAYER);
    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.text() + verify.stderr()).contains("its CRC is");
  }

  @Test
  void emptyRowGroupsAndFilesHaveNoLayers() throws IOException {
    Path table = Files.createTempDirectory(folder, "empty");
    Path file = table.resolve("part-1.parquet");
    Files.move(pairs("required int32 example;", (row, i) -> row.append("example", i)), file);
    String expected = digestOf(table);
    Tables.prependEmptyGroup(file);
    for (String name : List.of("part-0.parquet", "part-2.parquet")) {
      Tables.write(table.resolve(name), "required int32 layer; " + Tables.LIST, 0, (row, i) -> {});
    }
    assertThat(digestOf(table)).isEqualTo(expected);
    Cli.run("verify", table, LAYER).succeeds();
  }

  /** Rows would be taken in the order of the files if examples were not numbered. */
  @Test
  void anEmptyRowGroupWithoutNumbersDoesNotHideTheNumbersOfOthers() throws IOException {
    Path table = Files.createTempDirectory(folder, "empty");
    for (int file = 0; file < 2; file++) {
      int first = file;
      Tables.write(
          table.resolve("part-%d.parquet".formatted(file)),
          "required int32 layer; required int32 example; " + Tables.LIST,
          2,
          (row, i) -> {
            row.append("layer", i).append("example", (first + i) % 2);
            Tables.list(row, "embedding", 10 * ((first + i) % 2) + 100 * i, 2);
          });
    }
    String vector = Cli.run("cat", table, LAYER, "--example=1", "--layer=1").succeeds().text();
    assertThat(vector).contains("110");
    String expected = digestOf(table);
    Path empty = table.resolve("part-2.parquet");
    Files.move(pairs("", (row, i) -> {}), empty);
    Tables.leaveEmptyGroup(empty);
    assertThat(digestOf(table)).isEqualTo(expected);
  }

  @Test
  void otherIntegersThatDifferAreThoseOfTheFirstLayer() throws IOException {
    String warning = "column feature differs between layers";
    Path table = differing("feature", 5, 6, 7, 5);
    assertThat(warnings(table)).contains(warning);
    for (Path same :
        List.of(differing("feature", 5, 6, 6, 5), differing("feature", 5, 6, null, null))) {
      assertThat(warnings(same)).doesNotContain("feature");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"feature", "label"})
  void aColumnThatAFileLacksIsMentioned(String name) throws IOException {
    for (int with = 0; with < 2; with++) {
      Path table = Files.createTempDirectory(folder, "lacking");
      for (int file = 0; file < 2; file++) {
        Path own =
            file == with
                ? differing(name, 5, 6, 6, 5)
                : pairs("required int32 example;", (row, i) -> row.append("example", i + 2));
        Files.move(own, table.resolve("part-%d.parquet".formatted(file)));
      }
      assertThat(warnings(table))
          .contains(
              name.equals("label")
                  ? "columns that are not kept: label"
                  : "part-%d.parquet has no column feature".formatted(1 - with));
    }
  }

  @Test
  void tokenIdsThatTheFileOfTheFirstLayerLacksAreNoOthers() throws IOException {
    Path table = Files.createTempDirectory(folder, "layers");
    for (int file = 0; file < 2; file++) {
      int layer = file;
      Tables.write(
          table.resolve("part-%d.parquet".formatted(file)),
          KEYS + (layer > 0 ? " required int32 token_ids;" : ""),
          2,
          (row, i) -> {
            row.append("example", (long) i).append("layer", layer).append("token", 0);
            Tables.list(row, "embedding", i, 2);
            if (layer > 0) {
              row.append("token_ids", 7);
            }
          });
    }
    assertThat(digestOf(table)).contains("examples=2 layers=0,1");
    assertThat(warnings(table)).contains("part-0.parquet has no column token_ids");
  }

  @Test
  void theSmallestIntegerIsNoNull() throws IOException {
    String fields = "required int32 example; required int64 %s;";
    Path kept =
        pairs(
            fields.formatted("hash"),
            (row, i) -> row.append("example", i).append("hash", Long.MIN_VALUE + i));
    Path out = convert(kept, "hashes", "npy", LAYER);
    assertThat(Cli.run("cat", out, "--sample-metadata", "--example=0").succeeds().text())
        .contains("-9223372036854775808");
    Path label =
        pairs(
            fields.formatted("label"),
            (row, i) -> row.append("example", i).append("label", Long.MIN_VALUE));
    Cli.run("digest", label, LAYER)
        .failsWithText("column \"label\" has the integer -9223372036854775808");
  }

  /** As DuckDB writes rows: with other encodings, and without the metadata. */
}
