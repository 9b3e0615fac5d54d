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
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.testing.Documentation;
import org.saevhadoop.testing.Programs;

/** The documentation, as it is in the checkout and as it is in the archive. */
@Tag("sampled")
@Execution(ExecutionMode.CONCURRENT)
class DocumentationIT {
  private static final Path CHECKOUT = UnpackedArchive.CHECKOUT;
  private static final boolean WRITE = Boolean.getBoolean("saev.docs.write");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");

  private static final Pattern PICTURE =
      Pattern.compile("<(?:img|source)\\b[^>]*src(?:set)?=\"([^\"]*)\"");

  /**
   * Languages of blocks that are run, shown to a reader, compiled by DocumentedCodeTest, run by
   * SqlPageTest and SparkSqlIT, or read by ConsumersIT.
   */
  private static final Set<String> NOT_LISTED =
      Set.of("console", "text", "json", "xml", "java", "sql", "kotlin");

  /** Blocks that need a cluster, Maven or another program, by a part, and what runs them. */
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("mvn -B verify", ".ci/run"),
          Map.entry("bin/bench --smoke", ".ci/run"),
          Map.entry("layer_13.mean", "StatsFilesIT.java"),
          Map.entry("import json, pathlib", "ShufflePythonIT.java"),
          Map.entry("torch.utils.data", "TrainingPythonIT.java"),
          Map.entry("import gzip, json", "ConvertSampleMetadataTest.java"),
          Map.entry("hadoop jar lib/saev-hadoop.jar convert", "ClusterIT.java"),
          Map.entry("sc.newAPIHadoopFile", "SparkIT.java"),
          Map.entry("spark-shell --jars", "SparkIT.java"),
          Map.entry("javac -cp", "DocumentedCodeTest.java"),
          Map.entry("s3a://", "ObjectStoreIT.java"),
          Map.entry("tar xzf", "DistributionIT.java"));

  /** The first line of a script that a page shows and its commands run: the name of its file. */
  private static final Pattern SCRIPT = Pattern.compile("# (\\w+\\.py)");

  /** Whether each page is followed in both homes, by the launcher. */
  private static final boolean WHOLE = Boolean.getBoolean("saev.test.long");

  private static final String FIRST_PAGE = "README.md";
  private static final String INDEX = "docs/README.md";

  @TempDir static Path folder;

  private static Path archive;
  private static Path staying;
  private static StayingProgram program;

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
    staying = folderWithFixtures(Home.ARCHIVE);
    program = StayingProgram.in(staying, archive);
  }

  @AfterAll
  static void stop() {
    program.close();
  }

  /** The archive has the same pages as the checkout, and fewer fixtures. */
  static Stream<Arguments> pages() throws IOException {
    TreeSet<String> pages = new TreeSet<>();
    Documentation.blocks(CHECKOUT, "console").forEach(block -> pages.add(block.page()));
    Predicate<String> inCheckout = page -> WHOLE || WRITE || page.equals(FIRST_PAGE);
    return Stream.concat(
        pages.stream().filter(inCheckout).map(page -> Arguments.of(Home.CHECKOUT, page)),
        pages.stream().filter(page -> !WRITE).map(page -> Arguments.of(Home.ARCHIVE, page)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCommandsOfAPagePrintWhatItShows(Home home, String page) throws Exception {
    Path work = WHOLE || home == Home.CHECKOUT ? folderWithLauncher(home) : staying;
    List<String> lines = Files.readAllLines(home.path().resolve(page));
    List<String> actual = new ArrayList<>(lines);
    List<Documentation.Block> blocks =
        Documentation.blocks(home.path(), "console").stream()
            .filter(block -> block.page().equals(page))
            .toList();
    saveScripts(home, page, work);
    int moved = 0;
    for (Documentation.Block block : blocks) {
      List<String> printed = new ConsoleBlock(block).run(work, environment());
      List<String> there =
          actual.subList(block.first() + moved, block.first() + moved + block.lines().size());
      there.clear();
      there.addAll(printed);
      moved += printed.size() - block.lines().size();
    }
    if (WRITE) {
      Files.write(CHECKOUT.resolve(page), actual);
      return;
    }
    assertThat(actual).isEqualTo(lines);
  }

  /** Saves the scripts of a page, as a reader does; they need numpy. */
  private static void saveScripts(Home home, String page, Path work) throws Exception {
    for (Documentation.Block block : Documentation.blocks(home.path(), "python")) {
      Matcher name = SCRIPT.matcher(block.lines().get(0));
      if (block.page().equals(page) && name.matches()) {
        Launch numpy = Launch.of(work, environment(), "python3", "-c", "import numpy");
        Programs.require(numpy.exitCode() == 0, "python3 with numpy");
        Files.write(work.resolve(name.group(1)), block.lines());
      }
    }
  }

  private static Path folderWithLauncher(Home home) throws Exception {
    Path work = folderWithFixtures(home);
    Files.createSymbolicLink(work.resolve("bin"), home.path().resolve("bin"));
    return work;
  }

  private static Path folderWithFixtures(Home home) throws Exception {
    Path work = Files.createTempDirectory(folder, home.name());
    String fixtures = home.path().resolve("fixtures").toString();
    Launch copy = Launch.of(folder, environment(), "cp", "-r", fixtures, work.toString());
    assertThat(copy.exitCode()).as(copy.stderr()).isZero();
    return work;
  }

  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SAEV_HADOOP_LIBRARIES", "bundled");
    environment.put("SAEV_HADOOP_OPTS", "-XX:TieredStopAtLevel=1");
    environment.put("LC_ALL", "C.UTF-8");
    // of a few commands, the archive of classes might still be made at the end
    environment.put(
        WHOLE ? "XDG_CACHE_HOME" : "SAEV_HADOOP_CDS", WHOLE ? folder.toString() : "off");
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
      Matcher script = SCRIPT.matcher(block.lines().get(0));
      if (script.matches()) {
        assertThat(commandsOf(block.page())).as("%s", block).contains("python3 " + script.group(1));
        continue;
      }
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

  private static List<String> commandsOf(String page) throws IOException {
    return Documentation.blocks(CHECKOUT, "console").stream()
        .filter(block -> block.page().equals(page))
        .flatMap(block -> new ConsoleBlock(block).commands().stream())
        .map(ConsoleBlock.Command::text)
        .toList();
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

  @ParameterizedTest
  @EnumSource(Home.class)
  void everyPictureIsThere(Home home) throws IOException {
    List<String> pictures = new ArrayList<>();
    for (String page : Documentation.pages(home.path())) {
      Path file = home.path().resolve(page);
      PICTURE
          .matcher(withoutBlocks(file))
          .results()
          .map(picture -> file.resolveSibling(picture.group(1)))
          .peek(picture -> assertThat(picture).isRegularFile())
          .forEach(picture -> pictures.add(picture.getFileName().toString()));
    }
    assertThat(pictures).contains("formats-dark.svg", "formats-light.svg");
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
  void theOtherPagesOfTheArchiveAreThoseOfTheCheckout() throws IOException {
    for (String page : Documentation.pages(archive)) {
      if (!page.equals(FIRST_PAGE)) {
        assertThat(archive.resolve(page)).hasSameTextualContentAs(CHECKOUT.resolve(page));
      }
    }
  }

  @Test
  void theReadmeOfTheArchiveIsThatOfTheCheckoutWithoutItsBuild() throws IOException {
    String checkout = Files.readString(CHECKOUT.resolve(FIRST_PAGE));
    String cut = checkout.replaceAll("(?ms)^<!-- checkout -->.*?^<!-- /checkout -->\\n", "");
    assertThat(cut).isNotEqualTo(checkout).doesNotContain("mvn ");
    assertThat(archive.resolve(FIRST_PAGE)).hasContent(cut);
  }

  @Test
  void theIndexHasEveryPage() throws IOException {
    List<String> missing = new ArrayList<>(Documentation.pages(CHECKOUT));
    missing.removeIf(page -> !page.startsWith("docs/") || page.equals(INDEX));
    missing.removeAll(pagesOfTheIndex("(?s).*"));
    assertThat(missing).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Tutorial", "How to"})
  void pagesThatAreReadFromBeginningToEndAreShort(String kind) throws IOException {
    List<String> pages = pagesOfTheIndex("(?ms)^## " + kind + "$(.*?)^## ");
    assertThat(pages).isNotEmpty();
    for (String page : pages) {
      String[] words = Files.readString(CHECKOUT.resolve(page)).split("\\s+");
      assertThat(words).as(page).hasSizeLessThanOrEqualTo(3000);
    }
  }

  /** Returns the pages to which a part of the index, matched by a pattern, has links. */
  private static List<String> pagesOfTheIndex(String part) throws IOException {
    Matcher found = Pattern.compile(part).matcher(Files.readString(CHECKOUT.resolve(INDEX)));
    assertThat(found.find()).as(part).isTrue();
    return LINK.matcher(found.group()).results().map(link -> "docs/" + link.group(1)).toList();
  }

  @Test
  void theFirstPageIsShort() throws IOException {
    List<String> lines = Files.readAllLines(CHECKOUT.resolve(FIRST_PAGE));
    assertThat(lines).hasSizeLessThanOrEqualTo(150);
    int rows = 0;
    for (String line : lines) {
      rows = line.startsWith("|") ? rows + 1 : 0;
      assertThat(rows).as(line).isLessThanOrEqualTo(12 + 2); // with the head
    }
  }
}
