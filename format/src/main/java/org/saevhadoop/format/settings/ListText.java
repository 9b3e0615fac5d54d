package org.saevhadoop.format.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A list of strings as the value of one configuration key. Items are separated by semicolons;
 * whitespace around an item is ignored. A backslash makes the next character literal, and {@code
 * \}{@code uXXXX} encodes any character.
 */
final class ListText {
  private ListText() {}

  /**
   * Joins items. Characters that XML, trimming or variable expansion would change are also escaped,
   * because a tensor can have any name.
   */
  static String of(List<String> items) {
    return items.stream().map(ListText::escaped).collect(Collectors.joining(";"));
  }

  private static String escaped(String item) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < item.length(); i++) {
      char c = item.charAt(i);
      boolean end = i == 0 || i == item.length() - 1;
      if (c < ' ' || c >= 0x7f || c == '$' || c == ' ' && end) {
        UnicodeEscape.append(text, c);
      } else {
        text.append(c == ';' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return text.toString();
  }

  static List<String> parse(String text) {
    List<String> items = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == ';') {
        items.add(unescaped(text.substring(begin, i).strip()));
        begin = i + 1;
      } else if (text.charAt(i) == '\\' && i + 1 < text.length()) {
        i++;
      }
    }
    items.removeIf(String::isEmpty);
    return items;
  }

  private static String unescaped(String text) {
    StringBuilder item = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        item.append(c);
      } else if (UnicodeEscape.isAt(text, i)) {
        item.append(UnicodeEscape.unit(text, i));
        i += UnicodeEscape.LENGTH - 1;
      } else {
        item.append(text.charAt(++i));
      }
    }
    return item.toString();
  }
}
