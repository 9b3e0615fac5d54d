package org.saevhadoop.converters;

import java.io.IOException;
import java.util.Properties;
import org.saevhadoop.format.staged.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version and the commit of this build, and the versions of Java and Hadoop that run it. */
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
