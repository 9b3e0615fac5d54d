package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;

/** Words of other programs (coreutils, numpy, parquet-cli, git), and the words for them here. */
final class Synonyms {
  private static final String REPLACE = "--overwrite";
  private static final String FIRST = "--limit";
  private static final String TOLERANCE = "--tolerance";

  private static final Map<String, List<String>> COMMANDS = new TreeMap<>();

  /** What to type for an option, and the option of the command that this requires. */
  private record Option(String required, String typed) {
    Option(String name) {
      this(name, name);
    }
  }

  private static final Map<String, List<Option>> OPTIONS = new TreeMap<>();

  static {
    commands("cat", "dump", "get", "print");
    commands("convert", "copy", "cp", "export", "import", "write");
    commands("convert --dtype TYPE", "cast", "quantize");
    commands("diff", "cmp", "compare", "equal");
    commands("digest", "checksum", "hash", "md5sum", "sha256", "sha256sum", "sum");
    commands("inspect", "describe", "du", "file", "info", "meta", "open", "read", "schema");
    commands("inspect", "show", "size");
    commands("merge", "append", "combine", "concat", "join", "union");
    commands("shuffle", "permute", "randomize", "shuf");
    commands("stats", "histogram", "mean", "norm", "report", "summary");
    commands("verify", "check", "fsck", "test", "validate");
    COMMANDS.put("count", List.of("inspect"));
    COMMANDS.put("head", List.of("cat", "list"));
    COMMANDS.put("ls", List.of("inspect", "list"));
    COMMANDS.put("dir", List.of("inspect", "list"));
    COMMANDS.put("normalize", List.of("stats --to-safetensors FILE and convert --normalize FILE"));
    COMMANDS.put("sample", List.of("shuffle --sample SHARE", "convert --examples N,A:B"));
    COMMANDS.put("slice", List.of("convert --examples N,A:B", "convert --layers L,L-L"));
    COMMANDS.put("split", List.of("shuffle --partition NAME=SHARE,NAME=SHARE"));
    options(new Option(REPLACE), "--force", "-f", "--clobber", "--replace", "-y", "--yes");
    options(new Option(FIRST), "-n", "--head", "--num", "--count", "--max-examples", "--n");
    options(new Option("--report"), "--html", "--plot");
    options(new Option("--partition"), "--split");
    options(new Option("--to"), "--output-format", "--as", "--target-format");
    options(new Option("--from"), "--input-format", "--source-format");
    options(new Option("--dtype"), "--type", "--precision", "--cast");
    options(new Option(TOLERANCE, TOLERANCE + " abs:X"), "--atol", "--tol", "--eps", "--epsilon");
    options(new Option(TOLERANCE, TOLERANCE + " rel:X"), "--rtol");
    options(new Option("--nan-equal"), "--equal-nan");
    options(new Option("--verify"), "--check", "--validate");
    options(new Option("--structure"), "--check");
    options(new Option("--digests", "verify --structure"), "--check");
    options(new Option("--quiet"), "-q", "--silent");
    options(new Option("--verbose"), "-v", "-vv");
    for (String word : List.of("--output", "--out", "--dst", "-o", "--into")) {
      options(new Option("--resume", "DST, the last path"), word);
      options(new Option("--report"), word);
    }
  }

  private Synonyms() {}

  private static void commands(String typed, String... words) {
    for (String word : words) {
      COMMANDS.put(word, List.of(typed));
    }
  }

  private static void options(Option option, String... words) {
    for (String word : words) {
      OPTIONS.computeIfAbsent(word, unknown -> new ArrayList<>()).add(option);
    }
  }

  /** Returns what to type instead of a command; empty if nothing is known. */
  static List<String> command(String word) {
    return COMMANDS.getOrDefault(word, List.of());
  }

  /** Returns what to type instead of an option of a command; empty if nothing is known. */
  static List<String> option(CommandSpec command, String word) {
    return OPTIONS.getOrDefault(word.replaceFirst("=.*", ""), List.of()).stream()
        .filter(option -> command.optionsMap().containsKey(option.required))
        .map(Option::typed)
        .toList();
  }
}
