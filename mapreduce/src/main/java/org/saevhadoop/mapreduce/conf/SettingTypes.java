package org.saevhadoop.mapreduce.conf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The types of settings. */
public final class SettingTypes {
  private SettingTypes() {}

  /**
   * A type made of functions.
   *
   * @param parser throws IllegalArgumentException for what is not a value
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

  /** Any text but the empty one, taken as it is. */
  public static ValueType<String> text(String label, String expected) {
    return text(label, expected, Function.identity(), Function.identity());
  }

  /**
   * A path, the name of a class or the like: any text but the empty one. What a person writes may
   * have blanks around it and <code>${...}</code> in it, which Hadoop expands.
   */
  public static ValueType<String> name(String label, String expected) {
    return new Functions<>(label, expected, Function.identity(), Function.identity(), true, false);
  }

  /**
   * Text, taken as it is, that a parser turns into a value.
   *
   * @param parser throws IllegalArgumentException for what is not a value
   */
  public static <T> ValueType<T> text(
      String label, String expected, Function<String, T> parser, Function<T, String> shower) {
    return new Functions<>(label, expected, parser, shower, true, true);
  }

  /** A whole number from {@code min} to {@code max}. */
  public static ValueType<Long> whole(long min, long max) {
    String expected = max == Long.MAX_VALUE ? "at least " + min : "%d to %d".formatted(min, max);
    return of("N", expected, text -> number(text, min, max), value -> Long.toString(value));
  }

  private static long number(String text, long min, long max) {
    long value = Long.parseLong(text);
    if (value < min || value > max) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  /** One of a few whole numbers. */
  public static ValueType<Long> oneOf(long... values) {
    List<String> texts = Arrays.stream(values).mapToObj(Long::toString).toList();
    return of(
        String.join("|", texts),
        list(texts),
        text -> {
          if (!texts.contains(text)) {
            throw new IllegalArgumentException();
          }
          return Long.parseLong(text);
        },
        value -> Long.toString(value));
  }

  /** {@code true} or {@code false}. */
  public static ValueType<Boolean> bool() {
    return of(
        "true|false",
        "true or false",
        text -> {
          if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException();
          }
          return Boolean.valueOf(text);
        },
        value -> Boolean.toString(value));
  }

  /** A constant of an enum, its name in lower case and with hyphens. */
  public static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
    List<String> names = Arrays.stream(type.getEnumConstants()).map(SettingTypes::name).toList();
    return of(
        String.join("|", names),
        list(names),
        text -> {
          int place = names.indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
          if (place < 0) {
            throw new IllegalArgumentException();
          }
          return type.getEnumConstants()[place];
        },
        SettingTypes::name);
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String list(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** A value of another type, or a word that stands for none. */
  public static <T> ValueType<Optional<T>> orWord(String word, ValueType<T> type) {
    return of(
        word + "|" + type.label(),
        word + (type.expected().contains(" or ") ? ", " : ", or ") + type.expected(),
        text -> text.equals(word) ? Optional.empty() : Optional.of(type.parse(text)),
        value -> value.map(type::show).orElse(word));
  }

  /** Values of another type, separated by semicolons; a backslash takes a character as it is. */
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
