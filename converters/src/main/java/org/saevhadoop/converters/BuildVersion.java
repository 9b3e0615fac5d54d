package org.saevhadoop.converters;

import java.io.IOException;
import java.util.Properties;
import org.saevhadoop.format.staged.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version and the commit that were built, and those of Java and Hadoop that run them. */
final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    // the file that Hadoop's VersionInfo reads; no class of Hadoop is loaded for it
    Properties hadoop =
        ProgramVersion.properties(BuildVersion.class, "/common-version-info.properties");
    return new String[] {
      ProgramVersion.text(),
      "Java %s, Hadoop %s"
          .formatted(System.getProperty("java.version"), hadoop.getProperty("version"))
    };
  }
}
