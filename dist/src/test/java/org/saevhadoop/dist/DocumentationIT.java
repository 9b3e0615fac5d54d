package org.saevhadoop.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.testing.Documentation;

/** The documentation, as it is in the checkout and as it is in the archive. */
@Execution(ExecutionMode.CONCURRENT)
class DocumentationIT {
  private static final Path CHECKOUT = UnpackedArchive.CHECKOUT;
  private static final boolean WRITE = Boolean.getBoolean("saev.docs.write");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");

  /** Languages of blocks that are run, shown to a reader, or compiled by DocumentedCodeTest. */
  private static final Set<String> NOT_LISTED = Set.of("console", "text", "json", "xml", "java");

  /** Blocks that need a cluster, Maven or another program, by a part, and what runs them. */
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("mvn -B verify", ".ci/run"),
          Map.entry("bin/bench --smoke", ".ci/run"),
          Map.entry("from safetensors.numpy import load_file", "NumpyIT.java"),
          Map.entry("layer_13.mean", "StatsFilesIT.java"),
          Map.entry("step(np.array(rows", "ShufflePythonIT.java"),
          Map.entry("from safetensors import safe_open", "ShufflePythonIT.java"),
          Map.entry("import gzip, json", "ConvertSampleMetadataTest.java"),
          Map.entry("hadoop jar lib/saev-hadoop.jar convert", "ClusterIT.java"),
          Map.entry("sc.newAPIHadoopFile", "SparkIT.java"),
          Map.entry("spark-shell --jars", "SparkIT.java"),
          Map.entry("javac -cp", "DocumentedCodeTest.java"),
          Map.entry("tar xzf", "DistributionIT.java"));

  @TempDir static Path folder;

  private static Path archive;

  private enum Home {
    CHECKOUT,
    ARCHIVE;

    Path path() {
      return this == CHECKOUT ? DocumentationIT.CHECKOUT : archive;
    }
  }

  @BeforeAll
  static void unpack() throws Exception {
    archive = UnpackedArchive.in(folder);
    for (Home home : Home.values()) {
      Path work = workFolder(home);
      Launch launch =
          Launch.of(
              work,
              environment("-XX:ArchiveClassesAtExit=" + classes(home)),
              "bin/saev-hadoop",
              "convert",
              "fixtures/saev/shards/64988989",
              "out",
              "--to=safetensors");
      assertThat(launch.exitCode()).as(launch.stderr()).isZero();
    }
  }

  /** The classes of a command, with which the others start in two thirds of the time. */
  private static Path classes(Home home) {
    return folder.resolve(home + ".jsa");
  }

  static Stream<Arguments> pages() throws IOException {
    TreeSet<String> pages = new TreeSet<>();
    Documentation.blocks(CHECKOUT, "console").forEach(block -> pages.add(block.page()));
    return Stream.of(Home.values())
        .flatMap(home -> pages.stream().map(page -> Arguments.of(home, page)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCommandsOfAPagePrintWhatItShows(Home home, String page) throws Exception {
    Path work = workFolder(home);
    List<String> lines = Files.readAllLines(home.path().resolve(page));
    List<String> actual = new ArrayList<>(lines);
    List<Documentation.Block> blocks =
        Documentation.blocks(home.path(), "console").stream()
            .filter(block -> block.page().equals(page))
            .toList();
    int moved = 0;
    for (Documentation.Block block : blocks) {
      List<String> printed =
          new ConsoleBlock(block).run(work, environment("-XX:SharedArchiveFile=" + classes(home)));
      List<String> there =
          actual.subList(block.first() + moved, block.first() + moved + block.lines().size());
      there.clear();
      there.addAll(printed);
      moved += printed.size() - block.lines().size();
    }
    if (WRITE && home == Home.CHECKOUT) {
      Files.write(CHECKOUT.resolve(page), actual);
      return;
    }
    assertThat(actual).isEqualTo(lines);
  }

  /** Returns a folder with the launcher and a copy of the fixtures. */
  private static Path workFolder(Home home) throws Exception {
    Path work = Files.createTempDirectory(folder, home.name());
    Files.createSymbolicLink(work.resolve("bin"), home.path().resolve("bin"));
    String fixtures = home.path().resolve("fixtures").toString();
    Launch copy = Launch.of(folder, environment(""), "cp", "-r", fixtures, work.toString());
    assertThat(copy.exitCode()).as(copy.stderr()).isZero();
    return work;
  }

  private static Map<String, String> environment(String options) {
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SAEV_HADOOP_LIBRARIES", "bundled");
    environment.put("SAEV_HADOOP_OPTS", "-XX:TieredStopAtLevel=1 " + options);
    environment.put("LC_ALL", "C.UTF-8");
    return environment;
  }

  /** So that pages can be followed in any order. */
  @Test
  void noTwoPagesWriteToTheSamePath() throws IOException {
    Map<String, String> pages = new HashMap<>();
    for (Documentation.Block block : Documentation.blocks(CHECKOUT, "console")) {
      Matcher target = Pattern.compile("target/[\\w-]+").matcher(block.lines().toString());
      while (target.find()) {
        String other = pages.putIfAbsent(target.group(), block.page());
        assertThat(other).as(target.group()).isIn(null, block.page());
      }
    }
  }

  @Test
  void otherBlocksAreListedWithTheTestThatRunsThem() throws IOException {
    assertThat(OTHERS).hasSizeLessThanOrEqualTo(12);
    Set<String> unused = new HashSet<>(OTHERS.keySet());
    for (Documentation.Block block : Documentation.blocks(CHECKOUT)) {
      if (NOT_LISTED.contains(block.language()) || block.page().equals("CONTRIBUTING.md")) {
        boolean hasCommands = block.lines().stream().anyMatch(line -> line.startsWith("$ "));
        assertThat(hasCommands).as("%s", block).isEqualTo(block.language().equals("console"));
        continue;
      }
      String text = String.join("\n", block.lines());
      assertThat(OTHERS.keySet()).as("%s", block).anyMatch(text::contains);
      unused.removeIf(text::contains);
    }
    assertThat(unused).isEmpty();
    Set<String> files = new HashSet<>();
    try (Stream<Path> all = Files.walk(CHECKOUT)) {
      all.forEach(file -> files.add(file.getFileName().toString()));
    }
    assertThat(OTHERS.values())
        .allSatisfy(test -> assertThat(files).contains(Path.of(test).getFileName().toString()));
  }

  @ParameterizedTest
  @EnumSource(Home.class)
  void everyLinkLeadsToAFileAndAHeading(Home home) throws IOException {
    List<String> dead = new ArrayList<>();
    for (String page : Documentation.pages(home.path())) {
      Path file = home.path().resolve(page);
      Matcher link = LINK.matcher(withoutBlocks(file));
      while (link.find()) {
        if (link.group(1).startsWith("http")) {
          continue;
        }
        Path target = link.group(1).isEmpty() ? file : file.resolveSibling(link.group(1));
        boolean found =
            Files.exists(target)
                && (link.group(2) == null || anchors(target).contains(link.group(2)));
        if (!found) {
          dead.add(page + ": " + link.group());
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private static String withoutBlocks(Path page) throws IOException {
    return Files.readString(page).replaceAll("(?ms)^```.*?^```$", "");
  }

  /** Returns the anchors of headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    withoutBlocks(page)
        .lines()
        .filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(java.util.Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }

  @Test
  void theReadmeOfTheArchiveIsThatOfTheCheckoutWithoutItsBuild() throws IOException {
    String checkout = Files.readString(CHECKOUT.resolve("README.md"));
    String cut = checkout.replaceAll("(?ms)^<!-- checkout -->.*?^<!-- /checkout -->\\n", "");
    assertThat(cut).isNotEqualTo(checkout).doesNotContain("mvn ");
    assertThat(archive.resolve("README.md")).hasContent(cut);
  }

  @Test
  void theFirstPageIsShort() throws IOException {
    List<String> lines = Files.readAllLines(CHECKOUT.resolve("README.md"));
    assertThat(lines).hasSizeLessThanOrEqualTo(150);
    int rows = 0;
    for (String line : lines) {
      rows = line.startsWith("|") ? rows + 1 : 0;
      assertThat(rows).as(line).isLessThanOrEqualTo(12 + 2); // with the head
    }
  }
}
