package org.saevhadoop.converters.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;

/**
 * Mistakes in the words of a command line: each answer is one line that contains what to type
 * instead. In the tables, ACTS is a dataset, and OUT a path that does not exist.
 */
class TypedMistakesTest {
  @TempDir Path folder;

  private Cli run(String line) {
    return Cli.run(
        Arrays.stream(line.split(" "))
            .filter(word -> !word.isEmpty())
            .map(word -> word.replace("ACTS", Fixtures.small().toString()))
            .map(word -> word.replace("OUT", folder.resolve("out").toString()))
            .toArray());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          convrt ACTS OUT --to saev               | unknown command "convrt" (expected convert)
          digset ACTS                             | unknown command "digset" (expected digest)
          Inspect ACTS                            | unknown command "Inspect" (expected inspect)
          conv ACTS OUT --to saev                 | unknown command "conv" (expected convert)
          bench-key ACTS                          | (expected bench-keys)
          copy ACTS OUT                           | unknown command "copy" (expected convert)
          head ACTS                               | unknown command "head" (expected cat or list)
          ls ACTS                                 | unknown command "ls" (expected inspect or list)
          check ACTS                              | unknown command "check" (expected verify)
          cast ACTS                               | unknown command "cast" (expected convert --dtype TYPE)
          sample ACTS                             | (expected shuffle --sample SHARE or convert --examples N,A:B)
          split ACTS                              | (expected shuffle --partition NAME=SHARE,NAME=SHARE)
          concat ACTS ACTS                        | unknown command "concat" (expected merge)
          summary ACTS                            | unknown command "summary" (expected stats)
          normalize ACTS                          | (expected stats --to-safetensors FILE and convert --normalize FILE)
          schema ACTS                             | unknown command "schema" (expected inspect)
          sha256sum ACTS                          | unknown command "sha256sum" (expected digest)
          convert ACTS OUT --to saev --force      | unknown option --force (expected --overwrite)
          convert ACTS --output OUT --to saev     | unknown option --output (expected DST, the last path)
          convert ACTS OUT --to saev --type f2    | unknown option --type (expected --dtype)
          convert ACTS OUT --to saev -n 3         | unknown option -n (expected --limit)
          diff ACTS ACTS --atol 1e-3              | unknown option --atol (expected --tolerance abs:X)
          diff ACTS ACTS --rtol=1e-3              | unknown option --rtol=1e-3 (expected --tolerance rel:X)
          diff ACTS ACTS --equal-nan              | unknown option --equal-nan (expected --nan-equal)
          stats ACTS --output OUT                 | unknown option --output (expected --report)
          merge ACTS ACTS -o OUT                  | unknown option -o (expected DST, the last path)
          stat ACTS                               | unknown command "stat" (expected stats)
          shuffle ACTS OUT --split a=1            | unknown option --split (expected --partition)
          stats ACTS --html OUT                   | unknown option --html (expected --report)
          list ACTS -n 3                          | unknown option -n (expected --limit)
          inspect ACTS --check                    | unknown option --check (expected verify --structure)
          list ACTS --check                       | unknown option --check (expected verify --structure)
          verify ACTS --check                     | unknown option --check (expected --structure)
          convert ACTS OUT --to saev --check      | unknown option --check (expected --verify)
          list ACTS -v                            | unknown option -v (expected --verbose)
          list ACTS --layers 10:12                | "10:12" is not a layer: 10-12 includes 12, 10-11 does not (expected
          list ACTS --examples 1-3                | neither an index nor a range: 1:4 includes 3, 1:3 does not (expected
          help convrt                             | unknown command "convrt" (expected convert)
          ACTS                                    | (expected convert, inspect, cat, list, digest, verify, diff, stats, shuffle, merge, bench or
          --layers 13 ACTS                        | a command is missing (expected convert, inspect, cat,
          --layer 13 digest ACTS                  | unknown option --layer (expected --layers, --layer-names or --layer-column) (see
          --layers digest ACTS                    | --layers has no value (expected --layers all|L,L-L)
          convert ACTS OUT --too saev             | unknown option --too (expected --to)
          convert ACTS OUT --layer 13             | unknown option --layer (expected --layers, --layer-names or --layer-column)
          convert ACTS OUT --frmo saev            | unknown option --frmo (expected --from)
          convert ACTS OUT --from-fromat kv       | (expected --from, --from-layout or --from-separator)
          convert ACTS OUT --batch_size 3         | unknown option --batch_size (expected --batch-size)
          convert ACTS OUT --nonsense             | unknown option --nonsense (see saev-hadoop convert --help)
          convert ACTS OUT -to saev               | unknown option -to (expected --to)
          convert ACTS OUT -o x                   | unknown option -o (expected DST, the last path)
          convert ACTS OUT --to:saev              | unknown option --to:saev (expected --to=saev)
          convert ACTS OUT --to = saev            | unexpected "saev" (expected --to=saev)
          convert ACTS OUT to=saev                | unexpected "to=saev" (expected --to=saev)
          convert ACTS OUT –-to saev              | "–-to" begins with U+2013, an en dash (expected --to)
          convert —to=saev ACTS OUT               | begins with U+2014, an em dash (expected --to=saev)
          convert ACTS OUT −−to saev              | begins with U+2212, a minus sign (expected --to)
          convert “--to” saev ACTS OUT            | left double quotation mark (expected --to)
          digest ACTS '--layers=13'               | begins with U+0027, an apostrophe (expected --layers=13)
          convert ACTS OUT --to “saev”            | unknown format "“saev”" (expected saev)
          digest ACTS --layers “13”               | (expected 13)
          digest ACTS --layers 13–21              | "13–21", which has U+2013, an en dash (expected 13-21)
          digest ACTS --layers [13,21]            | --layers is "[13,21]" (expected 13,21)
          digest ACTS --limit 1,000               | --limit is "1,000" (expected 1000)
          digest ACTS --layers 13 21              | unexpected "21" (expected --layers 13,21)
          digest ACTS --limit -5                  | --limit is -5 (expected at least 1, or -1 for all of them)
          digest ACTS --layers=                   | --layers is empty (expected all, or layers and ranges of
          digest ACTS --layers                    | --layers has no value (expected --layers all|L,L-L)
          digest ACTS --layers --limit 2          | --layers has no value before --limit (expected --layers
          digest ACTS --layers --limti 2          | --layers has no value before --limti (expected --layers
          digest ACTS --to saev                   | digest does not have it (expected the command convert or shuffle)
          inspect ACTS --layers 13                | (expected the command convert, cat, list, digest, verify, diff, stats, shuffle or bench)
          digest ACTS --save x                    | unexpected "x" (expected --save=x)
          convert ACTS OUT --overwrite=true       | --overwrite=true takes no value (expected --overwrite)
          convert ACTS OUT --to saev --index true | unexpected "true" (expected --index without a value)
          convert ACTS OUT --to                   | (expected --to with saev, safetensors, pickle, samediff, npy or parquet)
          convert --to ACTS OUT                   | (expected one of [saev, safetensors, pickle, samediff, npy, parquet])
          convert ACTS OUT                        | (expected --to with saev, safetensors, pickle, samediff, npy or parquet)
          convert ACTS --to saev                  | DST is missing (expected convert SRC DST --to FORMAT)
          convert                                 | --to, SRC and DST are missing (expected convert SRC DST
          convert ACTS OUT OUT --to saev          | 3 paths (expected convert SRC DST)
          digest ACTS ACTS ACTS                   | 3 paths (expected digest PATH, once for each dataset)
          convert ACTS OUT --to npz               | (expected npy)
          convert ACTS OUT --to safetensor        | unknown format "safetensor" (expected safetensors)
          convert ACTS OUT --to saev --from seav  | --from is "seav": unknown format (expected saev)
          convert ACTS OUT --to saev --to pickle  | --to is given twice (expected once)
          convert ACTS OUT --to saev --tail ful   | --tail is "ful" (expected full or exact)
          cat ACTS --example 0 --format jsn       | --format is "jsn" (expected text, hex, npy or bin)
          cat ACTS --example first                | --example is "first" (expected a whole number)
          cat ACTS --example 0 --index 3          | --example and --index exclude each other (expected one of
          bench ACTS --seconds 2s                 | --seconds is "2s" (expected a number such as 0.5)
          digest ACTS -D                          | -D is incomplete (expected -D KEY=VALUE)
          digest ACTS -Dsaev.input.limit          | -Dsaev.input.limit is incomplete (expected -D KEY=VALUE)
          digest ACTS -D saev.input.limit 3       | -D is incomplete (expected -D KEY=VALUE)
          digest ACTS --D saev.input.limit=3      | unknown option --D (expected -D)
          digest ACTS -conf                       | -conf is incomplete (expected -conf FILE)
          convert ACTS OUT --to saev --dtype flaot32         | (expected float32)
          convert ACTS OUT --to saev --dtype int             | (expected int16, int32, int64 or int8)
          convert ACTS OUT --to saev --dtype torch.flaot16   | (expected float16)
          convert ACTS OUT --to saev --dtype float32,float16 | (expected one type, or COLUMN=DTYPE, repeated
          """)
  void theAnswerContainsWhatToType(String typed, String answer) {
    run(typed).failsAsUsage(answer, "--help)");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          digest ~/acts       | ~/acts: begins with ~, which the shell has not replaced (expected HOME/acts, or ./~/acts
          digest ACTS --save=~/x | ~/x: begins with ~, which the shell has not replaced (expected HOME/x, or ./~/x
          convert ACTS ~/x --to saev | (expected HOME/x, or ./~/x if that is its name)
          digest ~nobody/acts | (expected the path of the home directory, or ./~nobody/acts
          digest C:\\acts\\x  | is a Windows path (expected /mnt/c/acts/x, or ./C:\\acts\\x
          digest ann@node:/acts | is a path on another machine (expected a copy, by scp -r or rsync -a, or ./ann@node:/acts
          digest s3://bucket/x | unknown file system s3: (expected s3a://bucket/x, or fs.s3.impl
          digest hf://datasets/a/b | (expected a local copy: huggingface-cli download
          digest acts\\x      | no such file or directory (expected acts/x)
          digest “acts”       | its name has U+201C, a left double quotation mark (expected acts)
          convert OUT ACTS --to saev | DST exists (expected SRC before DST)
          """)
  void theAnswerToAPathContainsWhatToType(String typed, String answer) {
    String home = System.getProperty("user.home");
    run(typed)
        .failsWithText(
            answer
                .replace("HOME", home)
                .replace("ACTS", Fixtures.small().toString())
                .replace("OUT", folder.resolve("out").toString()));
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --layers 13 digest ACTS                   | digest ACTS --layers 13
          --layers=13 --limit 2 digest ACTS         | digest ACTS --layers 13 --limit 2
          -D saev.input.limit=2 --layers 13 digest ACTS | digest ACTS --layers 13 --limit 2
          --json inspect ACTS                       | inspect ACTS --json
          --to safetensors convert ACTS OUT         | convert ACTS OUT --to SafeTensors --overwrite
          --example 0 --format hex cat ACTS         | cat --example 0 --format hex -- ACTS
          digest ACTS --examples -1                 | digest ACTS --examples 6
          help                                      | --help
          -help                                     | -h
          version                                   | -V
          help convert                              | convert --help
          convert help                              | convert --help
          --help convert                            | convert --help
          convert --nonsense --help                 | convert --help
          """)
  void theWordsAreUnderstood(String typed, String words) {
    assertThat(run(typed).succeeds().text()).isEqualTo(run(words).succeeds().text());
  }

  @Test
  void aTypeHasTheNamesOfNumpyAndTorch() {
    String digest = run("digest ACTS").text();
    for (String name : List.of("torch.float32", "numpy.float32", "<f4", "float")) {
      String written = "convert ACTS OUT --to safetensors --overwrite --dtype " + name;
      assertThat(run("digest " + run(written).succeeds().lastLine()).text()).isEqualTo(digest);
    }
  }

  @Test
  void aValueThatIsTheNameOfACommandIsNoCommand() {
    Path file = run("convert ACTS OUT --to safetensors").succeeds().lastLinePath();
    run("--name digest cat " + file).failsWithText("(expected a file or a model for --name");
  }

  @Test
  void afterTwoHyphensAWordIsAPath() {
    run("digest -- --layers").failsWithText("/--layers: no such file or directory");
    run("digest -- –-to").failsWithText("/–-to: no such file or directory");
  }

  @Test
  void aPathThatReallyBeginsWithATildeIsOpened() throws IOException {
    Path tilde = Files.createDirectory(Path.of("~typed"));
    try {
      run("digest ~typed").failsWithText(DatasetError.UNKNOWN_FORMAT, "/~typed: ");
    } finally {
      Files.delete(tilde);
    }
    run("digest ~typed").failsWithText(FileError.BAD_PATH, "~typed: begins with ~");
    run("digest ./~typed").failsWithText(FileError.NOT_FOUND, "/~typed: no such file");
  }
}
