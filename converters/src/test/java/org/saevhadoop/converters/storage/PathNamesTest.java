package org.saevhadoop.converters.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.convert.ConvertTest;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.mapreduce.io.PathArgument;

/**
 * A dataset is read from and written to exactly the path that the user gave, or the path is
 * refused. Beside each dataset lie folders of every name for which the path could be mistaken.
 */
@Tag("late")
@Tag("sampled")
class PathNamesTest {
  private static final String THESIS = "thesis.tex";
  private static final int SAMPLE = 24;

  private static final List<String> NAMES =
      List.of(
          "plain",
          " leading",
          "trailing ",
          " both ",
          "  two  ",
          "in side",
          "tab\tinside",
          "trailing\t",
          "new\nline",
          "trailing\n",
          "return\r",
          "nbsp\u00a0",
          "\u3000wide",
          "zero\u200bwidth",
          "bom\ufeff",
          "${user.name}",
          "x${user.name}y",
          "${user.home}",
          "${}",
          "${",
          "$",
          "$$",
          "${env.HOME}",
          "${saev.none}",
          "${hadoop.tmp.dir}",
          "%20",
          "a%20b",
          "%2F",
          "%",
          "%%",
          "%zz",
          "a+b",
          "*",
          "a*",
          "?",
          "a?b",
          "[a]",
          "[a-z]",
          "{a,b}",
          "a,b",
          ",",
          "a;b",
          "a:b",
          "hdfs:x",
          "file:",
          ":a",
          "a:",
          "C:",
          "a\\b",
          "\\",
          "a\\u0041",
          "a|b",
          "a>b",
          "<a>",
          "a&b",
          "&amp;",
          "a'b",
          "a\"b",
          "a`b",
          "#a",
          "a#b",
          "a=b",
          "~",
          "~root",
          "!a",
          "@a",
          "(a)",
          "-a",
          "--to",
          "-Da=b",
          "._a",
          ".hidden",
          "_under",
          "_x.unfinished",
          "_x.replaced",
          "_x.saev-hadoop",
          "data",
          "...",
          "a.",
          "caf\u00e9",
          "cafe\u0301",
          "\u00df",
          "\u65e5\u672c",
          "\ud83d\ude00",
          "bell\u0007",
          "esc\u001b[31m",
          "del\u007f",
          "rtl\u202egpj",
          "lrm\u200e",
          "line\u2028",
          "escaped:a",
          "escaped:\\u0041",
          "x".repeat(255),
          "x".repeat(254),
          "\u00e9".repeat(127),
          "\ud83d\ude00".repeat(63),
          "x".repeat(240));

  /** The conversion of a case: the format of the source, and that of the destination. */
  private record Conversion(String from, String to, List<String> options) {}

  private static final List<Conversion> CONVERSIONS =
      List.of(
          new Conversion("saev", "safetensors", List.of()),
          new Conversion("safetensors", "pickle", List.of()),
          new Conversion("pickle", "safetensors", List.of()),
          new Conversion("saev", "pickle", List.of("--overwrite")));

  private record Case(String name, boolean source, Conversion conversion) {
    @Override
    public String toString() {
      return "%s as %s, %s".formatted(Quote.ascii(name, 40), source ? "SRC" : "DST", conversion);
    }
  }

  @TempDir Path folder;

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (String name : NAMES) {
      for (Conversion conversion : CONVERSIONS) {
        cases.add(new Case(name, true, conversion));
        cases.add(new Case(name, false, conversion));
      }
    }
    java.util.Collections.shuffle(cases, new Random(13));
    return cases.subList(0, TestExtent.of(SAMPLE, cases.size() / 2));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDatasetIsWhereItsPathShowsOrThePathIsRefused(Case given) throws IOException {
    Path source = source(given.conversion.from, folder.resolve("source"));
    Path place = Files.createDirectory(folder.resolve("place"));
    Path named = place.resolve(given.name);
    Set<String> traps = traps(place, given.name);
    Path written = given.source ? folder.resolve("out") : named;
    if (given.source) {
      Files.move(source, named);
    } else if (!given.conversion.options.isEmpty()) {
      Files.move(source("safetensors", folder.resolve("old")), named);
    }
    Path read = given.source ? named : source;
    String digestBefore = ConvertTest.digest(read);
    Cli run =
        Cli.run(
            "convert", "--to", given.conversion.to, given.conversion.options, "--", read, written);
    assertThat(ConvertTest.files(place)).containsAll(traps);
    for (String trap : traps) {
      assertThat(ConvertTest.files(place.resolve(trap))).containsExactly(THESIS);
    }
    if (!given.source && !Quote.show(given.name).equals(given.name)) {
      run.failsWithKind("BAD_PATH", place);
      assertThat(ConvertTest.files(place)).hasSize(traps.size() + given.conversion.options.size());
      return;
    }
    run.succeeds();
    assertThat(run.lastLine()).isEqualTo(written.toString());
    assertThat(ConvertTest.files(place)).hasSize(traps.size() + 1).contains(given.name);
    assertThat(ConvertTest.digest(written)).isEqualTo(digestBefore);
    assertThat(ConvertTest.files(folder)).hasSize(2);
  }

  private static Path source(String format, Path path) throws IOException {
    Path fixture = Fixtures.small();
    if (format.equals("saev")) {
      Path copy = Fixtures.copy(Fixtures.SMALL, path.resolveSibling("copy"));
      Files.move(copy, path);
      Files.delete(path.resolveSibling("copy"));
    } else {
      Cli.convert(fixture, path, format).succeeds();
    }
    return path;
  }

  /** Creates a folder for each name that a careless program would take for the given one. */
  private static Set<String> traps(Path place, String name) throws IOException {
    Configuration conf = new Configuration();
    conf.set("x", name);
    Set<String> traps = new LinkedHashSet<>();
    traps.add(name.strip());
    traps.add(name.trim());
    traps.add(conf.get("x"));
    traps.add(conf.getTrimmed("x"));
    try {
      traps.add(URLDecoder.decode(name, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      traps.add(name.replace("%", ""));
    }
    traps.add(name.replaceAll("[*?\\[\\]{}]", "a"));
    traps.add(name.replaceFirst(".*:", ""));
    traps.add(name.replaceAll("\\p{Cntrl}", ""));
    traps.add(name.replace("\\", ""));
    traps.removeIf(
        trap ->
            trap.isEmpty()
                || trap.equals(name)
                || trap.contains("/")
                || trap.matches("\\.*")
                || trap.getBytes(StandardCharsets.UTF_8).length > 255);
    for (String trap : traps) {
      Files.writeString(
          Files.createDirectory(place.resolve(trap)).resolve(THESIS), "years of work");
    }
    return traps;
  }

  @Test
  void aPathOfHdfsWithoutAHostNeedsAConfiguration() {
    Cli.run("digest", "hdfs:///data/acts").failsWith(FileError.BAD_PATH, "hdfs:///data/acts");
  }

  @Test
  void pathsThatCannotBeWrittenAreRefusedInOneLine() throws IOException {
    Path source = Fixtures.small();
    Path file = Files.writeString(folder.resolve("file"), "mine");
    Path broken = Files.createSymbolicLink(folder.resolve("broken"), folder.resolve("none"));
    refused(FileError.BAD_PATH, source, "/", "/");
    refused(FileError.BAD_PATH, source, "", "''");
    refused(FileError.BAD_PATH, source, file.resolve("below"), file.resolve("below"));
    for (Path from : List.of(source, Fixtures.pickle("spec"))) {
      refused(FileError.BAD_PATH, from, folder.resolve("x".repeat(256)), "x".repeat(256));
      refused(FileError.BAD_PATH, from, folder.resolve("new/" + "x".repeat(256)), "x".repeat(256));
      refused(FileError.BAD_PATH, from, folder.resolve("x".repeat(256) + "/out"), "x".repeat(256));
    }
    refused(FileError.ALREADY_EXISTS, source, broken, broken);
    refused(FileError.NOT_FOUND, source, broken.resolve("below"), broken);
    refused(FileError.NOT_FOUND, folder.resolve("none/../file"), folder.resolve("out"), "..");
    assertThat(ConvertTest.files(folder)).containsExactlyInAnyOrder("file", "broken");
    assertThat(file).hasContent("mine");
  }

  private static void refused(FileError kind, Object source, Object destination, Object path) {
    String overwrite = kind == FileError.ALREADY_EXISTS ? "" : " --overwrite";
    Cli run = Cli.convert(source, destination, "safetensors" + overwrite);
    run.failsWithText(kind, path.toString());
    assertThat(run.stderr()).doesNotContain("unpack: ");
  }

  @Test
  void dotsAfterALinkLeadToTheParentOfItsTarget() throws IOException {
    Path target = Files.createDirectories(folder.resolve("elsewhere/target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    Configuration conf = new Configuration();
    assertThat(PathArgument.parse(link + "/../out", conf).toUri().getPath())
        .isEqualTo(folder.toRealPath().resolve("elsewhere/out").toString());
    assertThat(PathArgument.parse("file:" + folder + "/./a:b", conf).toUri().getPath())
        .isEqualTo(folder.resolve("a:b").toString());
    Path relative = Path.of("").toAbsolutePath();
    assertThat(PathArgument.parse("-a:b ", conf).toUri().getPath()).isEqualTo(relative + "/-a:b ");
    FileStatus status =
        PathArgument.parse(target.toString(), conf)
            .getFileSystem(conf)
            .getFileStatus(PathArgument.parse(link.toString(), conf));
    assertThat(status.isDirectory()).isTrue();
  }
}
