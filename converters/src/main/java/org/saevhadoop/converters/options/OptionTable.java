package org.saevhadoop.converters.options;

import java.util.ArrayList;
import java.util.List;
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
   * Returns the rows of a Markdown table of the options of keys.
   *
   * @param title the formats to which the options apply; empty for all formats
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

  /**
   * Returns the row of an option.
   *
   * @param label the placeholder for the value; empty if the option takes none
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
