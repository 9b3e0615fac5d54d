package org.saevhadoop.format.staged;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.util.Objects;
import java.util.Properties;

/** The version and the commit of this program. */
public final class ProgramVersion {
  private static final int SHOWN_DIGITS = 10;
  private static final String TEXT = read();

  private ProgramVersion() {}

  /** Returns the version and the commit, as printed by the {@code version} command. */
  public static String text() {
    return TEXT;
  }

  private static String read() {
    try {
      return text(properties(ProgramVersion.class, "build.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the version and the commit of a build.
   *
   * @param build the properties of the build: its version; {@code commit}, which is empty for a
   *     build outside a repository; {@code modified}, whether files differed from the commit; and
   *     {@code archived}, the commit from which {@code git archive} wrote the sources, or text that
   *     is not a commit if {@code git archive} did not write them
   */
  static String text(Properties build) {
    String commit = build.getProperty("commit");
    if (commit.isEmpty()) {
      commit = build.getProperty("archived");
    }
    String shown = commit.matches("[0-9a-f]{40,}") ? commit.substring(0, SHOWN_DIGITS) : "unknown";
    String modified = build.getProperty("modified").equals("true") ? ", modified" : "";
    return "saev-hadoop %s (commit %s%s)".formatted(build.getProperty("version"), shown, modified);
  }

  /** Reads the properties in a resource that {@link Class#getResource} finds. */
  public static Properties properties(Class<?> beside, String resource) throws IOException {
    URL url = Objects.requireNonNull(beside.getResource(resource), resource);
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false); // other class loaders may close a cached jar
    Properties properties = new Properties();
    try (InputStream in = connection.getInputStream()) {
      properties.load(in);
    }
    return properties;
  }
}
