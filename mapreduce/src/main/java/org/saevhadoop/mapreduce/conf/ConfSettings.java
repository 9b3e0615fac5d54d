package org.saevhadoop.mapreduce.conf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings in a job's configuration: the one place where they are written to it or read from it.
 */
public final class ConfSettings {
  private ConfSettings() {}

  /**
   * Reads the keys that are set.
   *
   * @throws SettingException if a value is wrong
   */
  public static Settings read(Configuration conf, Collection<? extends SettingKey<?>> keys) {
    Settings settings = Settings.NONE;
    for (SettingKey<?> key : keys) {
      settings = read(conf, key, settings);
    }
    return settings;
  }

  private static <T> Settings read(Configuration conf, SettingKey<T> key, Settings settings) {
    String raw = conf.getRaw(key.name());
    if (raw == null) {
      return settings;
    }
    try {
      return settings.withText(key, text(conf, key, raw), key.name());
    } catch (SettingException e) {
      throw e;
    } catch (IllegalArgumentException | IllegalStateException e) {
      // an escape that is none, or variables that name each other
      throw new SettingException(key.name() + ": " + e.getMessage(), e);
    }
  }

  private static String text(Configuration conf, SettingKey<?> key, String raw) {
    if (key.type().isText() && ConfText.isEncoded(raw)) {
      return ConfText.decode(raw);
    }
    return key.type().isVerbatim() ? raw : conf.getTrimmed(key.name(), "");
  }

  /** Returns the value of one key. */
  public static <T> T get(Configuration conf, SettingKey<T> key) {
    return read(conf, List.of(key)).get(key);
  }

  /** Sets one key. */
  public static <T> void set(Configuration conf, SettingKey<T> key, T value) {
    write(Settings.NONE.with(key, value), conf);
  }

  /** Writes settings; keys that they do not have stay as they are. */
  public static void write(Settings settings, Configuration conf) {
    settings.forEachText(
        (key, text) -> conf.set(key.name(), key.type().isText() ? ConfText.encode(text) : text));
  }

  /**
   * Returns what a configuration sets below {@link SettingKey#PREFIX} that is none of the given
   * keys.
   */
  public static List<String> unknown(
      Configuration conf, Collection<? extends SettingKey<?>> known) {
    List<String> names = known.stream().map(SettingKey::name).toList();
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(SettingKey.PREFIX) && !names.contains(entry.getKey())) {
        unknown.add(entry.getKey());
      }
    }
    return unknown.stream().sorted().toList();
  }

  /** Returns the key whose name is most like a name: the one with the fewest edits between them. */
  public static String nearest(String name, Collection<? extends SettingKey<?>> known) {
    String best = "";
    int fewest = Integer.MAX_VALUE;
    for (SettingKey<?> key : known) {
      int edits = edits(name, key.name());
      if (edits < fewest) {
        fewest = edits;
        best = key.name();
      }
    }
    return best;
  }

  /** Levenshtein's distance. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
