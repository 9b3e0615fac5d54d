package org.saevhadoop.converters.console;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of command lines that a person pastes. */
public final class ShellWord {
  /** Words that need no quotes in a shell. */
  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_./:=@%+,-]+");

  private ShellWord() {}

  /** Returns a word as a POSIX shell reads it. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns several words as a POSIX shell reads them. */
  public static String quoted(Collection<String> words) {
    return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
  }
}
