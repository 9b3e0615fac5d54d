package org.saevhadoop.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.Main;

/** What a command did that ran in this process. */
record Command(int exitCode, String out, String err) {
  static Command run(Configuration conf, Object... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] texts = Arrays.stream(words).map(String::valueOf).toArray(String[]::new);
    int exitCode =
        Main.run(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            texts);
    return new Command(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Returns the line that a command has printed, which succeeded. */
  String line() {
    assertThat(exitCode).as(err).isZero();
    return out.strip();
  }
}
