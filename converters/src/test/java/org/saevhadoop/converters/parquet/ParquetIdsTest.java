package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;

/** Ids of examples in the column {@code id}. */
class ParquetIdsTest extends ConvertedDatasets {
  private static final Path SAEV = Fixtures.saev("shards/64988989");
  private static final String KV = "safetensors --kv";

  private static String schema(Path dataset) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(new LocalInputFile(dataset.resolve("part-00000.parquet")))) {
      return reader.getFileMetaData().getSchema().toString();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " --codec gzip --max-parquet-bytes 1500", " --vector-type bits"})
  void idsComeBack(String options) throws IOException {
    Path part = convert(convert(SAEV, "kv", KV), "part", KV + " --examples 3:");
    Path parquet = convert(part, "parquet", "parquet --verify" + options);
    assertThat(schema(parquet)).contains("required binary id (STRING);");
    Cli.assertSound(parquet);
    assertSameFiles(convert(parquet, "back", KV + " --verify"), part);
    assertThat(Cli.convert(parquet, folder.resolve("npy"), "npy").succeeds().stderr())
        .contains("the ids of the examples are not kept");
  }

  @Test
  void idsAreAnyTexts() throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (String id : List.of("a \"b\"", "\u00fc/\u6f22", "z".repeat(3000))) {
      tensors.put(id + "__layer_3", Found.of("F32", List.of(2L, 1L), new byte[8]));
    }
    Path source = folder.resolve("source.safetensors");
    NaiveTensors.write(source, tensors);
    Path part = convert(source, "part", KV);
    Path parquet = convert(part, "parquet", "parquet");
    assertSameFiles(convert(parquet, "back", KV), part);
    Path selected = convert(parquet, "selected", "parquet --examples 2,0");
    Path own = convert(selected, "own", KV + " --examples 1");
    assertThat(files(own)).hasSameSizeAs(files(part));
    Path first = convert(part, "first", KV + " --examples 0");
    assertThat(digest(own)).isEqualTo(digest(first));
  }

  @Test
  void keysInAnotherOrderThanTheIdsAreVerified() throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (String id : List.of("b", "a", "10")) {
      byte[] vector = {id.getBytes(StandardCharsets.US_ASCII)[0], 0, 0, 63};
      tensors.put(id + "__layer_3", Found.of("F32", List.of(1L, 1L), vector));
    }
    Path source = folder.resolve("source.safetensors");
    NaiveTensors.write(source, tensors);
    Path parquet = convert(source, "parquet", "parquet");
    Path keys = convert(parquet, "keys", KV + " --verify");
    NaiveTensors.assertSame(NaiveTensors.keys(keys), tensors);
  }

  @Test
  void keysOfSeveralDatasetsAreReportedAsJson() throws IOException {
    List<Path> tables = new ArrayList<>();
    for (String id : List.of("a", "b")) {
      Path source = folder.resolve(id + ".safetensors");
      Found vector = Found.of("F32", List.of(1L, 1L), new byte[4]);
      NaiveTensors.write(source, Map.of(id + "0__layer_3", vector, id + "1__layer_3", vector));
      tables.add(convert(source, "table-" + id, "parquet"));
    }
    String with = KV + " --json --with " + tables.get(1);
    assertThat(
            Cli.convert(tables.get(0), folder.resolve("all"), with).succeeds().json().get("files"))
        .hasToString("1");
  }

  @Test
  void numbersAreNoIds() throws IOException {
    assertThat(schema(convert(convert(SAEV, "kv", KV), "parquet", "parquet")))
        .doesNotContain(" id ");
  }

  /** Writes an example of two tokens to a file, with an id for each token, or none. */
  private static void example(Path file, int examples, long example, String... ids)
      throws IOException {
    String shape =
        "{\"examples\": %d, \"layers\": [3], \"tokens\": 2, \"patches\": 0, \"dim\": 2,"
            + " \"dtype\": \"F32\"}";
    Map<String, String> metadata =
        Map.of("saev.shape", shape.formatted(examples), "saev.vector.type", "F32");
    Tables.write(
        file,
        "required int64 example; required int32 layer; required int32 token; "
            + Tables.LIST.replace("embedding", "vector")
            + (ids.length == 0 ? "" : " required binary id (STRING);"),
        2,
        (row, i) -> {
          row.append("example", example).append("layer", 3).append("token", i);
          Tables.list(row, "vector", i, 2);
          if (ids.length > 0) {
            row.append("id", ids[i]);
          }
        },
        builder -> builder.withExtraMetaData(metadata));
  }

  @Test
  void theRowsOfAnExampleHaveOneId() throws IOException {
    Path same = folder.resolve("same");
    example(same.resolve("0.parquet"), 1, 0, "a", "a");
    Cli.assertSound(same);
    Path other = folder.resolve("other");
    example(other.resolve("0.parquet"), 1, 0, "a", "b");
    Cli.run("digest", other)
        .failsWithText(
            "row 1 differs from the first token of its example in id", "(expected the same)");
    assertThat(Cli.problems(other))
        .contains("row 1 differs from the first token of its example in id");
  }

  @Test
  void allFilesOfADatasetHaveIds() throws IOException {
    Path some = folder.resolve("some");
    example(some.resolve("0.parquet"), 2, 0, "a", "a");
    example(some.resolve("1.parquet"), 2, 1);
    Cli.run("digest", some).failsWithText("1.parquet", "of another dataset");
    example(folder.resolve("all/1.parquet"), 2, 1, "b", "b");
    Files.move(
        folder.resolve("all/1.parquet"),
        some.resolve("1.parquet"),
        StandardCopyOption.REPLACE_EXISTING);
    Cli.assertSound(some);
  }
}
