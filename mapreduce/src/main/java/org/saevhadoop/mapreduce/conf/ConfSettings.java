package org.saevhadoop.mapreduce.conf;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.NearestWord;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;

/**
 * Converts settings to and from a job's configuration, or a map of the same values. No other class
 * writes settings to a {@code Configuration} or reads them from one.
 */
public final class ConfSettings {
  private ConfSettings() {}

  /**
   * Reads the keys that are set.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   * @throws SettingException if a value cannot be parsed or is outside its range
   */
  public static Settings read(
      @Nullable Configuration conf, Collection<? extends SettingKey<?>> keys) {
    return conf == null
        ? Settings.NONE
        : read(conf::getRaw, (name, raw) -> conf.getTrimmed(name, ""), keys);
  }

  /**
   * Reads the keys of a map that {@link #toMap} has returned.
   *
   * @throws SettingException if a value cannot be parsed or is outside its range
   */
  public static Settings read(
      Map<String, String> values, Collection<? extends SettingKey<?>> keys) {
    return read(values::get, (name, raw) -> raw.trim(), keys);
  }

  /**
   * Reads the keys that are set.
   *
   * @param values returns the stored value of a name, without changes; null if there is none
   * @param trimmed returns the trimmed value of a name
   */
  private static Settings read(
      Function<String, @Nullable String> values,
      BinaryOperator<String> trimmed,
      Collection<? extends SettingKey<?>> keys) {
    Settings settings = Settings.NONE;
    for (SettingKey<?> key : keys) {
      String name = key.name();
      String raw = values.apply(name);
      if (raw == null) {
        continue;
      }
      try {
        settings = settings.withText(key, text(key, name, raw, trimmed), name);
      } catch (SettingException e) {
        throw e;
      } catch (IllegalArgumentException | IllegalStateException e) {
        // invalid escape, or variables that refer to each other
        throw new SettingException(name + ": " + e.getMessage(), e);
      }
    }
    return settings;
  }

  private static String text(
      SettingKey<?> key, String name, String raw, BinaryOperator<String> trimmed) {
    if (key.type().isText() && ConfText.isEncoded(raw)) {
      return ConfText.decode(raw);
    }
    return key.type().isVerbatim() ? raw : trimmed.apply(name, raw);
  }

  /** Returns the value of one key. */
  public static <T> T get(@Nullable Configuration conf, SettingKey<T> key) {
    return read(conf, List.of(key)).get(key);
  }

  public static <T> void set(Configuration conf, SettingKey<T> key, T value) {
    write(Settings.NONE.with(key, value), conf);
  }

  /** Writes settings; keys that they do not set are left unchanged. */
  public static void write(Settings settings, Configuration conf) {
    toMap(settings).forEach(conf::set);
  }

  /** Returns the values that {@link #write} writes, by the names of their keys. */
  public static SortedMap<String, String> toMap(Settings settings) {
    SortedMap<String, String> values = new TreeMap<>();
    settings.forEachText(
        (key, text) -> values.put(key.name(), key.type().isText() ? ConfText.encode(text) : text));
    return values;
  }

  /** Returns whether anything other than Hadoop's own defaults sets a key of Hadoop. */
  public static boolean isSetByUser(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && !Arrays.stream(sources).allMatch(source -> source.endsWith("-default.xml"));
  }

  /**
   * Checks all keys of this project, whether or not they have an effect.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   * @param warnings accepts warnings about unknown keys
   * @throws SettingException if a value is invalid
   */
  public static void check(
      @Nullable Configuration conf,
      Collection<? extends SettingKey<?>> known,
      Consumer<String> warnings) {
    if (conf == null) {
      return;
    }
    read(conf, known);
    Set<String> set = set(conf);
    for (int source : SourceKeys.sources(set)) {
      read(SourceKeys.of(conf, source), known);
    }
    for (String name : unknown(set, known)) {
      warnings.accept(name + " is not a known key (did you mean " + nearest(name, known) + "?)");
    }
  }

  /** Returns the names in a configuration that begin with {@link SettingKey#PREFIX}, sorted. */
  private static Set<String> set(Configuration conf) {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(SettingKey.PREFIX)) {
        names.add(entry.getKey());
      }
    }
    return names;
  }

  /** Returns the names that belong to no known key, either of all sources or of a single source. */
  private static List<String> unknown(
      Set<String> names, Collection<? extends SettingKey<?>> known) {
    List<String> keys = known.stream().map(SettingKey::name).toList();
    return names.stream()
        .filter(name -> !keys.contains(name))
        .filter(name -> !keys.contains(SourceKeys.base(name).orElse(name)))
        .toList();
  }

  /** Returns the name of the key that is most similar to a name. */
  static String nearest(String name, Collection<? extends SettingKey<?>> known) {
    return NearestWord.of(name, known.stream().map(SettingKey::name).toList()).orElse("");
  }
}
