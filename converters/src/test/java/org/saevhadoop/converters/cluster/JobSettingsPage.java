package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.format.Corpus;

/** The table of docs/cluster.md with the keys of Hadoop that jobs set. */
public final class JobSettingsPage {
  private static final String HEAD = "| key | set | reason |";
  private static final Pattern KEY = Pattern.compile("`([^`=]+)(?:=([^`]+))?`");

  private JobSettingsPage() {}

  /** When a key is set. */
  public enum When {
    ALWAYS("always"),
    UNLESS_SET("unless set"),
    IF_EXCEEDED("if exceeded");

    private final String text;

    When(String text) {
      this.text = text;
    }
  }

  /** Returns the keys that are set in some cases, with their values, or null for those without. */
  public static Map<String, String> read(When... cases) throws IOException {
    List<String> wanted = Arrays.stream(cases).map(one -> one.text).toList();
    List<String> all = Arrays.stream(When.values()).map(one -> one.text).toList();
    List<String> page = Files.readAllLines(Corpus.checkout().resolve("docs/cluster.md"));
    assertThat(page).containsOnlyOnce(HEAD);
    Map<String, String> keys = new TreeMap<>();
    for (int i = page.indexOf(HEAD) + 2; page.get(i).startsWith("|"); i++) {
      String[] cells = page.get(i).split(" *\\| *");
      assertThat(all).as(page.get(i)).contains(cells[2]);
      Matcher key = KEY.matcher(cells[1]);
      while (wanted.contains(cells[2]) && key.find()) {
        keys.put(key.group(1), key.group(2));
      }
    }
    assertThat(keys).isNotEmpty();
    return keys;
  }
}
