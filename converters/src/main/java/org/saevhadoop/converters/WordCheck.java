package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.TypedText;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/**
 * Checks that each word after a command is one of its options, the value of an option, or a path.
 */
final class WordCheck {
  private static final Set<String> TRUTHS =
      Set.of("true", "false", "yes", "no", "on", "off", "1", "0");

  private static final String EXAMPLE = "--example";

  private final CommandLine command;
  private final CommandSpec spec;
  private final UnknownWord unknown;

  WordCheck(CommandLine command, UnknownWord unknown) {
    this.command = command;
    this.spec = command.getCommandSpec();
    this.unknown = unknown;
  }

  /** Returns the option that a word names, alone or with a value after {@code =}. */
  static @Nullable OptionSpec option(CommandSpec command, String word) {
    OptionSpec option = command.optionsMap().get(word);
    int cut = word.indexOf('=');
    return option == null && cut > 0 ? command.optionsMap().get(word.substring(0, cut)) : option;
  }

  /**
   * Returns whether a word is one of the given option names, alone or with a value after {@code =}.
   */
  static boolean isOneOf(Set<String> options, String word) {
    int cut = word.indexOf('=');
    return options.contains(word) || cut > 0 && options.contains(word.substring(0, cut));
  }

  /** Returns whether the next word is the value of an option. */
  static boolean takesNext(OptionSpec option, String word) {
    return option.arity().min() > 0 && List.of(option.names()).contains(word);
  }

  /**
   * A path, identified by its index among the words, with the option that precedes it and takes no
   * more words.
   */
  private record TypedPath(int index, String word, @Nullable OptionSpec after) {}

  /**
   * Checks the words of the command.
   *
   * @throws ParameterException if a word is not an option, the value of an option, or a path
   */
  void check(List<String> words) {
    List<TypedPath> paths = new ArrayList<>();
    int end = words.contains("--") ? words.indexOf("--") : words.size();
    Set<OptionSpec> seen = new LinkedHashSet<>();
    OptionSpec last = null;
    for (int i = 0; i < end; i++) {
      String word = words.get(i);
      OptionSpec option = option(spec, word);
      if (option == null && isOption(word)) {
        throw unknown.option(command, word);
      } else if (option == null) {
        paths.add(new TypedPath(i, word, last));
      } else if (takesNext(option, word)) {
        i++;
        checkValue(option, word, i < end ? words.get(i) : null);
      } else if (option.arity().max() == 0
          && !option.names()[0].equals(word)
          && word.contains("=")) {
        throw usageError(
            "%s takes no value (expected %s)", word, word.substring(0, word.indexOf('=')));
      }
      last = option;
      if (option != null) {
        seen.add(option);
      }
    }
    spec.argGroups().forEach(group -> checkExclusive(group, seen));
    for (int i = end + 1; i < words.size(); i++) {
      paths.add(new TypedPath(i, words.get(i), null));
    }
    int room = room();
    if (paths.size() > room) {
      throw surplus(words, paths, room);
    }
  }

  /** Returns whether a word is an option. A word with a dash other than a hyphen can be a path. */
  private boolean isOption(String word) {
    return CommandWords.isDashed(word)
        && (word.startsWith("-") || !unknown.suggestions(command, word).isEmpty());
  }

  private void checkValue(OptionSpec option, String word, @Nullable String value) {
    boolean isNone =
        value == null
            || option(spec, value) != null
            || value.startsWith("--") && !unknown.suggestions(command, value).isEmpty();
    if (isNone) {
      throw usageError(
          "%s has no value%s (expected %s)",
          word,
          value == null ? "" : " before " + value,
          UsageMessages.values(option, word + " " + option.paramLabel()));
    }
  }

  private void checkExclusive(ArgGroupSpec group, Set<OptionSpec> seen) {
    List<String> both =
        seen.stream()
            .filter(option -> group.exclusive() && option.group() == group)
            .map(OptionSpec::longestName)
            .toList();
    if (both.size() > 1) {
      throw usageError(
          "%s and %s exclude each other (expected one of them)", both.get(0), both.get(1));
    }
  }

  /** Returns the number of paths that the command takes. */
  private int room() {
    int room = 0;
    for (PositionalParamSpec path : spec.positionalParameters()) {
      if (path.index().isVariable() || path.arity().isVariable() || path.index().isUnresolved()) {
        return Integer.MAX_VALUE;
      }
      room = Math.max(room, path.index().max() + 1);
    }
    return room;
  }

  private ParameterException surplus(List<String> words, List<TypedPath> paths, int room) {
    for (TypedPath path : paths) {
      Optional<String> expected = instead(words, path);
      if (expected.isPresent()) {
        return usageError("unexpected \"%s\" (expected %s)", path.word(), expected.get());
      }
    }
    return usageError(
        "unexpected \"%s\": %d paths (expected %s %s%s)",
        paths.get(room).word(),
        paths.size(),
        spec.name(),
        UsageMessages.labels(spec),
        several(paths, room));
  }

  /** Returns a hint on how to type several datasets, or several files of one dataset. */
  private String several(List<TypedPath> paths, int room) {
    List<String> folders =
        paths.stream()
            .limit(paths.size() - room + 1L)
            .map(path -> path.word().replaceFirst("/?[^/]+/?$", ""))
            .distinct()
            .toList();
    boolean areFiles = paths.get(0).word().matches(".*\\.\\p{Alnum}+");
    String folder =
        areFiles && folders.size() == 1 && !folders.get(0).isEmpty()
            ? "; to read several files of a dataset, type their folder: " + folders.get(0)
            : "";
    return (paths.size() > room + 1 || room == 1 ? ", once for each dataset" : "") + folder;
  }

  /** Returns the likely intended form of a surplus path. */
  private Optional<String> instead(List<String> words, TypedPath path) {
    String before = path.index() == 0 ? "" : words.get(path.index() - 1);
    OptionSpec after = path.after();
    if (after != null && before.equals("=")) {
      return Optional.of(after.longestName() + "=" + path.word());
    }
    if (after != null && takesList(after) && areItems(before, path.word())) {
      return Optional.of(after.longestName() + " " + before + "," + path.word());
    }
    Optional<OptionSpec> ofValue =
        spec.options().stream()
            .filter(option -> !words.contains(option.longestName()) && takes(option, path.word()))
            .findFirst();
    if (ofValue.isPresent()) {
      return Optional.of(ofValue.get().longestName() + " " + path.word());
    }
    if (path.index() > 0 && path.word().matches("-?\\d+") && option(spec, EXAMPLE) != null) {
      return Optional.of(EXAMPLE + " " + path.word());
    }
    if (after != null && after.arity().max() == 0 && TRUTHS.contains(path.word())) {
      return Optional.of(after.longestName() + " without a value");
    }
    if (after != null && after.arity().min() == 0 && after.arity().max() > 0) {
      return Optional.of(after.longestName() + "=" + path.word());
    }
    String plain = TypedText.plain(path.word());
    String option = plain.startsWith("-") ? plain : "--" + plain;
    boolean isUnhyphened = plain.contains("=") && option(spec, option) != null;
    return isUnhyphened || isOption(plain) ? Optional.of(option) : Optional.empty();
  }

  private static boolean takesList(OptionSpec option) {
    return option.paramLabel().contains(",");
  }

  private static boolean areItems(String first, String second) {
    return isNumeric(first) && isNumeric(second) || first.contains("=") && second.contains("=");
  }

  /** Returns whether a word is one of the values that an option lists. */
  private static boolean takes(OptionSpec option, String word) {
    Iterable<String> values = option.completionCandidates();
    return values != null
        && StreamSupport.stream(values.spliterator(), false).anyMatch(word::equalsIgnoreCase);
  }

  private static boolean isNumeric(String word) {
    return word.matches("[-\\d:,]*\\d[-\\d:,]*");
  }

  private ParameterException usageError(String template, Object... arguments) {
    return new ParameterException(command, template.formatted(arguments));
  }
}
