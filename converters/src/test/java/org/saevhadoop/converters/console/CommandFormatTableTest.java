package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.parquet.Tables;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.spi.DatasetFormat;
import picocli.CommandLine;

/**
 * Every command with a dataset of every format: a result, or one sentence that says why not. A new
 * command or a new format needs a row or a column here.
 */
@Tag("late")
class CommandFormatTableTest {
  /** The columns; the first word of each is a format. */
  private static final List<String> COLUMNS =
      List.of(
          "saev",
          "safetensors batch",
          "safetensors kv",
          "safetensors file",
          "pickle",
          "pickle file",
          "samediff",
          "samediff shards",
          "samediff sdz",
          "samediff deflated",
          "samediff file",
          "npy",
          "npy compressed",
          "torch file",
          "parquet",
          "arrow");

  /** A letter for each column: + for a result, else one of {@link #SENTENCES}. */
  private static final String TABLE =
      """
      convert @ OUT --to saev                          | + + + + + m + + + + m + + + + +
      convert @ OUT --to safetensors                   | + + + + + + + + + + + + + + + +
      convert @ OUT --to pickle                        | + + + + + + + + + + + + + + + +
      convert @ OUT --to parquet                       | + + + + + + + + + + + + + + + +
      convert @ OUT --to samediff                      | + + + + + + + + + + + + + + + +
      convert @ OUT --to npy                           | + + + + + + + + + + + + + + + +
      convert @ OUT --to samediff --container sdz      | + + + + + + + + + + + + + + + +
      inspect @                                        | + + + + + + + + + + + + + + + +
      inspect @ --json                                 | + + + + + + + + + + + + + + + +
      verify @ --structure                             | + + + + + + + + + + + + + + + +
      list @                                           | + + + + + + + + + + + + + + + +
      list @ --digests                                 | + + + + + + + + + + + + + + + +
      list @ --examples 1:3                            | + + + + + + + + + + + + + + + +
      cat @ --example 0                                | + + + + + + + + + + + + + + + +
      cat @ --sample-metadata                               | + + + a + + + + + + a a a a a +
      cat @ --name layer_3                             | n f f + n n o o o o + n n n n n
      cat @ --key 1__layer_3                           | k b + b k k k k k k k k k k k k
      digest @                                         | + + + + + + + + + + + + + + + +
      verify @                                         | + + + + + + + + + + + + + + + +
      diff @ @                                         | + + + + + + + + + + + + + + + +
      stats @                                          | + + + + + + + + + + + + + + + +
      shuffle @ OUT --to safetensors                   | + + + + + + + + + + + + + + + +
      merge @ @ OUT                                    | + + + + + + + + + + + + + w + w
      bench @ --seconds 0.01 --rounds 1                | + + + + + + + + + + + + + + + +
      bench-keys @ --key 1__layer_3 --fetches 2        | k b + b k k k k k k k k k k k k
      """;

  /** What a command says that has no result; @ is the path, FORMAT its format. */
  private static final Map<String, String> SENTENCES =
      Map.of(
          "m",
              "@: carries no SAEV metadata (expected --family and --ckpt, which name the model:"
                  + " --family unknown --ckpt unknown records an unknown one) (see saev-hadoop convert"
                  + " --help)",
          "a",
              "@: has no sample metadata (expected files *.examples.jsonl.gz, or per-token integers)",
          "n", "@: the FORMAT format has no named tensors (expected safetensors or samediff)",
          "o", "@: has no array \"layer_3\"",
          "f",
              "@: is a folder without *.safetensors.index.json (expected a file or a model for"
                  + " --name; --key is for datasets)",
          "k", "@: the FORMAT format has no keys (expected safetensors)",
          "w",
              "@: FORMAT can only be read (expected convert SRC DST --with SRC, which writes"
                  + " another format)",
          "b", "@: has the layout batch (expected kv for --key; --from-layout sets it)");

  private static final Map<String, Path> DATASETS = new LinkedHashMap<>();

  @TempDir static Path sources;
  @TempDir Path folder;

  @BeforeAll
  static void writeDatasets() throws IOException {
    Path saev = new NaiveActivations(5, List.of(3, 7), 4, 3, true, true).writeSaev(sources);
    Path batch = convert(saev, "batch", "--to", "safetensors");
    Path kv = convert(saev, "kv", "--to", "safetensors", "--kv");
    Path pickle = convert(saev, "pickle", "--to", "pickle");
    Path part = NaiveTensors.parts(batch).get(0);
    assertThat(kv.resolve("_tensor_index.parquet")).exists();
    DATASETS.put("saev", saev);
    DATASETS.put("safetensors batch", batch);
    DATASETS.put("safetensors kv", kv);
    DATASETS.put("safetensors file", Files.copy(part, sources.resolve("one.safetensors")));
    DATASETS.put("pickle", pickle);
    DATASETS.put("pickle file", pickle.resolve("shard_0001.pkl.gz"));
    DATASETS.put("samediff", convert(saev, "sdnb", "--to", "samediff"));
    DATASETS.put(
        "samediff shards", convert(saev, "shards", "--to", "samediff", "--max-shard-bytes", "300"));
    DATASETS.put("samediff sdz", convert(saev, "sdz", "--to", "samediff", "--container", "sdz"));
    DATASETS.put(
        "samediff deflated",
        convert(saev, "deflated", "--to", "samediff", "--container", "sdz", "--deflate"));
    DATASETS.put("samediff file", foreign().write(sources.resolve("foreign.sdnb")));
    DATASETS.put("npy", OwnArrays.npy(NaiveTensors.batches(batch), sources.resolve("own")));
    DATASETS.put(
        "npy compressed", OwnArrays.npz(NaiveTensors.batches(batch), sources.resolve("own.npz")));
    DATASETS.put(
        "torch file", OwnArrays.torch(NaiveTensors.batches(batch), sources.resolve("own.pt")));
    DATASETS.put("parquet", Tables.layers(sources.resolve("own.parquet"), 5, 4, 3, 3, 7));
    DATASETS.put("arrow", Fixtures.arrays("saelens"));
  }

  /** A container without metadata, whose arrays are transposed. */
  private static ForeignContainer foreign() {
    ForeignContainer container = new ForeignContainer();
    for (String name : List.of("layer_3", "layer_7")) {
      byte[] values = new byte[5 * 4 * 3 * Float.BYTES];
      container.array(name, ForeignContainer.FLOAT, Storage.APPENDED, 'f', values, 5, 4, 3);
    }
    return container;
  }

  private static Path convert(Path from, String name, String... options) {
    return Cli.run("convert", from, sources.resolve(name), options).succeeds().lastLinePath();
  }

  static Stream<String> rows() {
    return TABLE.lines();
  }

  /** In a sample, each command has each second column, and each column each second command. */
  @ParameterizedTest
  @Tag("sampled")
  @MethodSource("rows")
  void eachCellIsAResultOrASentence(String row) {
    String command = row.substring(0, row.indexOf('|')).strip();
    List<String> cells = List.of(row.substring(row.indexOf('|') + 1).strip().split(" "));
    assertThat(cells).hasSameSizeAs(COLUMNS);
    int every = TestExtent.of(2, 1);
    for (int i = rows().toList().indexOf(row) % every; i < cells.size(); i += every) {
      String column = COLUMNS.get(i);
      Path path = DATASETS.get(column);
      Path out = folder.resolve("out" + i);
      List<Object> words = new ArrayList<>();
      for (String word : command.split(" +")) {
        words.add(word.equals("@") ? path : word.equals("OUT") ? out : word);
      }
      String cell = command + " with " + column;
      Cli cli = Cli.run(words.toArray());
      if (cells.get(i).equals("+")) {
        assertThat(cli.exitCode()).as(cell + ": " + cli.stderr()).isZero();
        assertThat(cli.stdout()).as(cell).isNotEmpty();
      } else {
        String sentence = SENTENCES.get(cells.get(i));
        String expected =
            sentence.replace("@", path.toString()).replace("FORMAT", column.split(" ")[0]);
        assertThat(cli.exitCode())
            .as(cell + ": " + cli.stderr())
            .isEqualTo(sentence.endsWith("--help)") ? 2 : 1);
        // streams are staged first
        assertThat(cli.stderr().lines().filter(line -> !line.startsWith("unpack: ")))
            .as(cell)
            .containsExactly(expected);
        assertThat(cli.stdout()).as(cell).isEmpty();
        assertThat(out).doesNotExist();
      }
    }
  }

  @Test
  void theTableHasEveryCommandAndEveryFormat() {
    Set<String> commands = rows().map(row -> row.split(" ")[0]).collect(Collectors.toSet());
    Console console =
        new Console(new Configuration(), DatasetFormats.registry(), System.out, System.err);
    CommandLine line = new Main(System.out, System.err).commandLine(console);
    Set<String> visible = new TreeSet<>(line.getSubcommands().keySet());
    visible.removeIf(
        name -> line.getSubcommands().get(name).getCommandSpec().usageMessage().hidden());
    assertThat(commands).isEqualTo(visible);
    Set<String> formats =
        COLUMNS.stream().map(column -> column.split(" ")[0]).collect(Collectors.toSet());
    assertThat(formats).containsExactlyInAnyOrderElementsOf(DatasetFormats.registry().names());
    for (DatasetFormat format : DatasetFormats.registry().writable()) {
      assertThat(rows()).anyMatch(row -> row.contains("--to " + format.name() + " "));
    }
    assertThat(DATASETS.keySet()).containsExactlyElementsOf(COLUMNS);
  }

  @Test
  void eachFormatIsConvertedToEachOther() {
    Set<String> directions = new TreeSet<>();
    Pattern row = Pattern.compile("convert .*--to (\\w+) .*\\| (.*)");
    rows()
        .map(row::matcher)
        .filter(Matcher::matches)
        .forEach(
            match -> {
              List<String> cells = List.of(match.group(2).split(" "));
              for (int i = 0; i < cells.size(); i++) {
                String from = COLUMNS.get(i).split(" ")[0];
                if (cells.get(i).equals("+") && !from.equals(match.group(1))) {
                  directions.add(from + " to " + match.group(1));
                }
              }
            });
    int formats = DatasetFormats.registry().names().size();
    int written = DatasetFormats.registry().writable().size();
    assertThat(directions).hasSize(written * (formats - 1));
  }
}
