package org.saevhadoop.converters.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.DatasetError;

/** Conversions to Parquet. */
class ParquetConversionTest {
  /** With labels. */
  private static final Path SAEV = Fixtures.saev("shards/64988989");

  @TempDir Path folder;

  private static FileMetaData footer(Path dataset) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(new LocalInputFile(dataset.resolve("part-00000.parquet")))) {
      return reader.getFileMetaData();
    }
  }

  private static TreeMap<String, Long> files(Path dataset) throws IOException {
    TreeMap<String, Long> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(dataset)) {
      for (Path file : all.toList()) {
        files.put(file.getFileName().toString(), Files.size(file));
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --dtype=bf16 --vector-type=bits | required fixed_len_byte_array(32) vector | BF16
          --dtype=F16 --vector-type=bits  | required fixed_len_byte_array(32) vector | F16
          --vector-type=bits              | required fixed_len_byte_array(64) vector | F32
          --dtype=F64                     | required double element                  | F64
          --codec=gzip                    | required float element                   | F32
          """)
  void vectorsHaveTheTypeThatIsAskedFor(String options, String schema, String type)
      throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(Fixtures.small(), out, "parquet", (Object[]) options.split(" ")).succeeds();
    FileMetaData footer = footer(out);
    assertThat(footer.getSchema().toString()).contains(schema);
    assertThat(footer.getKeyValueMetaData())
        .containsEntry("saev.vector.type", type)
        .containsKey("saev.metadata");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--vector-type=bits",
        "--max-parquet-bytes=1500",
        "--layers=13 --tokens=1:",
        "--dtype=F64",
        "--codec=gzip",
        "--unit=example",
        "--unit=example --vector-type=bits --max-parquet-bytes=3000",
        "--unit=example --dtype=F64 --layers=13"
      })
  void theSizeIsKnownInAdvanceUnlessPagesAreCompressed(String options) throws IOException {
    Path out = folder.resolve("out");
    Object[] more = options.isEmpty() ? new Object[0] : options.split(" ");
    JsonNode plan =
        Cli.convert(SAEV, out, "parquet", more, "--dry-run", "--json").succeeds().json();
    Cli.convert(SAEV, out, "parquet", more).succeeds();
    double bytes = 0;
    for (Map.Entry<String, Long> file : files(out).entrySet()) {
      bytes += file.getKey().startsWith("part-") ? file.getValue() : 0;
    }
    JsonNode written = plan.get("bytes_written");
    assertThat(written.isNull()).isEqualTo(options.contains("gzip"));
    if (!written.isNull()) {
      assertThat(written.doubleValue()).isCloseTo(bytes, withinPercentage(1));
    }
  }

  @Test
  void halvesAreWidenedUnlessTheirBitsAreAskedFor() throws IOException {
    Path halves = folder.resolve("halves");
    Cli.convert(Fixtures.small(), halves, "npy", "--dtype=bf16").succeeds();
    Cli cli = Cli.convert(halves, folder.resolve("list"), "parquet").succeeds();
    assertThat(cli.stderr()).contains("of bfloat16, target").contains("of float32");
    assertThat(footer(folder.resolve("list")).getSchema().toString()).contains("float element");
    Cli.convert(halves, folder.resolve("bits"), "parquet", "--vector-type=bits").succeeds();
    assertThat(footer(folder.resolve("bits")).getKeyValueMetaData())
        .containsEntry("saev.vector.type", "BF16");
    Cli.convert(halves, folder.resolve("no"), "parquet", "--dtype=stored")
        .failsWith(DatasetError.NOT_CONVERTIBLE, halves);
  }

  @Test
  void aDatasetIsReplacedByItsFiles() throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(Fixtures.small(), out, "parquet", "--max-parquet-bytes=4000").succeeds();
    assertThat(files(out)).hasSize(5).containsKeys("part-00003.parquet", "_common_metadata");
    Cli.convert(Fixtures.small(), out, "parquet", "--overwrite").succeeds();
    assertThat(files(out)).containsOnlyKeys("part-00000.parquet", "_common_metadata");
    Files.writeString(out.resolve("notes.txt"), "mine");
    assertThat(Cli.convert(Fixtures.small(), out, "parquet", "--overwrite").exitCode()).isNotZero();
    assertThat(out.resolve("notes.txt")).hasContent("mine");
  }

  @Test
  void theSameBytesAreWrittenByOneTaskAndBySeveral() throws IOException {
    for (String unit : List.of("vector", "example")) {
      Path one = folder.resolve(unit + "1");
      Path several = folder.resolve(unit + "1000000");
      for (Path out : List.of(one, several)) {
        String splits = out.getFileName().toString().substring(unit.length());
        Cli.convert(
                Fixtures.small(),
                out,
                "parquet",
                "--unit=" + unit,
                "--max-parquet-bytes=4000",
                "-Dmapreduce.input.fileinputformat.split.maxsize=" + splits)
            .succeeds();
      }
      for (String file : files(one).keySet()) {
        assertThat(one.resolve(file)).hasSameBinaryContentAs(several.resolve(file));
      }
    }
  }

  @Test
  void sampleMetadataIsAColumn() throws IOException {
    Path out = folder.resolve("out");
    Cli.convert(Fixtures.pickle("spec"), out, "parquet").succeeds();
    assertThat(files(out)).containsOnlyKeys("part-00000.parquet", "_common_metadata");
    assertThat(footer(out).getSchema().toString())
        .contains("optional binary sample (STRING)")
        .contains("optional int64 position");
    Cli.convert(Fixtures.pickle("spec"), folder.resolve("none"), "parquet", "--no-sample-metadata")
        .succeeds();
    assertThat(footer(folder.resolve("none")).getSchema().toString()).doesNotContain("sample");
  }

  @Test
  void theSourceOfAShuffledRowIsAColumn() throws IOException {
    Path out = folder.resolve("out");
    Cli.run(
            "shuffle",
            Fixtures.small(),
            out,
            "--to=parquet",
            "--seed=1",
            "--layers=13",
            "--provenance")
        .succeeds();
    assertThat(footer(out).getSchema().toString())
        .contains("required int64 source_example")
        .contains("required int64 source_token")
        .contains("required int64 source_layer");
  }
}
