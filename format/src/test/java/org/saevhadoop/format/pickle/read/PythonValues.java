package org.saevhadoop.format.pickle.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.saevhadoop.testing.Programs;

/** python_values.py among the resources, run by python3 with numpy: CI must have both. */
public final class PythonValues {
  /** Whether python3 has numpy; null until it was asked. */
  private static Boolean numpy;

  private final Path folder;

  public PythonValues(Path folder) {
    this.folder = folder;
  }

  /** The answer to pickles, line by line. */
  public List<String> ask(String question, List<byte[]> pickles) throws Exception {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    for (byte[] pickle : pickles) {
      ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      file.write(length.putLong(0, pickle.length).array());
      file.write(pickle);
    }
    return run(question, file.toByteArray());
  }

  /** The answer to lines of JSON. */
  public List<String> askLines(List<String> lines) throws Exception {
    return run("lines", (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private List<String> run(String question, byte[] input) throws Exception {
    requireNumpy();
    Path script = folder.resolve("python_values.py");
    Path cases = folder.resolve("cases");
    Files.write(script, getClass().getResourceAsStream("python_values.py").readAllBytes());
    Files.write(cases, input);
    byte[] answers = Programs.output("python3", script.toString(), question, cases.toString());
    return new String(answers, StandardCharsets.UTF_8).lines().toList();
  }

  /** Aborts the test without python3 with numpy, which CI must have. */
  static void requireNumpy() throws InterruptedException {
    Assumptions.assumeTrue(hasNumpy(), "python3 with numpy is not installed");
  }

  private static synchronized boolean hasNumpy() throws InterruptedException {
    if (numpy == null) {
      try {
        numpy = new ProcessBuilder("python3", "-c", "import numpy").start().waitFor() == 0;
      } catch (IOException e) {
        numpy = false;
      }
    }
    assertThat(numpy || !"true".equals(System.getenv("CI")))
        .as("CI must have python3 with numpy")
        .isTrue();
    return numpy;
  }
}
