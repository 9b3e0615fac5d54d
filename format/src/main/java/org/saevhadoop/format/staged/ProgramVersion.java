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
  private static final String TEXT = read();

  private ProgramVersion() {}

  /** Returns the version and the commit, as the command {@code version} prints them. */
  public static String text() {
    return TEXT;
  }

  private static String read() {
    URL url = Objects.requireNonNull(ProgramVersion.class.getResource("build.properties"));
    Properties build = new Properties();
    try {
      URLConnection connection = url.openConnection();
      connection.setUseCaches(false); // other class loaders may close the jar that is cached
      try (InputStream in = connection.getInputStream()) {
        build.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "saev-hadoop %s (commit %s)"
        .formatted(build.getProperty("version"), build.getProperty("commit"));
  }
}
