package org.saevhadoop.converters.options;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.mapreduce.conf.CommandOption;
import org.saevhadoop.mapreduce.conf.SettingKey;

/** The texts about keys in help and documentation. */
final class OptionTable {
  private OptionTable() {}

  /** Returns what a key means, with its values and its default. */
  static String help(SettingKey<?> key) {
    String expected = expected(key);
    return key.help()
        + (expected.isEmpty() ? "" : " Value: " + expected + ".")
        + (key.defaultText() == null ? "" : " Default: " + key.defaultText() + ".");
  }

  /** Returns the values of a key; nothing if the label of its option shows all of them. */
  private static String expected(SettingKey<?> key) {
    String expected = key.type().expected();
    String words = expected.replace(", ", " ").replace(" or ", " ");
    return key.type().label().replace("|", " ").equals(words) ? "" : expected;
  }

  /**
   * Returns the rows of a Markdown table of the options of some keys.
   *
   * @param title the formats that the options are for
   */
  static List<String> rows(String title, List<SettingKey<?>> keys) {
    List<String> rows = new ArrayList<>();
    for (SettingKey<?> key : keys) {
      for (CommandOption option : key.options()) {
        String label = option.isFlag() ? "" : key.type().label();
        String help = option.help() == null ? help(key) : option.help();
        rows.add(row(option.name(), label, title, help));
      }
    }
    return rows;
  }

  /** Returns the row of one option; the label is empty if it takes no value. */
  static String row(String name, String label, String title, String help) {
    String option = label.isEmpty() ? name : name + " " + label;
    return "| `%s` | %s | %s |"
        .formatted(option.replace("|", "\\|"), title.isEmpty() ? "all" : title, escaped(help));
  }

  /** Returns text with what Markdown would take for a column, HTML or emphasis as it is meant. */
  private static String escaped(String text) {
    return text.replace("|", "\\|")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("__", "\\_\\_");
  }
}
