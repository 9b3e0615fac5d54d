package org.saevhadoop.converters.console;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of command lines that a user can paste. */
public final class ShellWord {
  /** Words that need no quotes in a shell. */
  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_./:=@%+,-]+");

  private ShellWord() {}

  /** Quotes a word for a POSIX shell, if necessary. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Quotes words for a POSIX shell and joins them with spaces. */
  public static String quoted(Collection<String> words) {
    return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
  }
}
