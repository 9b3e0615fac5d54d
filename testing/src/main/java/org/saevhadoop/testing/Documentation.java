package org.saevhadoop.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the documentation, and their fenced blocks. */
public final class Documentation {
  private static final String FENCE = "```";

  private Documentation() {}

  /**
   * A fenced block.
   *
   * @param page the path of the page, relative to the folder of README.md
   * @param first the index of its first line in the page, which follows the fence
   * @param language the word after the fence; empty if there is none
   */
  public record Block(String page, int first, String language, List<String> lines) {
    public Block {
      lines = List.copyOf(lines);
    }

    @Override
    public String toString() {
      return page + ":" + first;
    }
  }

  /**
   * Returns the paths of all pages.
   *
   * @param root the folder that contains README.md: a checkout or an archive
   */
  public static List<String> pages(Path root) throws IOException {
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

  /** Returns the blocks of all pages. */
  public static List<Block> blocks(Path root) throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (String page : pages(root)) {
      List<String> lines = Files.readAllLines(root.resolve(page));
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).startsWith(FENCE)) {
          int end = i + 1;
          while (!lines.get(end).equals(FENCE)) {
            end++;
          }
          String language = lines.get(i).substring(FENCE.length());
          blocks.add(new Block(page, i + 1, language, lines.subList(i + 1, end)));
          i = end;
        }
      }
    }
    return blocks;
  }

  /**
   * Returns the text of the only Python block on a page that contains the given text.
   *
   * @param page the end of the page's path
   * @throws IllegalStateException if there is no such block, or more than one
   */
  public static String python(Path root, String page, String part) throws IOException {
    List<String> found =
        blocks(root, "python").stream()
            .filter(block -> block.page().endsWith(page))
            .map(block -> String.join("\n", block.lines()) + "\n")
            .filter(text -> text.contains(part))
            .toList();
    if (found.size() != 1) {
      throw new IllegalStateException(
          "%s has %d blocks of Python with %s (expected one)".formatted(page, found.size(), part));
    }
    return found.get(0);
  }

  /** Returns the blocks in a given language from all pages. */
  public static List<Block> blocks(Path root, String language) throws IOException {
    return blocks(root).stream().filter(block -> block.language().equals(language)).toList();
  }
}
