package org.saevhadoop.format.settings;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An immutable set of keys with values. Every value has been parsed and is within its range. */
public final class Settings {
  /** Settings in which no key is set. */
  public static final Settings NONE = new Settings(Map.of());

  /**
   * A value of any key.
   *
   * @param typedAs the option or key that set the value, for messages
   */
  private record Value(Object value, @Nullable String typedAs) {}

  private final Map<SettingKey<?>, Value> values;

  private Settings(Map<SettingKey<?>, Value> values) {
    this.values = values;
  }

  /**
   * Returns the value of a key: the value that is set, or else the default; null if there is
   * neither.
   */
  @SuppressWarnings("NullAway") // null only for keys without a default, which their readers check
  public <T> T get(SettingKey<T> key) {
    Value value = values.get(key);
    if (value == null) {
      return key.defaultValue();
    }
    @SuppressWarnings("unchecked") // with() accepts only values of the key's type
    T typed = (T) value.value();
    return typed;
  }

  public boolean isSet(SettingKey<?> key) {
    return values.containsKey(key);
  }

  /**
   * Returns the name by which messages refer to a key: the option or the key that set it, or the
   * name of the key if it is not set.
   */
  public String nameOf(SettingKey<?> key) {
    Value value = values.get(key);
    return value == null || value.typedAs() == null ? key.name() : value.typedAs();
  }

  public Set<SettingKey<?>> keys() {
    return Set.copyOf(values.keySet());
  }

  /** Returns a copy of these settings in which a key has the given value. */
  public <T> Settings with(SettingKey<T> key, T value) {
    return with(key, value, nameOf(key));
  }

  /**
   * Returns a copy of these settings in which a key has the given value, and records the option or
   * key that set it.
   */
  public <T> Settings with(SettingKey<T> key, T value, @Nullable String typedAs) {
    if (value == null) {
      throw new IllegalArgumentException(key + " is null");
    }
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    copy.put(key, new Value(value, typedAs));
    return new Settings(copy);
  }

  /**
   * Returns a copy of these settings in which a key has the parsed value.
   *
   * @throws SettingException if the text is not a valid value of the key
   */
  public <T> Settings withText(SettingKey<T> key, String text, @Nullable String typedAs) {
    return with(key, key.parse(text, typedAs), typedAs);
  }

  /** Returns a copy of these settings in which the given keys are not set. */
  public Settings without(SettingKey<?>... keys) {
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    for (SettingKey<?> key : keys) {
      copy.remove(key);
    }
    return new Settings(copy);
  }

  /** Returns the union of these settings and other settings, which take precedence. */
  public Settings and(Settings other) {
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    copy.putAll(other.values);
    return new Settings(copy);
  }

  /** Returns a copy of these settings that is restricted to the given keys. */
  public Settings only(Collection<? extends SettingKey<?>> keys) {
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    copy.keySet().retainAll(Set.copyOf(keys));
    return new Settings(copy);
  }

  /** Passes each key that is set, with the text of its value, to a consumer. */
  public void forEachText(BiConsumer<SettingKey<?>, String> consumer) {
    values.keySet().forEach(key -> consumer.accept(key, text(key)));
  }

  /** Returns the text of each value that is set, by the name of its key. */
  public SortedMap<String, String> texts() {
    SortedMap<String, String> texts = new TreeMap<>();
    forEachText((key, text) -> texts.put(key.name(), text));
    return texts;
  }

  /**
   * Returns the settings that the result of {@link #texts} describes, restricted to the given keys.
   */
  public static Settings ofTexts(Map<String, String> texts, Collection<SettingKey<?>> keys) {
    Settings settings = NONE;
    for (SettingKey<?> key : keys) {
      String text = texts.get(key.name());
      settings = text == null ? settings : settings.withText(key, text, null);
    }
    return settings;
  }

  private <T> String text(SettingKey<T> key) {
    return key.type().show(get(key));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    forEachText((key, value) -> text.append(key.name()).append('=').append(value).append('\n'));
    return text.toString();
  }
}
