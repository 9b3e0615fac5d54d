package org.saevhadoop.mapreduce.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Texts as the value of one configuration key: separated by semicolons, blanks around each do not
 * count. A backslash takes the meaning from the next character, and {@code \}{@code uXXXX} is any.
 */
final class ListText {
  private static final int HEX = 16;

  private ListText() {}

  /** Also what XML, blanks and variables would take away, as the names of tensors are any text. */
  static String of(List<String> items) {
    return items.stream().map(ListText::escaped).collect(Collectors.joining(";"));
  }

  private static String escaped(String item) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < item.length(); i++) {
      char c = item.charAt(i);
      boolean end = i == 0 || i == item.length() - 1;
      if (c < ' ' || c >= 0x7f || c == '$' || c == ' ' && end) {
        text.append(String.format("\\u%04x", (int) c));
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
      } else if (text.substring(i + 1).matches("(?s)u\\p{XDigit}{4}.*")) {
        item.append((char) Integer.parseInt(text.substring(i + 2, i + 6), HEX));
        i += 5;
      } else {
        item.append(text.charAt(++i));
      }
    }
    return item.toString();
  }
}
