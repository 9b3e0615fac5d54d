package org.saevhadoop.converters.options;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.saevhadoop.mapreduce.conf.CommandOption;
import org.saevhadoop.mapreduce.conf.SettingKey;

/** The texts of keys and options in help and documentation. */
final class OptionTable {
  private OptionTable() {}

  /** Returns the help of a key with its values and its default. */
  static String help(SettingKey<?> key) {
    String expected = expected(key);
    return key.help()
        + (expected.isEmpty() ? "" : " Value: " + expected + ".")
        + (key.defaultText() == null ? "" : " Default: " + key.defaultText() + ".");
  }

  /** Returns the values of a key; empty if the label of its option shows all of them. */
  private static String expected(SettingKey<?> key) {
    String expected = key.type().expected();
    String words = expected.replace(", ", " ").replace(" or ", " ");
    return key.type().label().replace("|", " ").equals(words) ? "" : expected;
  }

  /**
   * Returns the rows of a Markdown table of the options of keys. A key of several groups has one
   * row for each option, with the titles of all of these groups.
   */
  static List<String> rows(List<KeyOptions.Group> groups) {
    Set<SettingKey<?>> keys = new LinkedHashSet<>();
    groups.forEach(group -> keys.addAll(group.keys()));
    List<String> rows = new ArrayList<>();
    for (SettingKey<?> key : keys) {
      String title = KeyOptions.title(groups, key);
      for (CommandOption option : key.options()) {
        String label = option.isFlag() ? "" : key.type().label();
        String help = option.help() == null ? help(key) : option.help();
        rows.add(row(option.name(), label, title, help));
      }
    }
    return rows;
  }

  /**
   * Returns the row of an option.
   *
   * @param label the placeholder for the value; empty if the option takes none
   * @param title the formats to which the option applies; empty for all formats
   */
  static String row(String name, String label, String title, String help) {
    String option = label.isEmpty() ? name : name + " " + label;
    return "| `%s` | %s | %s |"
        .formatted(option.replace("|", "\\|"), title.isEmpty() ? "all" : title, escaped(help));
  }

  /** Escapes characters that Markdown would interpret as columns, HTML or emphasis. */
  private static String escaped(String text) {
    return text.replace("|", "\\|")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("__", "\\_\\_");
  }
}
