package org.saevhadoop.format.arrays.file;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Files in a folder whose names show that they are several datasets, or one dataset and its copies.
 *
 * @param problem the description of the sets, which follows "has" in a message
 * @param isCopied whether some files are copies of others
 * @param sets the names of the files of each dataset
 */
public record FileSets(String problem, boolean isCopied, List<List<String>> sets) {
  private static final int MAX_SHOWN = 4;

  /** Names that file managers and browsers give to copies. */
  private static final Pattern COPY =
      Pattern.compile("(.*?)(?: \\([0-9]+\\)| - Copy| copy(?: [0-9]+)?)(\\.[^.]*)?");

  /** Words for training sets and evaluation sets. */
  private static final Pattern SPLIT =
      Pattern.compile(
          "(?:(?<![A-Za-z])(?i:(train|val|test|dev|eval|holdout)(?:ing|id|idation|uation)?)"
              + "|(?<=[a-z0-9])(Train|Val|Test|Dev|Eval))(?![a-z])");

  private static final Comparator<String> TRAINING_FIRST =
      Comparator.comparing((String word) -> !word.equals("train"))
          .thenComparing(Comparator.naturalOrder());

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  public FileSets {
    sets = List.copyOf(sets);
  }

  /** Finds copies, or training and evaluation sets; empty if there are none. */
  public static Optional<FileSets> of(Collection<String> names) {
    return copies(names).or(() -> splits(names));
  }

  /**
   * Finds datasets whose file names differ in words, either without numbers or with the same
   * numbers for each word; empty if the files are one dataset.
   */
  public static Optional<FileSets> ofWords(Collection<String> names) {
    Map<String, List<String>> words = new LinkedHashMap<>();
    Set<Set<String>> numbers = new HashSet<>();
    for (String name : names) {
      words
          .computeIfAbsent(NUMBER.matcher(name).replaceAll("#"), key -> new ArrayList<>())
          .add(name);
    }
    for (List<String> files : words.values()) {
      numbers.add(files.stream().map(FileSets::numbers).collect(Collectors.toSet()));
    }
    boolean isNumbered = words.values().stream().allMatch(files -> files.size() > 1);
    boolean areSets =
        words.size() > 1
            && numbers.size() == 1
            && (isNumbered || numbers.iterator().next().size() == 1);
    return areSets
        ? Optional.of(
            new FileSets(
                "files whose names differ in words: %s".formatted(shown(firsts(words.values()))),
                false,
                List.copyOf(words.values())))
        : Optional.empty();
  }

  /** Finds training and evaluation sets by file name. */
  private static Optional<FileSets> splits(Collection<String> names) {
    Map<String, List<String>> sets = new TreeMap<>(TRAINING_FIRST);
    for (String name : names) {
      split(name).ifPresent(word -> sets.computeIfAbsent(word, w -> new ArrayList<>()).add(name));
    }
    return sets.size() < 2
        ? Optional.empty()
        : Optional.of(
            new FileSets(
                "several sets of examples: %s".formatted(shown(firsts(sets.values()))),
                false,
                List.copyOf(sets.values())));
  }

  /**
   * Returns the uppermost folders whose names identify them as training or evaluation sets; empty
   * if there are none.
   *
   * @param files the paths of files, all at the same depth
   */
  public static List<String> folders(Collection<String> files) {
    List<String> sets = List.of();
    Map<String, Set<String>> folders = byFolder(files);
    while (!folders.isEmpty() && !folders.containsKey("")) {
      Map<String, Set<String>> above = byFolder(folders.keySet());
      boolean areSets = above.values().stream().anyMatch(FileSets::areSplits);
      sets = areSets ? List.copyOf(folders.keySet()) : sets;
      folders = above;
    }
    return sets;
  }

  private static Map<String, Set<String>> byFolder(Collection<String> paths) {
    Map<String, Set<String>> folders = new LinkedHashMap<>();
    for (String path : paths) {
      int end = Math.max(0, path.lastIndexOf('/'));
      folders
          .computeIfAbsent(path.substring(0, end), key -> new LinkedHashSet<>())
          .add(path.substring(end));
    }
    return folders;
  }

  private static boolean areSplits(Set<String> names) {
    return names.size() > 1
        && names.stream().map(FileSets::split).distinct().count() == names.size();
  }

  /** Returns the word in a name that identifies a training or evaluation set. */
  private static Optional<String> split(String name) {
    Matcher matcher = SPLIT.matcher(name);
    return matcher.find()
        ? Optional.ofNullable(matcher.group(1))
            .or(() -> Optional.of(matcher.group(2)))
            .map(word -> word.toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  private static Optional<FileSets> copies(Collection<String> names) {
    Set<String> all = Set.copyOf(names);
    Set<String> originals = new TreeSet<>(names);
    Set<String> copies = new TreeSet<>();
    for (String name : names) {
      Matcher copy = COPY.matcher(name);
      if (name.indexOf(' ') >= 0
          && copy.matches()
          && all.contains(copy.group(1) + Optional.ofNullable(copy.group(2)).orElse(""))) {
        copies.add(name);
        originals.remove(name);
      }
    }
    return copies.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new FileSets(
                "copies of files: %s".formatted(shown(copies)),
                true,
                List.of(List.copyOf(originals), List.copyOf(copies))));
  }

  private static String numbers(String name) {
    return NUMBER
        .matcher(name)
        .results()
        .map(found -> found.group())
        .collect(Collectors.joining(","));
  }

  private static List<String> firsts(Collection<List<String>> sets) {
    return sets.stream().map(files -> files.get(0)).toList();
  }

  private static String shown(Collection<String> names) {
    String some = names.stream().limit(MAX_SHOWN).collect(Collectors.joining(", "));
    return names.size() > MAX_SHOWN ? some + ", ..." : some;
  }
}
