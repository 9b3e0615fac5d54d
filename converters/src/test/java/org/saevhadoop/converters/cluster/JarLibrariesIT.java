package org.saevhadoop.converters.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.index.TensorIndexJar;
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
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dlog4j.configuration=file:/dev/null",
                "-cp",
                classPath,
                main.getName(),
                argument.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
  }
}
