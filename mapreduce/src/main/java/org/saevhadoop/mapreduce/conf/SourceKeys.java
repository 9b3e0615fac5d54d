package org.saevhadoop.mapreduce.conf;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.settings.SettingKey;

/**
 * The keys of one of several sources of a job: {@code saev.input.<i>.KEY}, counted from 0, sets for
 * source i what {@code saev.input.KEY} sets for all other sources.
 */
public final class SourceKeys {
  private static final String INPUT = SettingKey.PREFIX + "input.";

  /**
   * The number of a source and the rest of a key's name; for keys outside {@code saev.input.}, the
   * rest begins with their group.
   */
  private static final Pattern INDEXED =
      Pattern.compile(Pattern.quote(INPUT) + "(\\d{1,9})\\.(convert\\.)?(.+)");

  private SourceKeys() {}

  /**
   * Returns the name of the key for all sources that corresponds to a key of one source; empty for
   * other keys.
   */
  public static Optional<String> base(String name) {
    Matcher indexed = INDEXED.matcher(name);
    return indexed.matches() ? Optional.of(base(indexed)) : Optional.empty();
  }

  private static String base(Matcher indexed) {
    return indexed.group(2) == null
        ? INPUT + indexed.group(3)
        : SettingKey.PREFIX + indexed.group(2) + indexed.group(3);
  }

  /** Returns the indexes of the sources whose keys are among the names. */
  static Set<Integer> sources(Set<String> names) {
    return names.stream()
        .map(INDEXED::matcher)
        .filter(Matcher::matches)
        .map(indexed -> Integer.valueOf(indexed.group(1)))
        .collect(Collectors.toSet());
  }

  /**
   * Returns a warning for each key that has no effect because no source has its index.
   *
   * @param conf the configuration; null if it contains nothing but Hadoop's defaults
   * @param sources the number of sources with keys of their own; 0 if a single dataset is read
   */
  public static List<String> warnings(@Nullable Configuration conf, int sources) {
    if (conf == null) {
      return List.of();
    }
    SortedSet<String> warnings = new TreeSet<>();
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      Matcher indexed = INDEXED.matcher(name);
      if (indexed.matches() && Integer.parseInt(indexed.group(1)) >= sources) {
        warnings.add(
            sources == 0
                ? "%s has no effect on a single dataset (expected %s)"
                    .formatted(name, base(indexed))
                : "%s has no effect on %d datasets (expected an index from 0 to %d)"
                    .formatted(name, sources, sources - 1));
      }
    }
    return List.copyOf(warnings);
  }

  /** Returns a copy of a configuration in which the keys of one source apply. */
  public static Configuration of(Configuration conf, int source) {
    Configuration own = new Configuration(conf);
    only(conf, source).forEach(entry -> own.set(entry.getKey(), entry.getValue()));
    return own;
  }

  /** Returns a configuration with the keys of one source as the keys of the only source. */
  public static Configuration only(Configuration conf, int source) {
    Configuration own = new Configuration(false);
    for (Map.Entry<String, String> entry : conf) {
      Matcher indexed = INDEXED.matcher(entry.getKey());
      if (indexed.matches() && Integer.parseInt(indexed.group(1)) == source) {
        own.set(base(indexed), entry.getValue());
      }
    }
    return own;
  }

  /**
   * Copies the input that a configuration defines to the keys of one source in another
   * configuration.
   *
   * @param input a configuration that defines nothing but the input
   */
  public static void write(Configuration input, int source, Configuration conf) {
    for (Map.Entry<String, String> entry : input) {
      String name = entry.getKey();
      String rest =
          name.startsWith(INPUT)
              ? name.substring(INPUT.length())
              : name.substring(SettingKey.PREFIX.length());
      conf.set(INPUT + source + "." + rest, entry.getValue());
    }
  }
}
