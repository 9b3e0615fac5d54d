package org.saevhadoop.converters.inspect;

import java.util.regex.Pattern;

/** Words of command lines. */
final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /** Returns a word as a POSIX shell reads it. */
  static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns a path that a shell and a command read as such. */
  static String ofPath(String path) {
    return quoted(path.startsWith("-") ? "./" + path : path);
  }
}
