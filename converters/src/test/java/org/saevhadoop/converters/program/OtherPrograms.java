package org.saevhadoop.converters.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;

/** Programs that a test needs. Without one, the test is skipped, and fails in CI. */
public final class OtherPrograms {
  private OtherPrograms() {}

  /** Requires that a command succeeds. */
  public static void require(String... command) throws InterruptedException {
    boolean there;
    try {
      there =
          new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .start()
                  .waitFor()
              == 0;
    } catch (IOException e) {
      there = false;
    }
    require(there, command[0]);
  }

  /** Requires that a program that a test has tried works. */
  public static void require(boolean works, String program) {
    if (!works) {
      assertThat(System.getenv("CI")).as("CI must have " + program).isNotEqualTo("true");
    }
    assumeTrue(works, "needs " + program);
  }
}
