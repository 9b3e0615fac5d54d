package org.saevhadoop.format.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the names that a mistyped word may refer to. Case and the kind of hyphen are ignored. */
public final class NearestWord {
  /** Maximum number of suggestions; nobody reads a longer list. */
  private static final int MAX_SUGGESTIONS = 4;

  private NearestWord() {}

  /**
   * Returns at most four names that a word may refer to: the name that it equals except for case
   * and hyphens; names that it abbreviates; names that it misspells with the fewest typing errors;
   * if it has two letters, names of two letters with the same first letter; or names that have the
   * same first part, up to a hyphen. The result is empty if no names or too many names are similar.
   */
  public static List<String> suggestions(String word, Collection<String> names) {
    String typed = folded(word);
    int edits = names.stream().mapToInt(name -> edits(typed, folded(name))).min().orElse(0);
    String part = typed.substring(0, typed.indexOf('-') + 1);
    if (names.contains(word)) {
      return List.of(word);
    }
    List<Predicate<String>> rules =
        List.of(
            name -> name.equals(typed) && typed.length() > 1,
            name -> name.startsWith(typed),
            name -> edits <= tolerated(typed) && edits(typed, name) == edits,
            name -> isAlike(typed, name),
            name -> !part.isEmpty() && (name + "-").startsWith(part));
    return rules.stream()
        .map(rule -> names.stream().distinct().filter(name -> rule.test(folded(name))).toList())
        .filter(found -> !found.isEmpty())
        .findFirst()
        .filter(found -> found.size() <= MAX_SUGGESTIONS)
        .orElse(List.of());
  }

  /** Returns the first of the names with the fewest typing errors. */
  public static Optional<String> of(String word, Collection<String> names) {
    return names.stream().min(Comparator.comparingInt(name -> edits(word, name)));
  }

  /** Returns a list of words as text for a sentence: {@code a, b or c}. */
  public static String or(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  private static String folded(String word) {
    return word.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether both words have two letters and begin with the same letter. */
  private static boolean isAlike(String word, String name) {
    return word.length() == 2 && name.length() == 2 && word.charAt(0) == name.charAt(0);
  }

  /** Returns the maximum number of typing errors that are tolerated in a word. */
  private static int tolerated(String word) {
    return word.length() < 3 ? 0 : word.length() < 5 ? 1 : word.length() < 8 ? 2 : 3;
  }

  /**
   * Returns the distance between two strings: the number of characters that are inserted, deleted,
   * replaced, or swapped with the next one (optimal string alignment).
   */
  public static int edits(String a, String b) {
    int[][] rows = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          rows[i][j] = i + j;
          continue;
        }
        int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        rows[i][j] = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
      }
    }
    return rows[a.length()][b.length()];
  }
}
