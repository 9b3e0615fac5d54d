package org.saevhadoop.testing;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** Other programs, with whose results tests compare. */
public final class Programs {
  private Programs() {}

  /**
   * Returns the standard output of a program, which must succeed. Without the program the test is
   * aborted, but fails in CI if it is Python.
   */
  public static byte[] output(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      if (command[0].equals("python3") && "true".equals(System.getenv("CI"))) {
        throw new AssertionError("CI must have " + command[0], e);
      }
      return Assumptions.abort(command[0] + " is not installed");
    }
    byte[] output = process.getInputStream().readAllBytes();
    if (process.waitFor() != 0) {
      throw new AssertionError(String.join(" ", command) + " failed: " + process.exitValue());
    }
    return output;
  }
}
