package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Documentation;

/** Files for contributors and their tools, compared with the README and the documentation. */
class ContributorFilesTest {
  private static final Path CHECKOUT = Corpus.checkout();
  private static final String WORKFLOW = ".github/workflows/build.yml";

  private static String text(String file) throws IOException {
    return Files.readString(CHECKOUT.resolve(file));
  }

  private static String only(String file, String pattern) throws IOException {
    List<String> found =
        Pattern.compile(pattern, Pattern.MULTILINE)
            .matcher(text(file))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(found).as("%s: %s", file, pattern).hasSize(1);
    return found.get(0);
  }

  private static List<String> numbers(String text) {
    return Pattern.compile("\\d+").matcher(text).results().map(MatchResult::group).toList();
  }

  @Test
  void theJdksOfTheWorkflowAreThoseOfTheReadme() throws IOException {
    List<String> tested = numbers(only(WORKFLOW, "^ +java: \\[(.*)]$"));
    assertThat(numbers(only("README.md", "\\((.*) are tested\\)"))).isEqualTo(tested);
    assertThat(numbers(only("CONTRIBUTING.md", "README on JDK (.*);"))).isEqualTo(tested);
    assertThat(only("pom.xml", "<maven.compiler.release>(.*)</")).isEqualTo(tested.get(0));
  }

  /** The first line of its first block, and the only block of the part about the checkout. */
  private static List<String> commandsOfTheReadme() throws IOException {
    String build = only("README.md", "(?s)^<!-- checkout -->$(.*)^<!-- /checkout -->$");
    String second =
        Pattern.compile("(?ms)^```sh\n(.*?)\n```$")
            .matcher(build)
            .results()
            .map(match -> match.group(1))
            .reduce((first, next) -> first + "\n" + next)
            .orElseThrow();
    Documentation.Block first =
        Documentation.blocks(CHECKOUT, "console").stream()
            .filter(block -> block.page().equals("README.md"))
            .findFirst()
            .orElseThrow();
    return List.of(first.lines().get(0).substring("$ ".length()), second);
  }

  @ParameterizedTest
  @ValueSource(strings = {WORKFLOW, ".ci/run"})
  void theCommandsOfTheReadmeAreRunInTheirOrderAfterTheirPackages(String file) throws IOException {
    List<String> expected = new ArrayList<>(List.of(".ci/packages"));
    expected.addAll(commandsOfTheReadme());
    assertThat(text(file).lines().map(line -> line.replaceFirst("^ *run:? ", "")))
        .containsSubsequence(expected);
  }

  /** Tables and blocks are as wide as they must be. */
  @Test
  void documentationKeepsToTheRulesOfTheEditor() throws IOException {
    int width =
        Integer.parseInt(only(".editorconfig", "(?s)^\\[\\*\\.md]$.*?^max_line_length = (\\d+)$"));
    List<String> pages = Documentation.pages(CHECKOUT);
    pages.add("fixtures/README.md");
    List<String> wrong = new ArrayList<>();
    for (String page : pages) {
      String prose = text(page).replaceAll("(?ms)^```.*?^```$", "");
      prose
          .lines()
          .filter(line -> !line.startsWith("|") && line.length() > width)
          .forEach(line -> wrong.add(page + ": " + line));
      lines(page)
          .filter(line -> line.endsWith(" ") || line.contains("\t") || line.contains("\r"))
          .forEach(line -> wrong.add(page + ": " + line));
      assertThat(text(page)).as(page).endsWith("\n").doesNotEndWith("\n\n");
    }
    assertThat(wrong).isEmpty();
  }

  private static Stream<String> lines(String page) throws IOException {
    return Stream.of(text(page).split("\n"));
  }
}
