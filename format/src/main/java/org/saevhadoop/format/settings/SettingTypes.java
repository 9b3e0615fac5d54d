package org.saevhadoop.format.settings;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The value types of settings. */
public final class SettingTypes {
  /** A number with a unit, as people write sizes. */
  private static final Pattern WITH_UNIT = Pattern.compile("[\\d.,]+ ?(?:[kKMGT]i?[bB]?|[bB])");

  private SettingTypes() {}

  /**
   * Returns a type that is defined by functions.
   *
   * @param parser parses text; it must throw IllegalArgumentException if the text is not a valid
   *     value
   * @param shower returns the text that the parser turns into the value
   */
  public static <T> ValueType<T> of(
      String label, String expected, Function<String, T> parser, Function<T, String> shower) {
    return new Functions<>(label, expected, parser, shower, false, false);
  }

  private record Functions<T>(
      String label,
      String expected,
      Function<String, T> parser,
      Function<T, String> shower,
      boolean isText,
      boolean isVerbatim)
      implements ValueType<T> {
    @Override
    public T parse(String text) {
      return parser.apply(text);
    }

    @Override
    public String show(T value) {
      return shower.apply(value);
    }
  }

  /** Returns the type of any nonempty text, which is taken verbatim. */
  public static ValueType<String> text(String label, String expected) {
    return text(label, expected, Function.identity(), Function.identity());
  }

  /**
   * Returns the type of a path, a class name or another name: any nonempty text. In a configuration
   * that a user wrote, whitespace around the text is ignored and Hadoop expands <code>${...}</code>
   * in it.
   */
  public static ValueType<String> name(String label, String expected) {
    return new Functions<>(label, expected, Function.identity(), Function.identity(), true, false);
  }

  /**
   * Returns the type of text that is taken verbatim and that a parser turns into a value.
   *
   * @param parser parses text; must throw IllegalArgumentException if the text is not a valid value
   */
  public static <T> ValueType<T> text(
      String label, String expected, Function<String, T> parser, Function<T, String> shower) {
    return new Functions<>(label, expected, parser, shower, true, true);
  }

  /**
   * Returns the type of text that is taken verbatim.
   *
   * @param check throws IllegalArgumentException if the text is not a valid value
   */
  public static ValueType<String> text(String label, String expected, Consumer<String> check) {
    return text(
        label,
        expected,
        text -> {
          check.accept(text);
          return text;
        },
        Function.identity());
  }

  /** Returns the type of an integer from {@code min} to {@code max}, both inclusive. */
  public static ValueType<Long> whole(long min, long max) {
    String expected = max == Long.MAX_VALUE ? "at least " + min : "%d to %d".formatted(min, max);
    return whole(expected, value -> value >= min && value <= max);
  }

  /** Returns the type of an integer that satisfies a condition. */
  public static ValueType<Long> whole(String expected, LongPredicate valid) {
    return of(
        "N",
        expected,
        text -> {
          if (WITH_UNIT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                "it has a unit (expected a number without one, %s)".formatted(expected));
          }
          long value = Long.parseLong(text);
          if (!valid.test(value)) {
            throw new IllegalArgumentException();
          }
          return value;
        },
        value -> Long.toString(value));
  }

  /** Returns the type of an integer that must be one of a few values. */
  public static ValueType<Long> oneOf(long... values) {
    return among(Arrays.stream(values).boxed().toList(), value -> Long.toString(value));
  }

  /** Returns the type of a time in UTC. */
  public static ValueType<Instant> instant() {
    return of(
        "TIME",
        "2026-01-31T12:00:00Z or the like",
        text -> {
          try {
            return Instant.parse(text);
          } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(null, e);
          }
        },
        Instant::toString);
  }

  /** Returns the type of the values {@code true} and {@code false}; case is ignored. */
  public static ValueType<Boolean> bool() {
    return among(List.of(true, false), value -> Boolean.toString(value));
  }

  /**
   * Returns the type of the constants of an enum, named in lower case with hyphens; case is
   * ignored.
   */
  public static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
    return among(List.of(type.getEnumConstants()), SettingTypes::name);
  }

  /** Returns the type of a small set of values, which have names in lower case with hyphens. */
  private static <T> ValueType<T> among(List<T> values, Function<T, String> namer) {
    List<String> names = values.stream().map(namer).toList();
    return of(
        String.join("|", names),
        NearestWord.or(names),
        text -> {
          int index = names.indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
          if (index < 0) {
            throw new IllegalArgumentException();
          }
          return values.get(index);
        },
        namer);
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the type of an optional value, with a word that denotes the empty value. */
  public static <T> ValueType<Optional<T>> orWord(String word, ValueType<T> type) {
    return of(
        word + "|" + type.label(),
        word + (type.expected().contains(" or ") ? ", " : ", or ") + type.expected(),
        text -> text.equals(word) ? Optional.empty() : Optional.of(type.parse(text)),
        value -> value.map(type::show).orElse(word));
  }

  /**
   * Returns the type of a list that only this project sets: values without commas, separated by
   * commas, or {@code none} for an empty list.
   */
  public static <T> ValueType<List<T>> sequence(
      String label, String expected, Function<String, T> parser, Function<T, String> shower) {
    return of(
        label,
        expected,
        text ->
            text.equals("none") ? List.of() : Arrays.stream(text.split(",")).map(parser).toList(),
        items ->
            items.isEmpty() ? "none" : items.stream().map(shower).collect(Collectors.joining(",")));
  }

  /** Returns the type of a sequence of integers. */
  public static ValueType<List<Integer>> integers(String label, String expected) {
    return sequence(label, expected, Integer::valueOf, String::valueOf);
  }

  /**
   * Returns the type of a nonempty list of values of another type, separated by semicolons; a
   * backslash makes the next character literal.
   */
  public static <T> ValueType<List<T>> list(ValueType<T> type) {
    return new ItemList<>(type);
  }

  private record ItemList<T>(ValueType<T> type) implements ValueType<List<T>> {
    @Override
    public List<T> parse(String text) {
      List<T> items = new ArrayList<>();
      ListText.parse(text).forEach(item -> items.add(type.parse(item)));
      if (items.isEmpty()) {
        throw new IllegalArgumentException("it has no items");
      }
      return List.copyOf(items);
    }

    @Override
    public String show(List<T> items) {
      return ListText.of(items.stream().map(type::show).toList());
    }

    @Override
    public String expected() {
      return type.expected();
    }

    @Override
    public String label() {
      return type.label();
    }

    @Override
    public boolean isText() {
      return true;
    }

    @Override
    public boolean isList() {
      return true;
    }

    @Override
    public String join(List<String> items) {
      return ListText.of(items);
    }
  }
}
