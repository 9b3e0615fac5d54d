package org.saevhadoop.converters.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.format.Corpus;

/** The pages of the documentation, and their blocks of code. */
public final class Documentation {
  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private Documentation() {}

  /**
   * A block of code.
   *
   * @param page the path of the page, relative to the checkout
   * @param language the word after the fence; may be empty
   */
  public record Block(String page, String language, String text) {
    @Override
    public String toString() {
      return page + ": " + text.lines().findFirst().orElse("");
    }
  }

  /** Returns the paths of all pages for users and developers, relative to the checkout. */
  public static List<String> pages() throws IOException {
    Path root = Corpus.checkout();
    List<String> pages = new ArrayList<>();
    for (Path folder : List.of(root, root.resolve("docs"), root.resolve("docs/commands"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .map(file -> root.relativize(file).toString())
            .sorted()
            .forEach(pages::add);
      }
    }
    return pages;
  }

  /** Returns the blocks of a language in all pages. */
  public static Stream<Block> blocks(String language) throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (String page : pages()) {
      Matcher block = BLOCK.matcher(Files.readString(Corpus.checkout().resolve(page)));
      while (block.find()) {
        if (block.group(1).equals(language)) {
          blocks.add(new Block(page, language, block.group(2)));
        }
      }
    }
    return blocks.stream();
  }
}
