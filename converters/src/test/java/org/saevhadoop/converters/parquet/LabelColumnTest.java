package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.parquet.file.ParquetError;

/** Columns of tables that users name as labels. */
class LabelColumnTest extends ConvertedDatasets {
  private static final String LABELS = "--label-column=class";
  private static final String PER_TOKEN =
      " required group class (LIST) { repeated group list { optional int64 element; } }";

  private Path write(String name, String fields, int rows, ObjIntConsumer<Group> fill)
      throws IOException {
    Path file = folder.resolve(name).resolve("part-0.parquet");
    return Tables.write(
        file,
        fields,
        rows,
        fill,
        own -> own.withRowGroupSize(1L).withMinRowCountForPageSizeCheck(1));
  }

  private static void labels(Group row, long first, int count) {
    Group list = row.addGroup("class");
    for (int i = 0; i < count; i++) {
      list.addGroup("list").add("element", first + i);
    }
  }

  private static byte[] counted(int... labels) {
    byte[] bytes = new byte[labels.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) labels[i];
    }
    return bytes;
  }

  private Path saev(Path table, String options) {
    return convert(table, "saev", "saev --verify " + LABELS + " " + options);
  }

  @ParameterizedTest
  @CsvSource({
    "required int32 class (INTEGER(8%cfalse))",
    "optional int32 class (INTEGER(16%ctrue))",
    "optional int32 class"
  })
  void rowsThatAreVectorsHaveALabelEach(String column) throws IOException {
    Path table =
        write(
            "table",
            Tables.LIST + column.replace("%c", ",") + "; required int32 other;",
            300,
            (row, i) -> {
              Tables.list(row, "embedding", i, 3);
              row.append("class", i * 7 % 256).append("other", -i);
            });
    byte[] expected = new byte[300];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (byte) (i * 7);
    }
    Path saev = saev(table, "");
    assertThat(saev.resolve("labels.bin")).hasBinaryContent(expected);
    assertThat(Cli.run("inspect", table, LABELS, "--json").json().get("labels").asBoolean())
        .isTrue();
    Path npy = convert(table, "npy", "npy " + LABELS);
    assertThat(files(npy)).contains("labels.npy", "other.npy").doesNotContain("class.npy");
    Cli.run("verify", table, LABELS).succeeds();
    Path part = convert(table, "part", "saev --examples 10:12 " + LABELS);
    assertThat(part.resolve("labels.bin")).hasBinaryContent(counted(70, 77));
  }

  /** Writes rows of several tokens, whose labels begin with 10 times the number of the row. */
  private Path tokens(int... lengths) throws IOException {
    return write(
        "tokens",
        Tables.LISTS + PER_TOKEN,
        lengths.length,
        (row, i) -> {
          Tables.lists(row, "embedding", i, lengths[i], 3);
          labels(row, 10L * i, lengths[i]);
        });
  }

  @Test
  void rowsOfTokensHaveALabelForEach() throws IOException {
    assertThat(saev(tokens(2, 2, 2, 2, 2), "").resolve("labels.bin"))
        .hasBinaryContent(counted(0, 1, 10, 11, 20, 21, 30, 31, 40, 41));
  }

  @Test
  void tokensOfRowsOfDifferentLengthsKeepTheirLabels() throws IOException {
    Path table = tokens(1, 2, 3, 4);
    Path flat = convert(table, "flat", "saev --ragged flatten " + LABELS);
    assertThat(flat.resolve("labels.bin"))
        .hasBinaryContent(counted(0, 10, 11, 20, 21, 22, 30, 31, 32, 33));
    Path cut = convert(table, "cut", "saev --ragged truncate:1 " + LABELS);
    assertThat(cut.resolve("labels.bin")).hasBinaryContent(counted(0, 10, 20, 30));
    Cli.run("digest", table, "--ragged=pad:4", LABELS).failsAsUsage("have no label");
  }

  @Test
  void rowsOfSeveralLayersMayCallThemOtherwise() throws IOException {
    Path table =
        write(
            "table",
            "required int32 layer; required int32 token; required int32 example;"
                + " optional int32 class; optional int32 gaps; required binary label (STRING); "
                + Tables.LIST,
            12,
            (row, i) -> {
              int token = i % 3;
              row.append("layer", i / 6).append("token", token).append("example", i / 3 % 2);
              if (token > 0) {
                row.append("class", i % 6);
              }
              row.append("gaps", 1).append("label", "cat");
              Tables.list(row, "embedding", i, 2);
            });
    Path saev = saev(table, "--layer-column layer");
    assertThat(saev.resolve("labels.bin")).hasBinaryContent(counted(1, 2, 4, 5));
    String layer = "--layer-column=layer";
    Cli.run("digest", table, layer).failsWithText("column \"label\" has texts");
    Cli.run("digest", table, layer, "--label-column=label").failsWithText("has texts");
    Cli.run("digest", table, layer, "--label-column=none")
        .failsWithText("has no integer column \"none\"", "--label-column");
  }

  /** Writes two examples of two layers, with a label in each row, or null. */
  private Path layers(Integer... labels) throws IOException {
    return write(
        "layers" + Arrays.toString(labels),
        "required int32 layer; required int32 example; optional int32 class;" + Tables.LIST,
        labels.length,
        (row, i) -> {
          row.append("layer", i / 2).append("example", i % 2);
          if (labels[i] != null) {
            row.append("class", (int) labels[i]);
          }
          Tables.list(row, "embedding", i, 2);
        });
  }

  @Test
  void labelsOfLayersMustBeComplete() throws IOException {
    String layer = "--layer-column=layer";
    Integer[][] wrong = {{1, 300, 1, 300}, {1, null, 1, null}, {null, null, null, null}};
    String[] texts = {"row 1 has class 300", "has nulls in \"class\"", "has nulls in \"class\""};
    for (int which = 0; which < wrong.length; which++) {
      Path table = layers(wrong[which]);
      Cli.run("digest", table, layer, LABELS).failsWithText(DatasetError.BAD_LABELS, texts[which]);
      Cli.run("digest", table, layer).succeeds();
    }
    Cli.run("digest", layers(0, 1, 2, 3), layer, LABELS, "--no-sample-metadata")
        .failsWithText(ArrayError.DIFFERENT_TOKENS, "class 2 in layer 1 (expected 0");
  }

  @Test
  void aColumnThatIsNoLabelsIsRefused() throws IOException {
    Path table =
        write(
            "table",
            Tables.LIST
                + " required binary text (STRING); optional int32 gaps; required int32 high;"
                + " required float score;",
            6,
            (row, i) -> {
              Tables.list(row, "embedding", i, 2);
              row.append("text", "t").append("high", 252 + i).append("score", 1f);
              if (i != 4) {
                row.append("gaps", i);
              }
            });
    for (String name : new String[] {"none", "text", "score", "embedding"}) {
      Cli.run("digest", table, "--label-column=" + name)
          .failsWithText(ArrayError.NO_MATCH, "has no array " + name);
    }
    Cli.run("digest", table, "--label-column=gaps")
        .failsWithText(ParquetError.MISSING_VALUE, "\"gaps\" has a null", "row 4");
    Path out = folder.resolve("out");
    Cli.convert(table, out, "saev", "--label-column=high")
        .failsWithText(DatasetError.BAD_LABELS, "high has the label 256 for token 0 of example 4");
    assertThat(out).doesNotExist();
  }

  @Test
  void eachTokenMustHaveOne() throws IOException {
    Path rows =
        write(
            "rows",
            Tables.LISTS + " required int32 class;",
            3,
            (row, i) -> {
              Tables.lists(row, "embedding", i, 2, 3);
              row.append("class", i);
            });
    Cli.run("digest", rows, LABELS)
        .failsWithText(ArrayError.BAD_SHAPE, "labels class are I32[3]", "[3, 2]");
    Path some =
        write(
            "some",
            Tables.LISTS + PER_TOKEN,
            3,
            (row, i) -> {
              Tables.lists(row, "embedding", i, 3, 3);
              labels(row, i, 2);
            });
    Cli.run("digest", some, LABELS, "--no-sample-metadata")
        .failsWithText(ArrayError.BAD_SHAPE, "class has the shape [3, 2]");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void everyFileMustHaveThem(int with) throws IOException {
    Path table = folder.resolve("table");
    for (int file = 0; file < 2; file++) {
      boolean has = file == with;
      Tables.write(
          table.resolve("part-%d.parquet".formatted(file)),
          Tables.LIST + (has ? " required int32 class;" : ""),
          2,
          (row, i) -> {
            Tables.list(row, "embedding", i, 2);
            if (has) {
              row.append("class", i);
            }
          });
    }
    Cli.run("digest", table, LABELS)
        .failsWithText("part-%d.parquet".formatted(1 - with), "has no array class");
  }

  @Test
  void datasetsOfConvertStateTheirOwn() throws IOException {
    Path source = Fixtures.saev("shards/64988989");
    Path parquet = convert(source, "parquet", "parquet");
    for (String verb : new String[] {"digest", "inspect", "verify"}) {
      Cli.run(verb, parquet, "--label-column=token").failsAsUsage("--label-column");
    }
    Path rows = convert(parquet, "rows", "npy --tensor vector=dim --label-column token");
    assertThat(Files.readAllBytes(rows.resolve("labels.npy"))).endsWith(counted(7, 8, 9));
  }
}
