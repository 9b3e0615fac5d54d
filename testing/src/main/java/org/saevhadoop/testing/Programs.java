package org.saevhadoop.testing;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** Other programs that tests need. A test whose program is missing is skipped, or fails in CI. */
public final class Programs {
  private Programs() {}

  /** Returns the standard output of a program, which must succeed. */
  public static byte[] output(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      require(false, command[0]);
      throw e;
    }
    byte[] output = process.getInputStream().readAllBytes();
    if (process.waitFor() != 0) {
      throw new AssertionError(String.join(" ", command) + " failed: " + process.exitValue());
    }
    return output;
  }

  /** Returns whether a program exists and succeeds; its output is discarded. */
  public static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Requires that a program succeeds. */
  public static void require(String... command) throws InterruptedException {
    require(succeeds(command), command[0]);
  }

  /** Requires that a prerequisite of a test is met. */
  public static void require(boolean works, String what) {
    if (!works && "true".equals(System.getenv("CI"))) {
      throw new AssertionError("CI must have " + what);
    }
    Assumptions.assumeTrue(works, "needs " + what);
  }
}
