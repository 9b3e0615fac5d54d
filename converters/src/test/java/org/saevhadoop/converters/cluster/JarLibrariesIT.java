package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.index.TensorIndexJar;
import org.saevhadoop.converters.program.Launched;
import org.saevhadoop.converters.samediff.SdzJar;
import org.saevhadoop.format.Corpus;

/** The one jar leaves out what it does not use of libraries. */
public class JarLibrariesIT {
  @TempDir Path folder;

  @Test
  void theOneJarHasAllThatAnIndexNeeds() throws IOException, InterruptedException {
    run(TensorIndexJar.class, folder);
  }

  @Test
  void theOneJarHasAllThatSdzFilesNeed() throws IOException, InterruptedException {
    run(SdzJar.class, folder.resolve("a.sdz"));
  }

  private void run(Class<?> main, Path argument) throws IOException, InterruptedException {
    Path target = Corpus.checkout().resolve("converters").resolve("target");
    String classPath =
        String.join(
            File.pathSeparator,
            target.resolve("saev-hadoop.jar").toString(),
            target.resolve("lib").toString() + "/*",
            target.resolve("test-classes").toString());
    Path output = folder.resolve("output");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String log = "-Dlog4j.configuration=file:/dev/null";
    List<String> command =
        List.of(java, "-Xmx256m", log, "-cp", classPath, main.getName(), argument.toString());
    int exitCode = Launched.run(command, output);
    assertThat(exitCode).as(Launched.said(output)).isZero();
  }
}
