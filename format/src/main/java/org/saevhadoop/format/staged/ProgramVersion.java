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
    try {
      Properties build = properties(ProgramVersion.class, "build.properties");
      return "saev-hadoop %s (commit %s)"
          .formatted(build.getProperty("version"), build.getProperty("commit"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the properties in a resource, as {@link Class#getResource} finds it. */
  public static Properties properties(Class<?> beside, String resource) throws IOException {
    URL url = Objects.requireNonNull(beside.getResource(resource), resource);
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false); // other class loaders may close the jar that is cached
    Properties properties = new Properties();
    try (InputStream in = connection.getInputStream()) {
      properties.load(in);
    }
    return properties;
  }
}
