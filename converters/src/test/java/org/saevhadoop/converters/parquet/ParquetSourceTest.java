package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.parquet.ParquetFormat;
import org.saevhadoop.format.parquet.file.ParquetError;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.StreamAccess;

/** Columns of vectors in Parquet files are read as arrays of the same values are. */
class ParquetSourceTest {
  @TempDir Path folder;

  private Path vectors() throws IOException {
    for (int file = 0; file < 2; file++) {
      int first = file * 300;
      Tables.write(
          folder.resolve("table/part-%d.parquet".formatted(file)),
          Tables.LIST + " required int64 label; optional binary text (STRING);",
          300,
          (row, i) -> {
            Tables.list(row, "embedding", first + i, 5);
            row.add("label", (long) i % 7);
            row.add("text", "row " + i);
          },
          builder -> builder.withRowGroupSize(2000L).withMinRowCountForPageSizeCheck(1));
    }
    Files.writeString(folder.resolve("table/_SUCCESS"), "");
    return folder.resolve("table");
  }

  /** The same values in a file that is read in place. */
  private Path arrays(String name, long... shape) throws IOException {
    int count = 1;
    for (long size : shape) {
      count *= (int) size;
    }
    float[] values = new float[count];
    int dim = (int) shape[shape.length - 1];
    int row = count / (int) shape[0];
    for (int i = 0; i < count; i++) {
      values[i] = shape.length == 2 ? i / dim + i % dim : i / row * 100 + i % row;
    }
    Path file = folder.resolve(name);
    List<Long> sizes = java.util.stream.LongStream.of(shape).boxed().toList();
    NaiveTensors.write(
        file,
        new LinkedHashMap<>(
            Map.of("embedding", Found.of("F32", sizes, NaiveTensors.floats(values)))));
    return file;
  }

  private static String digest(Object... source) {
    return Cli.run("digest", source).succeeds().text();
  }

  @Test
  void rowsOfAllFilesAreTheExamples() throws IOException {
    Path source = vectors();
    String expected = digest(arrays("a.safetensors", 600, 5), "--tensor=embedding=example,dim");
    assertThat(expected).contains("examples=600 layers=0 tokens=1 dim=5");
    assertThat(digest(source, "--tensor=embedding=example,dim")).isEqualTo(expected);
    assertThat(digest(source)).isEqualTo(expected);
    Path one = folder.resolve("table/part-0.parquet");
    assertThat(digest(one))
        .isEqualTo(digest(arrays("b.safetensors", 300, 5), "--tensor=embedding=example,dim"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"saev", "npy", "safetensors"})
  void aTableIsConverted(String format) throws IOException {
    Path source = vectors();
    Path out = folder.resolve("out");
    Cli cli = Cli.convert(source, out, format, "--family=f", "--ckpt=c", "--verify").succeeds();
    assertThat(cli.stderr()).doesNotContain("not kept");
    assertThat(digest(out)).isEqualTo(digest(source));
    assertThat(
            Cli.run("cat", cli.lastLinePath(), "--sample-metadata", "--example=301")
                .succeeds()
                .text())
        .contains("\"text\": \"row 1\"");
  }

  @Test
  void everyVerbReadsATable() throws IOException {
    Path source = vectors();
    JsonNode report = Cli.run("inspect", source, "--json").succeeds().json();
    assertThat(report.get("format").asText()).isEqualTo("parquet");
    assertThat(report.get("examples").asInt()).isEqualTo(600);
    assertThat(report.get("dim").asInt()).isEqualTo(5);
    assertThat(Cli.run("verify", source).succeeds().text()).contains("600 vectors");
    Path shuffled = folder.resolve("shuffled");
    Cli.run("shuffle", source, shuffled, "--seed=1", "--to=npy", "--unit=example").succeeds();
    assertThat(digest(shuffled)).contains("examples=600 layers=0 tokens=1 dim=5");
    assertThat(Cli.run("cat", source, "--example=301").succeeds().text()).contains("305");
  }

  @Test
  void listsOfListsAreTokens() throws IOException {
    Path file = folder.resolve("tokens.parquet");
    Tables.write(file, Tables.LISTS, 40, (row, i) -> Tables.lists(row, "embedding", i * 100, 3, 4));
    String expected =
        digest(arrays("a.safetensors", 40, 3, 4), "--tensor=embedding=example,token,dim");
    assertThat(expected).contains("examples=40 layers=0 tokens=3 dim=4");
    assertThat(digest(file, "--tensor=embedding=example,token,dim")).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 1})
  void bitsOfBfloat16AreTheVectorOfARow(int dim) throws IOException {
    int bytes = 2 * dim;
    byte[] all = new byte[30 * bytes];
    new Random(1).nextBytes(all);
    Path file =
        Tables.write(
            folder.resolve("bits.parquet"),
            "required fixed_len_byte_array(" + bytes + ") vector;",
            30,
            (row, i) -> row.add("vector", Binary.fromReusedByteArray(all, i * bytes, bytes).copy()),
            builder -> builder.withExtraMetaData(Map.of("saev.vector.type", "BF16")));
    Path arrays = folder.resolve("a.safetensors");
    NaiveTensors.write(arrays, Map.of("vector", Found.of("BF16", List.of(30L, (long) dim), all)));
    assertThat(digest(file))
        .isEqualTo(digest(arrays, "--tensor=vector=example,dim"))
        .contains("examples=30 layers=0 tokens=1 dim=" + dim);
  }

  @Test
  void aNullAndAnotherLengthAreRefusedWithTheRow() throws IOException {
    Path file = folder.resolve("a.parquet");
    Tables.write(
        file, Tables.LIST, 9, (row, i) -> Tables.list(row, "embedding", i, i == 7 ? 3 : 4));
    Cli.run("digest", file)
        .failsWith(ParquetError.UNEQUAL_LENGTHS, file)
        .failsWithText("column \"embedding\" has a list of 3 elements in row 7, after lists of 4");
    Path nulls = folder.resolve("b.parquet");
    Tables.write(
        nulls,
        Tables.LIST,
        9,
        (row, i) -> {
          if (i != 5) {
            Tables.list(row, "embedding", i, 4);
          }
        });
    Cli.run("digest", nulls)
        .failsWith(ParquetError.MISSING_VALUE, nulls)
        .failsWithText("column \"embedding\" has a null or an empty list in row 5");
    Cli verified = Cli.run("verify", nulls);
    assertThat(verified.exitCode()).isNotZero();
    assertThat(verified.text() + verified.stderr()).contains("an empty list in row 5");
  }

  @Test
  void columnsCanHaveAnotherOrderInEachFile() throws IOException {
    String first = Tables.LIST.replace("embedding", "layer_1") + " required int64 class;";
    String second = Tables.LIST.replace("embedding", "layer_2") + " optional binary text (STRING);";
    for (boolean isSwapped : new boolean[] {false, true}) {
      for (int file = 0; file < 2; file++) {
        int begin = 10 * file;
        Tables.write(
            folder.resolve("%s/part-%d.parquet".formatted(isSwapped, file)),
            isSwapped && file == 1 ? second + " " + first : first + " " + second,
            10,
            (row, i) -> {
              Tables.list(row, "layer_1", begin + i, 3);
              Tables.list(row, "layer_2", 100 + begin + i, 3);
              row.append("class", begin + i + 0L).append("text", "row " + (begin + i));
            });
      }
    }
    assertThat(digest(folder.resolve("true"))).isEqualTo(digest(folder.resolve("false")));
    Cli.run("diff", folder.resolve("true"), folder.resolve("false")).succeeds();
    Object[] cat = {"--sample-metadata", "--example=12"};
    assertThat(Cli.run("cat", folder.resolve("true"), cat).succeeds().text())
        .isEqualTo(Cli.run("cat", folder.resolve("false"), cat).succeeds().text())
        .contains("row 12");
  }

  @Test
  void onlyTheChosenColumnIsRead() throws IOException {
    String other = "optional group x (LIST) { repeated group list { optional float element; } }";
    Path file =
        Tables.write(
            folder.resolve("a.parquet"),
            Tables.LIST + " " + other + " optional int32 gaps;",
            20,
            (row, i) -> {
              Tables.list(row, "embedding", i, 4);
              Tables.list(row, "x", i, i + 1);
              if (i % 2 == 0) {
                row.add("gaps", i);
              }
            });
    assertThat(digest(file, "--tensor=embedding=dim")).contains("examples=20");
    Cli.run("inspect", file).succeeds();
  }

  private static byte[] bytes(int first, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      bytes.putFloat(first + i);
    }
    return bytes.array();
  }

  /** Each row group is more than half of what a task reads at least. */
  @Test
  @Tag("long")
  void tenRowGroupsAreTenTasks() throws IOException {
    int dim = 1 << 18;
    Path file =
        Tables.write(
            folder.resolve("ten.parquet"),
            "required fixed_len_byte_array(%d) embedding;".formatted(dim * Float.BYTES),
            170,
            (row, i) -> row.add("embedding", Binary.fromConstantByteArray(bytes(i, dim))),
            builder ->
                builder
                    .withExtraMetaData(Map.of("saev.vector.type", "F32"))
                    .withRowGroupRowCountLimit(17)
                    .withDictionaryEncoding(false));
    StreamAccess stream = new ParquetFormat().stream().orElseThrow();
    Location location = Location.of(new LocalFolder(folder), "ten.parquet");
    assertThat(stream.parts(location, Settings.NONE))
        .extracting(StreamAccess.Part::firstEntry, StreamAccess.Part::endEntry)
        .containsExactlyElementsOf(
            IntStream.range(0, 10).mapToObj(group -> tuple(group, group + 1)).toList());
    assertThat(digest(file)).contains("examples=170 ").contains("dim=" + dim);
  }

  @Test
  @Tag("long")
  void rowGroupsOfALargeFileAreStagedByThemselves() throws IOException {
    int rows = 12_000;
    Path file =
        Tables.write(
            folder.resolve("large.parquet"),
            Tables.LIST,
            rows,
            (row, i) -> Tables.list(row, "embedding", i, 1024),
            builder -> builder.withRowGroupSize(8L << 20).withDictionaryEncoding(false));
    assertThat(Files.size(file)).isGreaterThan(40 << 20);
    assertThat(digest(file))
        .isEqualTo(digest(arrays("a.safetensors", rows, 1024), "--tensor=embedding=example,dim"));
  }

  @Test
  void rowsThatColumnsPlaceAreNotTakenForExamples() throws IOException {
    Path file =
        Tables.write(
            folder.resolve("rows.parquet"),
            "required int64 example; required int32 layer; required int32 token; " + Tables.LIST,
            12,
            (row, i) -> {
              row.add("example", (long) i / 2);
              row.add("layer", i % 2);
              row.add("token", 0);
              Tables.list(row, "embedding", i, 4);
            });
    Cli.run("digest", file).failsWith(ArrayError.AMBIGUOUS, file);
    assertThat(digest(file, "--tensor=embedding=example,dim")).contains("examples=12 layers=0");
  }

  @Test
  void foldersOfLayersAreRead() throws IOException {
    for (int layer : List.of(3, 7)) {
      for (int shard = 0; shard < 2; shard++) {
        int first = layer * 100 + shard * 10;
        Tables.write(
            folder.resolve("t/layer=%d/part-%d.parquet".formatted(layer, shard)),
            Tables.LIST,
            10,
            (row, i) -> Tables.list(row, "embedding", first + i, 4));
      }
    }
    String tensor = "--tensor=embedding=example,dim";
    String files = "--files=layer={layer}/part-{shard}.parquet";
    assertThat(digest(folder.resolve("t"), files, tensor))
        .containsPattern("examples=20 layers=3.7 tokens=1 dim=4");
    String vector =
        Cli.run("cat", folder.resolve("t"), files, tensor, "--example=15", "--layer=7")
            .succeeds()
            .text();
    assertThat(vector).contains("715").contains("718");
  }

  @Test
  void textsAreNoVectors() throws IOException {
    Path file = folder.resolve("texts.parquet");
    Tables.write(
        file,
        Tables.LIST + "required binary text (STRING); required binary data;",
        3,
        (row, i) -> {
          Tables.list(row, "embedding", i, 3);
          row.add("text", "row " + i);
          row.add("data", "12345678");
        });
    Cli.run("digest", file, "--tensor=text=dim").failsWithText("column \"text\" holds texts");
    Cli.run("digest", file, "--tensor=data=dim").failsWithText("has no array [data]");
    assertThat(digest(file, "--tensor=embedding=dim")).contains("examples=3");
  }

  @Test
  void aMaskThatCannotBeReadIsNotLeftOut() throws IOException {
    for (String type :
        List.of("optional int32 attention_mask;", "optional binary mask (STRING);")) {
      boolean isText = type.contains("binary");
      Path file = folder.resolve("masked-%s/x.parquet".formatted(isText));
      Tables.write(
          file,
          Tables.LIST + type,
          4,
          (row, i) -> {
            Tables.list(row, "embedding", i, 3);
            if (isText) {
              row.add("mask", "yes");
            } else if (i != 2) {
              row.add("attention_mask", 1);
            }
          });
      Cli.run("digest", file).failsWithText("mask", isText ? "not an integer mask" : "row 2");
      assertThat(digest(file, "--no-sample-metadata")).contains("examples=4");
    }
  }

  /** Spark, whose names have no case, cannot read such a file. */
  @Test
  void namesThatDifferInCaseAreDifferentColumns() throws IOException {
    Path file = folder.resolve("case/x.parquet");
    Tables.write(
        file,
        Tables.LIST.replace("embedding", "Embedding")
            + " required int64 Token_ids; required int64 token_ids; "
            + Tables.LIST,
        3,
        (row, i) -> {
          Tables.list(row, "Embedding", 100 + i, 2);
          Tables.list(row, "embedding", i, 2);
          row.append("Token_ids", 70L + i).append("token_ids", 40L + i);
        });
    for (String name : List.of("embedding", "Embedding")) {
      Path out = folder.resolve(name + "-out");
      Cli.convert(file, out, "npy", "--tensor=" + name + "=dim").succeeds();
      assertThat(Cli.run("cat", out, "--example=1").text())
          .contains(name.equals("embedding") ? "1.0" : "101.0");
      assertThat(Cli.run("cat", out, "--sample-metadata", "--example=1").text())
          .contains("\"token_ids\": [41]", "\"Token_ids\": [71]");
    }
    Cli.run("digest", file).failsWithText("Embedding", "--tensor");
  }

  /** Spark writes one for the first partition, even if it is empty. */
  @Test
  void aFileWithoutRowsHasNoExamples() throws IOException {
    Path source = vectors();
    Files.move(source.resolve("part-0.parquet"), source.resolve("part-2.parquet"));
    String expected = digest(source);
    Tables.write(source.resolve("part-0.parquet"), Tables.LIST, 0, (row, i) -> {});
    Tables.write(source.resolve("part-9.parquet"), Tables.LIST, 0, (row, i) -> {});
    assertThat(digest(source)).isEqualTo(expected);
    assertThat(Cli.run("inspect", source).succeeds().text()).contains("saev-hadoop convert");
    Cli.assertSound(source);
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Tables.write(empty.resolve("part-0.parquet"), Tables.LIST, 0, (row, i) -> {});
    Cli.run("digest", empty).failsWithText("has no rows");
  }
}
