package org.saevhadoop.jobs.digest;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The digest of a dataset and the SHA-256 of each of its files, in the format of GNU coreutils:
 * {@code sha256sum -c} checks the files, and skips the digest, which is a comment.
 *
 * @param digest the line that {@code digest} prints; null if there is none
 * @param folder the path before the file names, with a trailing slash, or empty
 * @param sums the sums in hexadecimal by name, without the folder
 */
public record SumsFile(@Nullable String digest, String folder, SortedMap<String, String> sums) {
  static final String SUFFIX = ".sha256";
  static final String COMMENT = "#";

  public SumsFile {
    sums = Collections.unmodifiableSortedMap(new TreeMap<>(sums));
  }

  static String line(String sum, String name) {
    String escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    return (escaped.equals(name) ? "" : "\\") + sum + "  " + escaped;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    if (digest != null) {
      text.append(COMMENT).append(' ').append(digest).append('\n');
    }
    sums.forEach((name, sum) -> text.append(line(sum, folder + name)).append('\n'));
    return text.toString();
  }
}
