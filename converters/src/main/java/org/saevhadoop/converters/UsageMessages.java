package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.NearestWord;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Messages for errors that picocli finds. */
final class UsageMessages {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class);
  private static final Set<Class<?>> FRACTIONS = Set.of(double.class, Double.class);

  private UsageMessages() {}

  static String of(ParameterException e) {
    ArgSpec argument = e.getArgSpec();
    if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      return missing(missing.getMissing(), e.getCommandLine().getCommandSpec());
    }
    if (e instanceof OverwrittenOptionException twice) {
      return name(twice.getOverwritten()) + " is given twice (expected once)";
    }
    if (argument != null && e.getCause() instanceof TypeConversionException) {
      return wrongValue(argument, e.getValue(), String.valueOf(e.getCause().getMessage()));
    }
    return String.valueOf(e.getMessage());
  }

  private static String missing(List<ArgSpec> missing, CommandSpec command) {
    List<String> names = missing.stream().map(UsageMessages::name).toList();
    String expected = command.name() + " " + labels(command);
    for (OptionSpec option : command.options()) {
      expected += option.required() ? " " + option.longestName() + " " + option.paramLabel() : "";
    }
    int last = names.size() - 1;
    return last == 0
        ? "%s is missing (expected %s)".formatted(names.get(0), values(missing.get(0), expected))
        : "%s and %s are missing (expected %s)"
            .formatted(String.join(", ", names.subList(0, last)), names.get(last), expected);
  }

  /** Returns the option with its values, or the given text if they cannot be listed. */
  static String values(ArgSpec argument, String otherwise) {
    Iterable<String> candidates = argument.completionCandidates();
    List<String> words =
        candidates == null
            ? List.of()
            : StreamSupport.stream(candidates.spliterator(), false).toList();
    return words.isEmpty() ? otherwise : name(argument) + " with " + NearestWord.or(words);
  }

  private static String wrongValue(ArgSpec argument, @Nullable String value, String problem) {
    Class<?> type = argument.type();
    Class<?> inner = argument.auxiliaryTypes()[0];
    if (inner.isEnum()) {
      List<String> names = new ArrayList<>();
      for (Object constant : inner.getEnumConstants()) {
        names.add(constant.toString());
      }
      return "%s is \"%s\" (expected %s)".formatted(name(argument), value, NearestWord.or(names));
    }
    if (WHOLE.contains(type) || FRACTIONS.contains(type)) {
      String expected = WHOLE.contains(type) ? "a whole number" : "a number such as 0.5";
      return "%s is \"%s\" (expected %s)".formatted(name(argument), value, expected);
    }
    return name(argument) + ": " + problem;
  }

  /** Returns the placeholders for the paths of a command, in their order. */
  static String labels(CommandSpec command) {
    return command.positionalParameters().stream()
        .map(PositionalParamSpec::paramLabel)
        .collect(Collectors.joining(" "));
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }
}
