package org.saevhadoop.converters.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.testing.Python;

/** Tables of Parquet and Arrow, which programs in Python write and read. */
@Tag("python")
@Tag("sampled")
class PythonTablesIT extends ConvertedDatasets {
  private static final long SEED = Long.getLong("saev.seed", 1);

  private static final Python PYTHON = Python.PYARROW;

  /** Skips the test without pyarrow or the program, in CI as well: Debian has no package of it. */
  private static void require(String program) throws IOException, InterruptedException {
    Assumptions.assumeTrue(PYTHON.has("pyarrow") && PYTHON.has(program), "needs " + program);
  }

  @ParameterizedTest
  @CsvSource({
    "pyarrow, pyarrow, 12, 60",
    "pandas, pandas, 6, 30",
    "polars, polars, 6, 30",
    "pyarrow, ipc, 7, 35",
    "polars, polars_ipc, 3, 15",
    "datasets, datasets, 6, 30"
  })
  void tablesAreReadBitForBit(String program, String how, int sample, int whole)
      throws IOException, InterruptedException {
    require(program);
    read(how, TestExtent.of(sample, whole));
  }

  @Test
  @Tag("long")
  void aRowGroupHasAMillionRows() throws IOException, InterruptedException {
    require("pyarrow");
    read("million", 1);
  }

  /** Converts tables, and compares what is written, unless they must be refused. */
  private void read(String how, int count) throws IOException, InterruptedException {
    List<String> tables = PYTHON.run("write_tables.py", how, folder, SEED, count);
    assertThat(tables).hasSize(count);
    List<Object> converted = new ArrayList<>();
    for (String table : tables) {
      List<String> words = List.of(table.split("\t", -1));
      Path path = Path.of(words.get(0));
      String refusal = words.get(1);
      Path out = folder.resolve("out-" + path.getFileName());
      Cli run = Cli.convert(path, out, "npy", words.subList(2, words.size()));
      if (refusal.isEmpty()) {
        assertThat(run.exitCode()).as("%s: %s", words, run.stderr()).isZero();
        converted.add(out);
        converted.add(path + ".expected");
      } else {
        run.failsWithText(refusal);
      }
    }
    int compared = converted.size() / 2;
    assertThat(compared).isPositive();
    assertThat(PYTHON.output("check_tables.py", converted.toArray())).isEqualTo("" + compared);
  }

  /** Writes a dataset of arrays, and a dataset of Parquet for each unit and type of vectors. */
  private List<String> write(String name, Path source, String... options) {
    convert(source, name, "npy", (Object[]) options);
    List<String> tables = new ArrayList<>();
    for (String unit : List.of("vector", "example")) {
      for (String type : List.of("list", "bits")) {
        String table = String.join(".", name, unit, type);
        String written = "parquet --codec " + (tables.size() % 3 == 0 ? "none" : "gzip");
        convert(source, table, written, options, "--unit", unit, "--vector-type", type);
        tables.add(table);
      }
    }
    return tables;
  }

  @Test
  void programsReadWhatIsWritten() throws IOException, InterruptedException {
    require("pyarrow");
    Path saev = Fixtures.saev("shards/64988989");
    List<String> tables = new ArrayList<>(write("saev", saev, "--max-parquet-bytes=1500"));
    if (TestExtent.isWhole()) {
      tables.addAll(write("double", saev, "--dtype=F64"));
    }
    String axes = "hidden_states=token,layer,dim";
    tables.addAll(write("vllm", Fixtures.arrays("vllm"), "--tensor", axes, "--ragged=pad:7"));
    for (String program : List.of("pyarrow", "pandas", "polars", "datasets")) {
      if (PYTHON.has(program)) {
        List<String> read = tables.stream().filter(table -> isRead(program, table)).toList();
        assertThat(
                PYTHON.output(
                    "check_parquet.py", Cli.words(List.of(program, folder, read)).toArray()))
            .isEqualTo("" + read.size());
      }
    }
  }

  /** pandas and datasets do not read all columns of bytes: see docs/parquet.md. */
  private static boolean isRead(String program, String table) {
    return switch (program) {
      case "pandas" -> !table.endsWith("example.bits");
      case "datasets" -> !table.endsWith("bits");
      default -> true;
    };
  }
}
