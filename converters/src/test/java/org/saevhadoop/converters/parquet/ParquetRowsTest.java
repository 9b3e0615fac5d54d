package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.junit.jupiter.api.Test;
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

  /** As a program leaves them that sorts rows in another way and keeps the metadata. */
  @Test
  void rowGroupsMayBeInAnyOrder() throws IOException {
    Path parquet = parquet("parquet");
    Path file = parquet.resolve("part-00000.parquet");
    Path turned = Files.createDirectory(folder.resolve("turned")).resolve("part-00000.parquet");
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file));
        SeekableInputStream in = new LocalInputFile(file).newStream();
        ParquetFileWriter writer =
            new ParquetFileWriter(
                new LocalOutputFile(turned),
                reader.getFileMetaData().getSchema(),
                ParquetFileWriter.Mode.CREATE,
                1 << 20,
                0,
                null,
                ParquetProperties.builder().build())) {
      List<BlockMetaData> groups = new ArrayList<>(reader.getFooter().getBlocks());
      assertThat(groups).hasSize(2);
      Collections.reverse(groups);
      writer.start();
      for (BlockMetaData group : groups) {
        writer.appendRowGroup(in, group, false);
      }
      writer.end(reader.getFileMetaData().getKeyValueMetaData());
    }
    assertSameFiles(convert(turned.getParent(), "back", "saev"), SAEV);
    Cli.assertSound(turned.getParent());
  }

  /** Writes rows of layer 3, each as example and token, and returns their folder. */
  private Path rows(String shape, long[]... rows) throws IOException {
    Path file = Files.createTempDirectory(folder, "rows").resolve("part-00000.parquet");
    Map<String, String> metadata = Map.of("saev.shape", shape, "saev.vector.type", "F32");
    Tables.write(
        file,
        "required int64 example; required int32 layer; required int32 token; "
            + Tables.LIST.replace("embedding", "vector"),
        rows.length,
        (row, i) -> {
          long[] keys = rows[i];
          row.append("example", keys[0]).append("layer", (int) keys[1]);
          row.append("token", (int) keys[2]);
          Tables.list(row, "vector", keys[0], 2);
        },
        builder -> builder.withExtraMetaData(metadata));
    return file.getParent();
  }

  @Test
  void rowsInAnotherOrderAreRefused() throws IOException {
    String shape =
        "{\"examples\": 2, \"layers\": [3], \"tokens\": 2, \"patches\": 0, \"dim\": 2,"
            + " \"dtype\": \"F32\"}";
    long[][] rows = {{0, 3, 0}, {0, 3, 1}, {1, 3, 0}, {1, 3, 1}};
    assertThat(digest(rows(shape, rows))).contains("examples=2 layers=3 tokens=2 dim=2");
    Object[][] wrong = {
      {1, new long[] {1, 3, 0}, "row 1 has token 0 (expected token 1"},
      {1, new long[] {1, 3, 1}, "row 1 has example 1 (expected example 0"},
      {2, new long[] {0, 3, 0}, "row 2 has example 0 (expected example 1"},
      {3, new long[] {1, 4, 1}, "row 3 has layer 4 (expected layer 3"},
      {3, new long[] {1, 3, 2}, "row 3 has token 2 (expected token 1"},
    };
    for (Object[] change : wrong) {
      long[][] changed = rows.clone();
      changed[(int) change[0]] = (long[]) change[1];
      Path table = rows(shape, changed);
      Cli.run("digest", table).failsWithText((String) change[2], "order of layer, example");
      assertThat(Cli.problems(table)).contains((String) change[2]);
    }
    Cli.run("digest", rows(shape, Arrays.copyOf(rows, 3))).failsWithText("has 3 rows");
    Cli.run("digest", rows(shape, Arrays.copyOf(rows, 2))).failsWithText("has 1 example");
    Cli.run("digest", rows(shape.replace("\"dim\": 2", "\"dim\": 3"), rows))
        .failsWithText("2 elements");
  }

  @Test
  void aLayerThatNoLayerHasIsRefused() throws IOException {
    String shape =
        "{\"examples\": 1, \"layers\": [3], \"tokens\": 1, \"patches\": 0, \"dim\": 2,"
            + " \"dtype\": \"F32\"}";
    for (long layer : new long[] {3, 4, (1L << 32) + 3}) {
      Path table = Files.createTempDirectory(folder, "layer");
      Tables.write(
          table.resolve("x.parquet"),
          "required int64 example; required int64 layer; required int64 token; "
              + Tables.LIST.replace("embedding", "vector"),
          1,
          (row, i) -> {
            row.append("example", 0L).append("layer", layer).append("token", 0L);
            Tables.list(row, "vector", 1, 2);
          },
          builder -> builder.withExtraMetaData(Map.of("saev.shape", shape)));
      if (layer == 3) {
        assertThat(digest(table)).contains("layers=3");
      } else {
        Cli.run("digest", table).failsWithText("x.parquet: ", "layer " + layer);
      }
    }
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
