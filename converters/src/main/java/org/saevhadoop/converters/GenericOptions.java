package org.saevhadoop.converters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The words of a command line, divided into generic options and all other words. Hadoop's parser
 * receives only the generic options, because it stops at the first other argument and drops {@code
 * --}.
 *
 * @param generic the generic options with their values
 * @param rest all other words, in their original order
 */
record GenericOptions(List<String> generic, List<String> rest) {
  /** The generic options, with the placeholders for their values. */
  static final Map<String, String> LABELS =
      Map.of(
          "-D", "KEY=VALUE",
          "-conf", "FILE",
          "-fs", "URI",
          "-jt", "HOST",
          "-libjars", "JARS",
          "-files", "FILES",
          "-archives", "FILES");

  /** Divides words. A generic option without a valid value remains among the other words. */
  static GenericOptions of(List<String> words) {
    List<String> generic = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    int end = words.indexOf("--");
    int options = end < 0 ? words.size() : end;
    for (int i = 0; i < options; i++) {
      String word = words.get(i);
      if (LABELS.containsKey(word) && i + 1 < options && isValue(word, words.get(i + 1))) {
        generic.add(word);
        generic.add(words.get(++i));
      } else if (word.startsWith("-D") && word.indexOf('=') > 2) {
        generic.add("-D");
        generic.add(word.substring(2));
      } else {
        rest.add(word);
      }
    }
    rest.addAll(words.subList(options, words.size()));
    return new GenericOptions(generic, rest);
  }

  private static boolean isValue(String option, String word) {
    return option.equals("-D") ? word.indexOf('=') > 0 : !word.startsWith("--");
  }
}
