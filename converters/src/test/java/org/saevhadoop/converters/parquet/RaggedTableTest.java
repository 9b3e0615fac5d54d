package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.parquet.file.ParquetError;

/** Tables whose rows are examples of different numbers of tokens. */
class RaggedTableTest extends ConvertedDatasets {
  private static final int DIM = 3;
  private static final int[] TOKENS = {2, 2, 5, 1, 4, 4, 4, 2, 3, 3};

  /** Writes two files of row groups of a few rows. */
  private Path table() throws IOException {
    int half = TOKENS.length / 2;
    for (int file = 0; file < 2; file++) {
      int first = file * half;
      Tables.write(
          folder.resolve("table/part-%d.parquet".formatted(file)),
          Tables.LISTS
              + " required group token_ids (LIST) { repeated group list { required int64 element; } }"
              + " required binary text (STRING);",
          half,
          (row, i) -> {
            int example = first + i;
            Tables.lists(row, "embedding", example * 100, TOKENS[example], DIM);
            Group ids = row.addGroup("token_ids");
            for (int token = 0; token < TOKENS[example]; token++) {
              ids.addGroup("list").add("element", example * 10L + token);
            }
            row.add("text", "row " + example);
          },
          builder ->
              builder
                  .withRowGroupSize(150L)
                  .withPageSize(64)
                  .withMinRowCountForPageSizeCheck(1)
                  .withDictionaryEncoding(false));
    }
    return folder.resolve("table");
  }

  /** Returns the digest of the vectors of examples with their first tokens, padded with zeros. */
  private String expected(int tokens) throws IOException {
    float[] values = new float[TOKENS.length * tokens * DIM];
    for (int example = 0; example < TOKENS.length; example++) {
      for (int i = 0; i < Math.min(tokens, TOKENS[example]) * DIM; i++) {
        values[example * tokens * DIM + i] = example * 100 + i;
      }
    }
    return expected(values, TOKENS.length, tokens);
  }

  private String expected(float[] values, long examples, long tokens) throws IOException {
    Path file = folder.resolve("expected.safetensors");
    NaiveTensors.write(
        file,
        Map.of(
            "x",
            Found.of("F32", List.of(examples, tokens, (long) DIM), NaiveTensors.floats(values))));
    return Cli.run("digest", file, "--tensor=x=example,token,dim").succeeds().text();
  }

  private static String digestOf(Path table, String ragged, Object... options) {
    return Cli.run("digest", table, "--ragged=" + ragged, options).succeeds().text();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--tensor=embedding=token,dim"})
  void rowsOfDifferentLengthsAreRaggedExamples(String tensor) throws IOException {
    Path table = table();
    Object[] options = tensor.isEmpty() ? new Object[0] : new Object[] {tensor};
    assertThat(digestOf(table, "pad:5", options)).isEqualTo(expected(5));
    assertThat(digestOf(table, "truncate:1", options)).isEqualTo(expected(1));
    int all = Arrays.stream(TOKENS).sum();
    float[] flat = new float[all * DIM];
    for (int example = 0, at = 0; example < TOKENS.length; example++) {
      for (int i = 0; i < TOKENS[example] * DIM; i++) {
        flat[at++] = example * 100 + i;
      }
    }
    assertThat(digestOf(table, "flatten", options)).isEqualTo(expected(flat, all, 1));
  }

  @Test
  void anEmptyRowGroupDoesNotHideTheTokensOfTheOthers() throws IOException {
    Path table = table();
    String[] expected = {digestOf(table, "flatten"), digestOf(table, "pad:5")};
    Tables.prependEmptyGroup(table.resolve("part-0.parquet"));
    assertThat(digestOf(table, "flatten")).isEqualTo(expected[0]);
    assertThat(digestOf(table, "pad:5")).isEqualTo(expected[1]);
  }

  @Test
  void tokenIdsAndSampleMetadataAreThoseOfTheRows() throws IOException {
    Path out = convert(table(), "out", "npy --verify --ragged flatten");
    String ids = Cli.run("cat", out, "--sample-metadata", "--example=9").succeeds().text();
    assertThat(ids).contains("\"position\": 0").contains("\"text\": \"row 3\"");
    assertThat(files(out)).contains("token_ids.npy");
    Path padded = convert(folder.resolve("table"), "padded", "saev --ragged pad:5");
    assertThat(Cli.run("cat", padded, "--sample-metadata", "--example=3").succeeds().text())
        .contains("\"token_ids\": [30, -1, -1, -1, -1]", "\"text\": \"row 3\"");
  }

  @Test
  void tokenIdsOfAnotherLengthAreRefused() throws IOException {
    Path file = folder.resolve("x.parquet");
    Tables.write(
        file,
        Tables.LISTS
            + " required group token_ids (LIST) { repeated group list { required int64 element; } }",
        4,
        (row, i) -> {
          Tables.lists(row, "embedding", i, i + 1, 2);
          Group ids = row.addGroup("token_ids");
          for (int token = 0; token < (i == 2 ? 2 : i + 1); token++) {
            ids.addGroup("list").add("element", 1L);
          }
        });
    Cli.run("digest", file, "--ragged=flatten")
        .failsWithText("columns \"token_ids\" and \"embedding\" have different numbers of tokens");
    assertThat(digestOf(file, "flatten", "--no-sample-metadata")).contains("examples=10");
  }

  @Test
  void aMaskOfTokensLeavesSomeOut() throws IOException {
    Path file = folder.resolve("x.parquet");
    Tables.write(
        file,
        Tables.LISTS
            + " required group mask (LIST) { repeated group list { required int32 element; } }",
        6,
        (row, i) -> {
          Tables.lists(row, "embedding", i, i + 2, 2);
          Group mask = row.addGroup("mask");
          for (int token = 0; token < i + 2; token++) {
            mask.addGroup("list").add("element", token == 0 ? 0 : 1);
          }
        });
    assertThat(digestOf(file, "flatten")).contains("examples=21");
  }

  /** As of .npy files of shape [0, dim]: they have no vectors, or are all padding. */
  @ParameterizedTest
  @CsvSource({"0 2 0 0 3 1 0, PARQUET_1_0", "0 0 2 5 0, PARQUET_2_0", "4 0, PARQUET_1_0"})
  void rowsWithoutTokensAreExamplesWithoutVectors(String tokens, WriterVersion version)
      throws IOException {
    int[] lengths = Arrays.stream(tokens.split(" ")).mapToInt(Integer::parseInt).toArray();
    Path file = folder.resolve("x.parquet");
    Tables.write(
        file,
        Tables.LISTS
            + " required group token_ids (LIST) { repeated group list { required int64 element; } }"
            + " required binary text (STRING);",
        lengths.length,
        (row, i) -> {
          Tables.lists(row, "embedding", 100 * i, lengths[i], DIM);
          Group ids = row.addGroup("token_ids");
          for (int token = 0; token < lengths[i]; token++) {
            ids.addGroup("list").add("element", i * 10L + token);
          }
          row.add("text", "row " + i);
        },
        builder ->
            builder
                .withWriterVersion(version)
                .withRowGroupSize(150L)
                .withPageSize(64)
                .withMinRowCountForPageSizeCheck(1));
    int all = Arrays.stream(lengths).sum();
    float[] flat = new float[all * DIM];
    float[] padded = new float[lengths.length * 5 * DIM];
    for (int example = 0, at = 0; example < lengths.length; example++) {
      for (int i = 0; i < lengths[example] * DIM; i++) {
        flat[at++] = example * 100 + i;
        padded[example * 5 * DIM + i] = example * 100 + i;
      }
    }
    assertThat(digestOf(file, "flatten")).isEqualTo(expected(flat, all, 1));
    assertThat(digestOf(file, "pad:5")).isEqualTo(expected(padded, lengths.length, 5));
    Path out = convert(file, "out", "npy --verify --ragged flatten");
    int last = Integer.parseInt(tokens.replaceAll("( 0)*$", "").replaceAll(".* ", ""));
    int row = tokens.replaceAll("( 0)*$", "").split(" ").length - 1;
    assertThat(
            Cli.run("cat", out, "--sample-metadata", "--example=" + (all - last)).succeeds().text())
        .contains("\"text\": \"row " + row + "\"");
    Cli.run("digest", file, "--ragged=truncate:1").failsWithText("0 tokens");
  }

  @Test
  void aNullIsNoRowWithoutTokens() throws IOException {
    Path file = folder.resolve("x.parquet");
    Tables.write(
        file,
        Tables.LISTS,
        6,
        (row, i) -> {
          if (i < 4) {
            Tables.lists(row, "embedding", i, i == 2 ? 0 : i + 1, 2);
          }
        });
    for (String ragged : List.of("flatten", "pad:4")) {
      Cli.run("digest", file, "--ragged=" + ragged)
          .failsWithText(ParquetError.MISSING_VALUE, "null or an empty list in row 4");
    }
    Path empty =
        Tables.write(
            folder.resolve("empty.parquet"),
            Tables.LISTS,
            3,
            (row, i) -> Tables.lists(row, "embedding", i, 0, 2));
    Cli.run("digest", empty, "--ragged=flatten")
        .failsWithText(ParquetError.MISSING_VALUE, "column embedding has only empty lists");
  }

  @Test
  void theyAreRefusedWithoutTheOption() throws IOException {
    Path table = table();
    Cli.run("digest", table).failsWithText("--ragged flatten");
    Cli.run("digest", table.resolve("part-0.parquet"))
        .failsWithText(ParquetError.UNEQUAL_LENGTHS, "in row 2, after lists of 2", "--ragged");
    Cli.run("inspect", table, "--ragged=pad:5").succeeds();
  }
}
