package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.console.HadoopLog;
import org.saevhadoop.converters.index.TensorIndexJar;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.samediff.SdzJar;
import org.saevhadoop.format.Corpus;

/** The one jar leaves out what it does not use of libraries. */
@Tag("long")
public class JarLibrariesIT {
  @TempDir Path folder;

  /** The program of a JVM in which nothing but the one jar has the libraries. */
  static final class WritesAndReads {
    private WritesAndReads() {}

    public static void main(String[] args) throws IOException {
      HadoopLog.silence(); // debug messages of Parquet would take most of the time
      TensorIndexJar.main(args);
      SdzJar.main(new String[] {args[0] + "/a.sdz"});
    }
  }

  @Test
  void theOneJarHasAllThatAnIndexAndSdzFilesNeed() throws IOException, InterruptedException {
    Path target = Corpus.checkout().resolve("converters").resolve("target");
    String classPath =
        String.join(
            File.pathSeparator,
            target.resolve("saev-hadoop.jar").toString(),
            target.resolve("lib").toString() + "/*",
            target.resolve("test-classes").toString());
    Path output = folder.resolve("output");
    List<String> command = Launched.command(WritesAndReads.class, Launched.SHORT, folder);
    command.set(command.indexOf("-cp") + 1, classPath);
    int exitCode = Launched.run(command, output);
    assertThat(exitCode).as(Launched.said(output)).isZero();
  }
}
