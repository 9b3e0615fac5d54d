package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.testing.Documentation;
import org.saevhadoop.testing.Programs;

/** A program that has the module format and its libraries only. */
class FormatAloneTest {
  private static final String LIBRARIES =
      "(jackson-(core|databind|annotations)|commons-(compress|io|codec|lang3)|flatbuffers-java)-.*";

  private static final String PROGRAM =
      """
      import java.nio.FloatBuffer;
      import java.nio.file.Path;
      import org.saevhadoop.format.Datasets;
      import org.saevhadoop.format.dataset.ActivationDataset;
      import org.saevhadoop.format.reader.vector.*;

      public class Alone {
        static long trained;

        static void train(FloatBuffer vectors, int rows) {
          trained += rows;
        }

        public static void main(String[] args) throws Exception {
          Path directory = Path.of(args[0]);
          %s
          System.out.print(trained);
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void theExampleOfReadingCompilesAndRuns() throws Exception {
    Path source = folder.resolve("Alone.java");
    Files.writeString(source, PROGRAM.formatted(example()));
    String classPath = classPath();
    assertThat(classPath).doesNotContain("hadoop-client").doesNotContain("jobs");
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", classPath, "-d", folder.toString(), source.toString());
    assertThat(compiled).isZero();
    byte[] output =
        Programs.output(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            folder + File.pathSeparator + classPath,
            "Alone",
            Fixtures.small().toString());
    assertThat(new String(output, StandardCharsets.UTF_8)).isEqualTo("" + 2 * 7 * 9);
  }

  private static String example() throws IOException {
    return Documentation.blocks(Corpus.checkout(), "java").stream()
        .filter(block -> block.page().equals("docs/reading.md"))
        .map(block -> String.join("\n", block.lines()))
        .collect(Collectors.joining("\n"));
  }

  private static String classPath() {
    Path format = Path.of("..", "format", "target").toAbsolutePath().normalize();
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> isOfFormat(entry, format))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isOfFormat(Path entry, Path format) {
    String name = entry.getFileName().toString();
    return entry.startsWith(format)
        ? !name.equals("test-classes") && !name.endsWith("-tests.jar")
        : name.matches(LIBRARIES);
  }
}
