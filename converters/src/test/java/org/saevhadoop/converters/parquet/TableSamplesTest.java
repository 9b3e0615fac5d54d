package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;

/** Columns of texts and numbers in tables become the sample metadata of examples. */
class TableSamplesTest extends ConvertedDatasets {
  private static final String SCALARS =
      " optional binary text (STRING); optional int32 rank; required double score;"
          + " optional float loss; required boolean ok; required int64 id (INTEGER(64,false));"
          + " required int32 small (INTEGER(8,true)); required binary bytes; ";

  private static void fill(Group row, int i) {
    if (i % 3 > 0) {
      row.add("text", "row " + i + " \"\u00e9\u4e16\"" + "x".repeat(i % 40));
      row.add("rank", -i);
    }
    row.append("score", i / 4.0).append("ok", i % 2 == 0).append("id", -1L - i);
    row.append("loss", i == 1 ? Float.NaN : i * 0.5f).append("small", -(i % 100));
    row.add("bytes", "b");
  }

  private static String line(int i) {
    String text =
        i % 3 > 0 ? "\"row " + i + " \\\"\u00e9\u4e16\\\"" + "x".repeat(i % 40) + "\"" : "null";
    return "{\"text\": %s, \"rank\": %s, \"score\": %s, \"loss\": %s, \"ok\": %s, \"id\": %s, \"small\": %d}"
        .formatted(
            text,
            i % 3 > 0 ? -i : "null",
            i / 4.0,
            i == 1 ? "\"NaN\"" : i * 0.5f,
            i % 2 == 0,
            Long.toUnsignedString(-1L - i),
            -(i % 100));
  }

  private Path table(int files, int rows, UnaryOperator<ExampleParquetWriter.Builder> options)
      throws IOException {
    for (int file = 0; file < files; file++) {
      int first = file * rows;
      Tables.write(
          folder.resolve("table/part-%d.parquet".formatted(file)),
          Tables.LISTS + SCALARS,
          rows,
          (row, i) -> {
            Tables.lists(row, "embedding", first + i, 2, 3);
            fill(row, first + i);
          },
          options);
    }
    return folder.resolve("table");
  }

  private static List<String> samples(Object dataset, Object... options) {
    return Cli.run("cat", dataset, "--sample-metadata", options).succeeds().text().lines().toList();
  }

  @ParameterizedTest
  @CsvSource({"1_0, true", "1_0, false", "2_0, true", "2_0, false"})
  void scalarsOfRowsAreSampleMetadata(String version, boolean isIndexed) throws IOException {
    WriterVersion writer =
        version.equals("1_0") ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
    Path table =
        table(
            2,
            300,
            builder ->
                builder
                    .withWriterVersion(writer)
                    .withDictionaryEncoding(isIndexed)
                    .withPageSize(2000)
                    .withRowGroupSize(9000L)
                    .withMinRowCountForPageSizeCheck(1));
    Cli cli = Cli.convert(table, folder.resolve("out"), "safetensors", "--verify").succeeds();
    assertThat(cli.stderr()).contains("columns that are not kept: bytes (also");
    List<String> found = samples(folder.resolve("out"));
    assertThat(found).hasSize(600);
    for (int i = 0; i < 600; i++) {
      assertThat(found.get(i)).contains("\"example\": " + i + ",").contains(line(i));
    }
    assertThat(samples(table, "--example=417")).hasSize(1).first().asString().contains(line(417));
    Cli.assertSound(table);
  }

  @ParameterizedTest
  @CsvSource({"0, int64", "1, int64", "0, double", "1, double", "0, boolean", "1, boolean"})
  void integersThatOneFileHasWithANullAreSampleMetadataOfAllFiles(int withNull, String type)
      throws IOException {
    for (int file = 0; file < 2; file++) {
      int first = 3 * file;
      boolean hasNull = file == withNull;
      boolean isBoolean = type.equals("boolean");
      boolean isFloat = hasNull && type.equals("double"); // as pandas writes such integers
      Tables.write(
          folder.resolve("table/part-%d.parquet".formatted(file)),
          Tables.LIST + " optional %s rank;".formatted(isFloat || isBoolean ? type : "int64"),
          3,
          (row, i) -> {
            Tables.list(row, "embedding", first + i, 4);
            if (isFloat) {
              row.add("rank", i == 1 ? Double.NaN : 10.0 + first + i);
            } else if (isBoolean && (!hasNull || i != 1)) {
              row.add("rank", i == 0);
            } else if (!hasNull || i != 1) {
              row.add("rank", 10L + first + i);
            }
          });
    }
    Path table = folder.resolve("table");
    Path out = folder.resolve("out");
    Cli cli = Cli.convert(table, out, "npy", "--verify").succeeds();
    assertThat(cli.stderr()).doesNotContain("rank");
    assertThat(out.resolve("rank.npy")).doesNotExist();
    List<String> found = samples(out);
    assertThat(found).hasSize(6).isEqualTo(samples(table));
    String missing = type.equals("double") ? "\"NaN\"" : "null";
    for (int i = 0; i < 6; i++) {
      Object value = type.equals("boolean") ? i % 3 == 0 : 10 + i;
      assertThat(found.get(i))
          .contains("\"rank\": " + (i == 1 + 3 * withNull ? missing : value.toString()));
    }
    Cli.assertSound(table);
  }

  /** Writes two files; the second has a null, or all values are present. */
  private Path twoFiles(String type, String other, boolean hasNull) throws IOException {
    for (int file = 0; file < 2; file++) {
      String own = file == 0 ? type : other;
      int last = file == 1 && hasNull ? 2 : 3;
      Tables.write(
          folder.resolve("two/part-%d.parquet".formatted(file)),
          Tables.LIST + " optional %s rank;".formatted(own),
          3,
          (row, i) -> {
            Tables.list(row, "embedding", i, 4);
            if (i < last && own.equals("boolean")) {
              row.add("rank", i == 0);
            } else if (i < last && own.equals("int64")) {
              row.add("rank", (long) i);
            }
          });
    }
    return folder.resolve("two");
  }

  @ParameterizedTest
  @ValueSource(strings = {"int64", "boolean"})
  void integersAndBooleansWithoutNullsBelongToTheTokensOfAllFiles(String type) throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(twoFiles(type, type, false), out, "npy").succeeds();
    assertThat(out.resolve("rank.npy")).exists();
  }

  @Test
  void aFileWithoutRowsDoesNotDecideHowOthersAreRead() throws IOException {
    Path two = twoFiles("int64", "binary", false);
    Tables.leaveEmptyGroup(two.resolve("part-1.parquet"));
    Path out = folder.resolve("out");
    Cli.convert(two, out, "npy").succeeds();
    assertThat(out.resolve("rank.npy")).exists();
  }

  @Test
  void whereRowsAreNoExamplesANullInOneFileDoesNotRemoveTheIntegersOfOthers() throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(twoFiles("int64", "int64", true), out, "npy", "--tokens-per-example=3").succeeds();
    assertThat(out.resolve("rank.npy")).exists();
  }

  @Test
  void aColumnThatOneFileHasWithoutReadableValuesIsSampleMetadataOfOthers() throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(twoFiles("int64", "binary", false), out, "npy").succeeds();
    assertThat(out.resolve("rank.npy")).doesNotExist();
    assertThat(samples(out)).first().asString().contains("\"rank\": 0");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTextThatIsNotUtf8IsRefused(boolean isIndexed) throws IOException {
    for (String last : List.of("\ufffd", "\u00ff")) {
      Binary text = Binary.fromConstantByteArray(last.getBytes(StandardCharsets.ISO_8859_1));
      Path table =
          Tables.write(
              folder.resolve(last.codePointAt(0) + ".parquet"),
              Tables.LISTS + "required binary text (STRING); ",
              5,
              (row, i) -> {
                Tables.lists(row, "embedding", i, 2, 3);
                row.add(
                    "text", i == 4 && last.equals("\u00ff") ? text : Binary.fromString("\ufffd"));
              },
              builder -> builder.withDictionaryEncoding(isIndexed));
      Cli cli = Cli.convert(table, folder.resolve("out" + last.codePointAt(0)), "npy");
      if (last.equals("\ufffd")) {
        cli.succeeds();
      } else {
        cli.failsWithText(
            table.toString(), "column \"text\" has a text that is not UTF-8, in row 4");
      }
    }
  }

  @Test
  void theSampleMetadataOfTokensIsThatOfTheirRow() throws IOException {
    Path table =
        table(2, 5, builder -> builder.withRowGroupSize(1L).withMinRowCountForPageSizeCheck(1));
    Path out = convert(table, "out", "npy --ragged flatten --examples 3,10:13");
    List<String> found = samples(out);
    assertThat(found).hasSize(3);
    assertThat(found.get(0)).contains("\"position\": 1").contains(line(1));
    assertThat(found.get(1)).contains("\"count\": 2", "\"position\": 0").contains(line(5));
    assertThat(found.get(2)).contains("\"position\": 0").contains(line(6));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theFirstFileDecidesWhetherThereIsSampleMetadata(int with) throws IOException {
    Path table = folder.resolve("table");
    Tables.texts(table.resolve("part-%d.parquet".formatted(with)), 2);
    Tables.write(
        table.resolve("part-%d.parquet".formatted(1 - with)),
        Tables.LIST,
        2,
        (row, i) -> Tables.list(row, "embedding", i, 3));
    String warning = "part-1.parquet: has columns of sample metadata, which the first file lacks";
    Cli cli = Cli.convert(table, folder.resolve("out"), "npy").succeeds();
    if (with == 0) {
      assertThat(cli.stderr()).doesNotContain("sample metadata");
      assertThat(samples(folder.resolve("out"))).hasSize(2);
    } else {
      assertThat(cli.stderr()).contains(warning);
      assertThat(Cli.run("inspect", table).succeeds().text()).contains(warning);
    }
  }

  @Test
  void sampleMetadataIsLeftOut() throws IOException {
    Path table = table(1, 4, builder -> builder);
    Path out = convert(table, "out", "npy --no-sample-metadata");
    assertThat(files(out)).noneMatch(file -> file.endsWith(".examples.jsonl.gz"));
  }

  @Test
  void fieldsOfSampleMetadataAreListed() throws IOException {
    JsonNode json = Cli.run("inspect", table(2, 4, own -> own), "--json").succeeds().json();
    assertThat(json.get("sample_metadata").asBoolean()).isTrue();
    assertThat(json.get("labels").asBoolean()).isFalse();
    assertThat(json.get("sample_fields"))
        .extracting(JsonNode::asText)
        .containsExactly("text", "rank", "score", "loss", "ok", "id", "small");
    JsonNode without =
        Cli.run("inspect", folder.resolve("table"), "--no-sample-metadata", "--json").json();
    assertThat(without.get("sample_metadata").asBoolean()).isFalse();
    assertThat(without.has("sample_fields")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "score"})
  void aDamagedPageOfAColumnIsFound(String column) throws IOException {
    Path file = table(1, 40, own -> own.withDictionaryEncoding(false)).resolve("part-0.parquet");
    Cli.run("verify", file).succeeds();
    byte[] stored =
        column.equals("text")
            ? "row 1 ".getBytes(StandardCharsets.UTF_8)
            : ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(39 / 4.0).array();
    Fixtures.flip(file, stored);
    assertThat(Cli.problems(file)).contains("its CRC is").hasLineCount(1);
  }

  /** Otherwise integers of a row are those of its only token. */
  @Test
  void integersWithNullsAreSampleMetadata() throws IOException {
    for (boolean hasStatistics : List.of(true, false)) {
      Path file = folder.resolve(hasStatistics + "/x.parquet");
      Tables.write(
          file,
          Tables.LIST + " optional int64 gaps; optional int64 all;",
          50,
          (row, i) -> {
            Tables.list(row, "embedding", i, 3);
            row.add("all", (long) i);
            if (i != 30) {
              row.add("gaps", (long) i);
            }
          },
          builder -> builder.withStatisticsEnabled(hasStatistics));
      Path out = convert(file, "out-" + hasStatistics, "npy");
      assertThat(files(out)).contains("all.npy").doesNotContain("gaps.npy");
      assertThat(samples(out, "--example=30"))
          .first()
          .asString()
          .contains("{\"gaps\": null, \"tokens\": {\"all\": [30]}}");
      assertThat(samples(out, "--example=31"))
          .first()
          .asString()
          .contains("{\"gaps\": 31, \"tokens\": {\"all\": [31]}}");
    }
  }

  @Test
  void tokenIdsWithANullAreRefusedWithTheRow() throws IOException {
    Path file = folder.resolve("x.parquet");
    Tables.write(
        file,
        Tables.LIST + " optional int64 token_ids;",
        9,
        (row, i) -> {
          Tables.list(row, "embedding", i, 3);
          if (i != 7) {
            row.add("token_ids", (long) i);
          }
        });
    Cli.run("digest", file).failsWithText("token_ids", "row 7");
  }

  @Test
  void rowsThatAreTokensHaveNoSampleMetadata() throws IOException {
    Path file = folder.resolve("x.parquet");
    Tables.write(
        file,
        Tables.LIST + " optional binary text (STRING);",
        8,
        (row, i) -> {
          Tables.list(row, "embedding", i, 3);
          row.add("text", "t" + i);
        });
    Cli cli = Cli.convert(file, folder.resolve("a"), "npy", "--tokens-per-example=4").succeeds();
    assertThat(cli.stderr()).contains("columns that are not kept: text");
    assertThat(files(folder.resolve("a"))).noneMatch(name -> name.endsWith(".gz"));
  }
}
