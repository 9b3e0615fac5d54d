package org.saevhadoop.converters;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.Objects;
import java.util.Properties;
import org.saevhadoop.format.staged.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version and the commit that were built, and those of Java and Hadoop that run them. */
final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    // the file that Hadoop's VersionInfo reads; no class of Hadoop is loaded for it
    Properties hadoop = properties("/common-version-info.properties");
    return new String[] {
      ProgramVersion.text(),
      "Java %s, Hadoop %s"
          .formatted(System.getProperty("java.version"), hadoop.getProperty("version"))
    };
  }

  private static Properties properties(String resource) throws IOException {
    Properties properties = new Properties();
    URL url = Objects.requireNonNull(BuildVersion.class.getResource(resource), resource);
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false); // other class loaders may close the jar that is cached
    try (InputStream in = connection.getInputStream()) {
      properties.load(in);
    }
    return properties;
  }
}
