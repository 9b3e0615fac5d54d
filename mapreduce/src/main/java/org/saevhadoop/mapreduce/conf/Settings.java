package org.saevhadoop.mapreduce.conf;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Values of keys, each parsed and in its range. Immutable. */
public final class Settings {
  /** No key is set. */
  public static final Settings NONE = new Settings(Map.of());

  /**
   * A value.
   *
   * @param typedAs the option or the key by which it was set, for messages
   */
  private record Value(Object value, String typedAs) {}

  private final Map<SettingKey<?>, Value> values;

  private Settings(Map<SettingKey<?>, Value> values) {
    this.values = values;
  }

  /** Returns the value of a key: the one that is set, else its default, null if it has none. */
  public <T> T get(SettingKey<T> key) {
    Value value = values.get(key);
    if (value == null) {
      return key.defaultValue();
    }
    @SuppressWarnings("unchecked") // with() takes values of the key's type only
    T typed = (T) value.value();
    return typed;
  }

  /** Returns whether a key is set. */
  public boolean isSet(SettingKey<?> key) {
    return values.containsKey(key);
  }

  /** Returns what a message calls a key: what was typed if it is set, else its name. */
  public String nameOf(SettingKey<?> key) {
    Value value = values.get(key);
    return value == null ? key.name() : value.typedAs();
  }

  /** Returns the keys that are set. */
  public Set<SettingKey<?>> keys() {
    return Set.copyOf(values.keySet());
  }

  /** Returns these settings with another value of a key. */
  public <T> Settings with(SettingKey<T> key, T value) {
    return with(key, value, nameOf(key));
  }

  /** Returns these settings with another value of a key, which was typed under a name. */
  public <T> Settings with(SettingKey<T> key, T value, String typedAs) {
    if (value == null) {
      throw new IllegalArgumentException(key + " is null");
    }
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    copy.put(key, new Value(value, typedAs));
    return new Settings(copy);
  }

  /** Returns these settings with a value that is parsed. */
  public <T> Settings withText(SettingKey<T> key, String text, String typedAs) {
    return with(key, key.parse(text, typedAs), typedAs);
  }

  /** Returns these settings without keys. */
  public Settings without(SettingKey<?>... keys) {
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    for (SettingKey<?> key : keys) {
      copy.remove(key);
    }
    return new Settings(copy);
  }

  /** Returns these settings and others, which win. */
  public Settings and(Settings others) {
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    copy.putAll(others.values);
    return new Settings(copy);
  }

  /** Returns those of these settings whose keys are among the given ones. */
  public Settings only(Collection<? extends SettingKey<?>> keys) {
    Map<SettingKey<?>, Value> copy = new LinkedHashMap<>(values);
    copy.keySet().retainAll(Set.copyOf(keys));
    return new Settings(copy);
  }

  /** Hands each key that is set to a consumer, with the text of its value. */
  public void forEachText(BiConsumer<SettingKey<?>, String> consumer) {
    values.keySet().forEach(key -> consumer.accept(key, text(key)));
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
